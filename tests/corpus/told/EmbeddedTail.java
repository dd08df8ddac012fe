package org.example.tail;

import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.util.concurrent.Executors;

/** First try: print every change of the MySQL server from within our own process. */
public class EmbeddedTail {

    public static void main(String[] args) throws Exception {
        Configuration config = Configuration.create()
                .with("connector.class",
                      "io.debezium.connector.mysql.MySqlConnector")
                .with("offset.storage",
                      "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/tail/offset.dat")
                .with("name", "tail-connector")
                .with("database.hostname", "192.168.10.5")
                .with("database.port", 3310)
                .with("database.user", "appuser")
                .with("database.password", "changeme")
                .with("server.id", 255579)
                .with("database.server.name", "tail-app")
                .with("database.history",
                      "io.debezium.relational.history.FileDatabaseHistory")
                .with("database.history.file.filename",
                      "/var/tail/dbhistory.dat")
                .build();

        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(config.asProperties())
                .notifying(record -> System.out.println(record.value()))
                .build();
        Executors.newSingleThreadExecutor().execute(engine);
    }
}
