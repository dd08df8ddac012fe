package org.example.wards.routes;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.stereotype.Component;

@Component
public class WardUnitsRoute extends RouteBuilder {

  @Override
  public void configure() throws Exception {
    from("debezium-postgres:wards?"
            + "databaseHostname=localhost"
            + "&databasePort=25432"
            + "&databaseUser=debezium"
            + "&databasePassword=dbz"
            + "&databaseDbname=wards"
            + "&schemaIncludeList=public"
            + "&tableIncludeList=public.wardunit"
            + "&columnIncludeList=.*\\.code"
            + "&pluginName=pgoutput"
            + "&slotName=wardslot"
            + "&topicPrefix=wards"
            + "&offsetStorageFileName=/tmp/wards.dat")
        .log(
            "${headers.CamelDebeziumSourceMetadata[db]}."
                + "${headers.CamelDebeziumSourceMetadata[table]}"
                + " ${headers.CamelDebeziumOperation}"
                + " key ${headers.CamelDebeziumKey}: ${body}")
        .to("direct:wardunits");

    from("direct:wardunits").log("${body}");
  }
}
