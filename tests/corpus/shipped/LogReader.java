package com.example.explore.outboxcdc;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Runs Debezium's Postgres connector in this program's own JVM and hands what it reads to Kafka.
 *
 * <p>A message is sent first, and the position is written down second; a crash in between means
 * that the message is sent once more. That is what at least once means here.
 */
public class LogReader implements AutoCloseable {

    /** Postgres's bookmark for this reader. */
    public static final String SLOT = "parcels_outbox";

    /** Debezium 3.6.3.Final. */
    public static final String DEBEZIUM_VERSION = "3.6.3.Final";

    private final ParcelsDatabase database;
    private final KafkaProducer<String, String> producer;
    private final Path offsets;
    private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    private ExecutorService thread;

    public LogReader(ParcelsDatabase database, KafkaProducer<String, String> producer) {
        this.database = database;
        this.producer = producer;
        try {
            this.offsets = Files.createTempDirectory("parcels-debezium-offsets").resolve("offsets.dat");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Properties settings() {
        Properties p = new Properties();
        p.setProperty("name", "parcels-outbox");
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        // How far it has read. Written after every batch.
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", offsets.toString());
        p.setProperty("offset.flush.interval.ms", "0");
        p.setProperty("database.hostname", database.host());
        p.setProperty("database.port", Integer.toString(database.port()));
        p.setProperty("database.user", database.user());
        p.setProperty("database.password", database.password());
        p.setProperty("database.dbname", database.databaseName());
        p.setProperty("topic.prefix", "parcels");
        // The decoder that Postgres brings along.
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", SLOT);
        p.setProperty("publication.name", "parcels_outbox");
        p.setProperty("publication.autocreate.mode", "filtered");
        p.setProperty("table.include.list", "public.outbox");
        // Only what changes from now on; leave alone what the table holds already.
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("tombstones.on.delete", "false");
        // One outbox row in, one event out.
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.route.topic.replacement", Broker.TOPIC);
        p.setProperty("transforms.outbox.table.fields.additional.placement", "type:header:eventType");
        return p;
    }

    public void start() {
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(settings())
                .notifying(this::handleBatch)
                .build();
        thread = Executors.newSingleThreadExecutor();
        thread.execute(engine);
    }

    private void handleBatch(List<RecordChangeEvent<SourceRecord>> records,
                             DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        for (RecordChangeEvent<SourceRecord> event : records) {
            SourceRecord r = event.record();
            if (r.value() != null) {
                try {
                    producer.send(new ProducerRecord<>(r.topic(), r.key().toString(), r.value().toString())).get();
                } catch (Exception e) {
                    throw new IllegalStateException("Kafka did not take an event", e);
                }
            }
            committer.markProcessed(event);
        }
        committer.markBatchFinished();
    }

    @Override
    public void close() throws IOException {
        engine.close();
        thread.shutdown();
        Files.deleteIfExists(offsets);
        Files.deleteIfExists(offsets.getParent());
    }
}
