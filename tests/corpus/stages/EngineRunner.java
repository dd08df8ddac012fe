package org.example.garden;

import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Binary;
import io.debezium.engine.format.JsonByteArray;
import io.debezium.engine.format.KeyValueHeaderChangeEventFormat;
import io.debezium.engine.format.SimpleString;

import java.util.List;

public class EngineRunner {

    /** payload is bytea and goes out untouched; keys are text. */
    DebeziumEngine<ChangeEvent<String, Object>> engine(String host, char[] password, BatchSink sink) {
        Configuration config = Configuration.create()
                .with("name", "garden-outbox")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore")
                .with("offset.storage.jdbc.connection.url", "jdbc:postgresql://" + host + ":5432/garden")
                .with("offset.storage.jdbc.connection.user", "garden_cdc")
                .with("offset.storage.jdbc.connection.password", new String(password))
                .with("offset.flush.interval.ms", 0)
                .with("errors.max.retries", -1)
                .with("database.hostname", host)
                .with("database.port", 5432)
                .with("database.user", "garden_cdc")
                .with("database.password", new String(password))
                .with("database.dbname", "garden")
                .with("plugin.name", "pgoutput")
                .with("slot.name", "garden_outbox")
                .with("topic.prefix", "garden")
                .with("table.include.list", "public.outbox")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.route.topic.replacement", "garden.${routedByValue}")
                .build();

        return build(config, sink);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private DebeziumEngine<ChangeEvent<String, Object>> build(Configuration config, BatchSink sink) {
        return (DebeziumEngine) DebeziumEngine
                .create(KeyValueHeaderChangeEventFormat.of(SimpleString.class, Binary.class, JsonByteArray.class))
                .using(config.asProperties())
                .notifying((List records, DebeziumEngine.RecordCommitter committer) -> sink.write(records, committer))
                .build();
    }

    interface BatchSink {
        void write(List<?> records, DebeziumEngine.RecordCommitter<?> committer) throws InterruptedException;
    }
}
