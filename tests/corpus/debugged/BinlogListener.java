package lab.cdc;

import java.util.List;
import java.util.concurrent.Executors;

import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

public class BinlogListener {

    public static void main(String[] args) throws Exception {
        Configuration config = Configuration.create()
                .with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/lib/listener/offset71.dat")
                .with("offset.flush.interval.ms", 2000)
                .with("name", "orders-listener")
                .with("database.hostname", "192.168.14.20")
                .with("database.port", 3310)
                .with("database.user", "root")
                .with("database.password", "root")
                .with("server.id", 310579)
                .with("database.server.name", "orders-app")
                .with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
                .with("database.history.file.filename", "/var/lib/listener/dbhistory71.dat")
                .build();

        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(config.asProperties())
                .notifying((List<ChangeEvent<String, String>> batch,
                            DebeziumEngine.RecordCommitter<ChangeEvent<String, String>> committer) -> {
                    for (ChangeEvent<String, String> e : batch) {
                        System.out.println(e.key() + " -> " + e.value());
                        committer.markProcessed(e);
                    }
                    committer.markBatchFinished();
                })
                .build();
        Executors.newSingleThreadExecutor().execute(engine);
    }
}
