package org.example.ledger.routes;

import org.apache.camel.builder.RouteBuilder;

/** Camel Quarkus: changes of the ledger to files. */
public class CamelQuarkusRoute extends RouteBuilder {

    private static final String SOURCE = "debezium-postgres:ledger?offsetStorageFileName={{ledger.cdc.offsets}}"
            + "&databaseDbname={{ledger.db.name}}"
            + "&databaseHostname={{ledger.db.host}}"
            + "&databasePort={{ledger.db.port}}"
            + "&databaseUser={{ledger.db.user}}"
            + "&databasePassword={{ledger.db.password}}"
            + "&databaseServerName={{ledger.cdc.server}}"
            + "&databaseHistoryFileFilename={{ledger.cdc.history}}"
            + "&schemaIncludeList={{ledger.cdc.schemas}}"
            + "&tableIncludeList={{ledger.cdc.tables}}"
            + "&timePrecisionMode=connect"
            + "&pluginName=pgoutput";

    @Override
    public void configure() {
        from(SOURCE)
            .routeId("ledger-cdc")
            .log("change: ${body}")
            .log("source: ${headers.CamelDebeziumSourceMetadata}")
            .setHeader("table", simple("${headers.CamelDebeziumSourceMetadata[db]}.${headers.CamelDebeziumSourceMetadata[table]}"))
            .process("ledgerProcessor")
            .marshal().json()
            .toD("file:changes?fileName=${headers.table}-${date:now:HHmmss}.json");
    }
}
