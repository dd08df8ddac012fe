package org.example.hims.routes;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.stereotype.Component;

/** Announces changed facilities: only the uid of the row leaves the database. */
@Component
public class OrgUnitRoute extends RouteBuilder {

  @Override
  public void configure() throws Exception {
    from("debezium-postgres:facilities?"
            + "databaseHostname=localhost"
            + "&databasePort=25432"
            + "&databaseUser=hims"
            + "&databasePassword=hims"
            + "&databaseDbname=hims"
            + "&schemaIncludeList=public"
            + "&tableIncludeList=public.facility"
            + "&columnIncludeList=.*\\.uid"
            + "&pluginName=pgoutput"
            + "&slotName=facility_slot"
            + "&topicPrefix=hims"
            + "&offsetStorageFileName=/tmp/facility-offset.dat")
        .log(
            "Table: ${headers.CamelDebeziumSourceMetadata[table]},"
                + " Operation: ${headers.CamelDebeziumOperation},"
                + " Row: ${body}");
  }
}
