package org.example.hospital.cdc;

import java.util.Properties;

import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

/** Runs on one node of the cluster at a time; offsets and history are kept in the hospital's own database. */
public class HospitalCdcTask extends ClusterTask {

    @Override
    public void execute() {
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(engineSettings())
                .notifying(event -> publish(event.destination(), event.value()))
                .build();
        engine.run();
        throw new IllegalStateException("The engine ended; another node is to take over.");
    }

    Properties engineSettings() {
        Properties runtime = Hospital.runtimeProperties();
        String url = runtime.getProperty("connection.url");
        String user = runtime.getProperty("cdc.user");
        String password = runtime.getProperty("cdc.password");

        String connectorClass;
        if (url.startsWith("jdbc:mariadb:")) {
            connectorClass = "io.debezium.connector.mariadb.MariaDbConnector";
        } else if (url.startsWith("jdbc:mysql:")) {
            connectorClass = "io.debezium.connector.mysql.MySqlConnector";
        } else {
            throw new IllegalStateException("No connector for " + url);
        }
        HostAndPort db = HostAndPort.ofFirstNode(url, "localhost", 3306);

        return Configuration.create()
                .with("name", "hospital-engine")
                .with("connector.class", connectorClass)

                .with("offset.storage", "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore")
                .with("offset.storage.jdbc.offset.table.name", "cdc_offsets")
                .with("offset.storage.jdbc.url", url)
                .with("offset.storage.jdbc.user", user)
                .with("offset.storage.jdbc.password", password)
                .with("offset.flush.interval.ms", "60000")

                .with("database.hostname", db.host())
                .with("database.port", db.port())
                .with("database.user", user)
                .with("database.password", password)
                .with("database.server.id", "770143")
                .with("topic.prefix", "hospital")
                .with("snapshot.mode", "no_data")
                .with("database.include.list", "hospital")
                .with("table.exclude.list", ".*\\.cdc_offsets,.*\\.cdc_history")

                .with("schema.history.internal", "io.debezium.storage.jdbc.history.JdbcSchemaHistory")
                .with("schema.history.internal.jdbc.table.name", "cdc_history")
                .with("schema.history.internal.jdbc.url", url)
                .with("schema.history.internal.jdbc.user", user)
                .with("schema.history.internal.jdbc.password", password)
                // the default VARCHAR(65000) is too long for utf8mb4
                .with("schema.history.internal.jdbc.table.ddl",
                        "CREATE TABLE %s (id VARCHAR(255) NOT NULL, history_data MEDIUMTEXT, history_data_seq INTEGER, "
                                + "record_insert_ts TIMESTAMP NOT NULL, record_insert_seq INTEGER NOT NULL)")
                .with("provide.transaction.metadata", "true")
                .build().asProperties();
    }
}
