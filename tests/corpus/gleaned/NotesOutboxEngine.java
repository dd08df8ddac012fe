package dev.tinkering.notes.cdc;

import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.apache.kafka.connect.source.SourceRecord;
import org.springframework.stereotype.Component;

@Component
public class NotesOutboxEngine {

    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;
    private Future<?> running;

    @PostConstruct
    void start() {
        engine = DebeziumEngine.create(Connect.class)
                .using(settings())
                .notifying(this::handle)
                .build();
        running = pool.submit(engine);
    }

    private void handle(List<ChangeEvent<SourceRecord, SourceRecord>> batch,
                        RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer) throws InterruptedException {
        committer.markBatchFinished();
    }

    private Properties settings() {
        Properties p = new Properties();
        p.put("name", "notes-outbox");
        p.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        p.put("database.hostname", "localhost");
        p.put("database.dbname", "notes");
        p.put("database.user", "postgres");
        p.put("database.password", "postgres");
        p.put("plugin.name", "pgoutput");
        p.put("topic.prefix", "notes");
        p.put("table.include.list", "public.outbox_record");
        p.put("key.convertor", "org.apache.kafka.connect.storage.StringConverter");
        p.put("key.converter.schema.registry.url", "http://registry:8081");
        p.put("value.converter", "io.debezium.converters.BinaryDataConverter");
        p.put("value.converter.delegate.converter.type", "org.apache.kafka.connect.json.JsonConverter");
        p.put("value.converter.delegate.converter.type.schemas.enable", "false");
        p.put("value.converter.schema.registry.url", "http://registry:8081");
        p.put("transforms", "outbox");
        p.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.put("heartbeat.interval.ms", "1000");
        p.put("heartbeat.action.query", "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)");
        return p;
    }

    @PreDestroy
    void stop() {
        running.cancel(true);
    }
}
