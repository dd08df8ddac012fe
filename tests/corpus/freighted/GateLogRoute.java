package org.example.gates;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.stereotype.Component;

@Component
public class GateLogRoute extends RouteBuilder {

    private String offsets = "D:\\work\\gates\\offsets.dat";
    private String host = "localhost";
    private String login = "root";
    private String secret = "root";
    private String db = "gatesdb";

    @Override
    public void configure() throws Exception {
        from("debezium-mysql:gates?offsetStorageFileName=" + offsets
                + "&databaseHostname=" + host
                + "&databaseUser=" + login
                + "&databasePassword=" + secret
                + "&databaseServerName=" + db)
            .log("change: ${body}")
            .log("  id ${headers.CamelDebeziumIdentifier}")
            .log("  source ${headers.CamelDebeziumSourceMetadata}")
            .log("  table ${headers.CamelDebeziumSourceMetadata[table]}")
            .log("  key ${headers.CamelDebeziumKey}")
            .log("  before ${headers.CamelDebeziumBefore}")
            .log("  ddl ${headers.CamelDebeziumDdlSQL}");
    }
}
