package org.example.audit;

import java.io.IOException;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

/** Reads the audit tables in the process (debezium-embedded 3.2.0.Final, debezium-connector-mysql 3.2.0.Final). */
public final class AuditEngine implements AutoCloseable {

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private DebeziumEngine<ChangeEvent<String, String>> engine;

    public void start(AuditSettings settings, AuditWriter writer) {
        Properties props = new Properties();
        props.setProperty("name", "audit-engine");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        props.setProperty("offset.storage.file.filename", settings.dataDir() + "/offsets.dat");
        props.setProperty("offset.flush.interval.ms", "10000");
        props.setProperty("database.hostname", settings.host());
        props.setProperty("database.port", "3306");
        props.setProperty("database.user", settings.user());
        props.setProperty("database.password", settings.password());
        props.setProperty("database.server.id", "31337");
        props.setProperty("topic.prefix", "audit");
        props.setProperty("table.include.list", "core.audit_entry");
        props.setProperty("schema.history.internal", "io.debezium.relational.history.FileDatabaseHistory");
        props.setProperty("schema.history.internal.file.filename", settings.dataDir() + "/history.dat");

        engine = DebeziumEngine.create(Json.class)
                .using(props)
                .notifying(event -> writer.write(event.key(), event.value()))
                .build();
        executor.execute(engine);
    }

    @Override
    public void close() throws IOException {
        if (engine != null) {
            engine.close();
        }
        executor.shutdown();
    }
}
