package org.example.camelcdc;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

@SpringBootApplication
public class CamelCdc {

	public static void main(String[] args) {
		SpringApplication.run(CamelCdc.class, args);
	}

	@Component
	public class ChangeRoute extends RouteBuilder {

	    //@Value("${cdc.positions}")
	    private String positions = "D:\\work\\cdc\\positions.dat";

	    //@Value("${cdc.host}")
	    private String pgHost = "localhost";

	    private String login = "postgres";

	    private String secret = "123456";

	    private String base = "depot";

	    @Override
	    public void configure() throws Exception {
	        from("debezium-postgres:depot-changes?offsetStorageFileName="+positions
	                +"&databaseHostName="+pgHost
	                +"&databaseUser="+login
	                +"&databasePassword="+secret
	                +"&databaseServerName="+base
	                +"&databaseDbname="+base
	                +"&pluginName=pgoutput")//or decoderbufs
	        .log("row:    ${body}")
	        .log("from:   ${headers.CamelDebeziumIdentifier}")
	        .log("action: ${headers.CamelDebeziumOperation}")// c, u, d or r
	        .log("key:    ${headers.CamelDebeziumKey}");
	    }
	}
}
