package com.acme.notes.relay;

import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;

import org.apache.kafka.connect.source.SourceRecord;

/** Relays the outbox of the notes service to SNS; Debezium 3.1 embedded. */
public final class EmbeddedOutboxRelay implements AutoCloseable {

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;

    public EmbeddedOutboxRelay(SnsPublisher publisher, String offsetDirectory) {
        Properties props = new Properties();
        props.setProperty("name", "notes-outbox");
        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        props.setProperty("offset.storage.file.filename", offsetDirectory + "/offsets.dat");
        props.setProperty("offset.flush.interval.ms", "0");
        props.setProperty("database.hostname", System.getenv("NOTES_DB_HOST"));
        props.setProperty("database.port", "5432");
        props.setProperty("database.user", System.getenv("NOTES_DB_USER"));
        props.setProperty("database.password", System.getenv("NOTES_DB_PASSWORD"));
        props.setProperty("database.dbname", "notes");
        props.setProperty("topic.prefix", "notes");
        props.setProperty("plugin.name", "pgoutput");
        props.setProperty("slot.name", "notes_outbox");
        props.setProperty("publication.autocreate.mode", "filtered");
        props.setProperty("table.include.list", "public.outbox");
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.route.topic.replacement", "notes-${routedByValue}");

        this.engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(props)
                .notifying((records, committer) -> {
                    for (RecordChangeEvent<SourceRecord> event : records) {
                        publisher.publish(event.record()); // blocks until SNS has confirmed
                        committer.markProcessed(event);
                    }
                    committer.markBatchFinished();
                })
                .build();
    }

    public void start() {
        executor.execute(engine);
    }

    @Override
    public void close() throws Exception {
        engine.close();
        executor.shutdown();
    }
}
