package org.example.ledger.relay;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.connect.source.SourceRecord;

/** Reads the outbox table from the log (engine 3.6.3.Final, in this JVM) and forwards each row to Kafka. */
public class LedgerTail {

    public static final String SLOT = "ledger_tail";

    private final Db db;
    private final KafkaProducer<String, String> producer;
    private final Path offsets;
    private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;

    public LedgerTail(Db db, KafkaProducer<String, String> producer, Path offsets) {
        this.db = db;
        this.producer = producer;
        this.offsets = offsets;
    }

    private Properties settings() {
        Properties p = new Properties();
        p.setProperty("name", "ledger-tail");
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", offsets.toString());
        p.setProperty("offset.flush.interval.ms", "0");
        p.setProperty("database.hostname", db.host());
        p.setProperty("database.port", Integer.toString(db.port()));
        p.setProperty("database.user", db.user());
        p.setProperty("database.password", db.password());
        p.setProperty("database.dbname", db.name());
        p.setProperty("topic.prefix", "ledger");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", SLOT);
        p.setProperty("publication.name", "ledger_tail");
        p.setProperty("publication.autocreate.mode", "filtered");
        p.setProperty("table.include.list", "public.outbox");
        // the rows that are already there were sent by the old job
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("tombstones.on.delete", "false");
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.route.topic.replacement", Topics.POSTINGS);
        p.setProperty("transforms.outbox.table.fields.additional.placement", "type:header:eventType");
        return p;
    }

    public void start() {
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(settings())
                .notifying(this::handle)
                .build();
        Executors.newSingleThreadExecutor().execute(engine);
    }

    private void handle(List<RecordChangeEvent<SourceRecord>> batch,
                        DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer) throws InterruptedException {
        for (RecordChangeEvent<SourceRecord> e : batch) {
            SourceRecord r = e.record();
            if (r.value() != null) {
                send(r);   // first the broker, then the position: at least once
            }
            committer.markProcessed(e);
        }
        committer.markBatchFinished();
    }

    private void send(SourceRecord r) {
        try {
            producer.send(new ProducerRecord<>(r.topic(), String.valueOf(r.key()), r.value().toString())).get(20, TimeUnit.SECONDS);
        } catch (Exception ex) {
            throw new IllegalStateException("the broker did not take a posting", ex);
        }
    }
}
