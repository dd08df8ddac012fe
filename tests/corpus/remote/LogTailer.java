package org.sample.outboxlab;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Reads the outbox of the parcels database with Debezium's engine inside this JVM and passes
 * every message on to Kafka. The position is written down only after Kafka has taken the
 * message, hence a message may be sent twice after a crash but is never left out.
 */
public class LogTailer implements AutoCloseable {

    /** Name of the replication slot. */
    public static final String SLOT = "parcels_outbox";

    /** Debezium 3.6.3.Final. */
    public static final String DEBEZIUM_VERSION = "3.6.3.Final";

    private final ParcelsDatabase database;
    private final KafkaProducer<String, String> producer;
    private final Path offsets;
    private volatile boolean finished = true;
    private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    private ExecutorService thread;

    public LogTailer(ParcelsDatabase database, Cluster cluster) {
        this.database = database;
        Properties p = new Properties();
        p.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.address());
        p.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName());
        p.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName());
        this.producer = new KafkaProducer<>(p);
        try {
            this.offsets = Files.createTempDirectory("outboxlab-offsets").resolve("offsets.dat");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Properties settings() {
        Properties p = new Properties();
        p.setProperty("name", "parcels-outbox");
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        // the position in the log, saved with each batch
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", offsets.toString());
        p.setProperty("offset.flush.interval.ms", "0");
        p.setProperty("database.hostname", database.host());
        p.setProperty("database.port", Integer.toString(database.port()));
        p.setProperty("database.user", database.user());
        p.setProperty("database.password", database.password());
        p.setProperty("database.dbname", database.databaseName());
        p.setProperty("topic.prefix", "depot");
        // comes with Postgres
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", SLOT);
        p.setProperty("publication.name", "parcels_outbox");
        p.setProperty("publication.autocreate.mode", "filtered");
        p.setProperty("table.include.list", "public.outbox");
        // only what happens from now on
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("tombstones.on.delete", "false");
        // a row becomes a message
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.route.topic.replacement", Cluster.TOPIC);
        p.setProperty("transforms.outbox.table.fields.additional.placement", "type:header:eventType");
        return p;
    }

    /** Returns as soon as the slot is in use. */
    public void start() {
        finished = false;
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(settings())
                .using((success, message, error) -> finished = true)
                .notifying(this::handle)
                .build();
        thread = Executors.newSingleThreadExecutor();
        thread.execute(engine);
        Wait.until(() -> database.slotActive(SLOT));
    }

    private void handle(List<RecordChangeEvent<SourceRecord>> records,
                        DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        for (RecordChangeEvent<SourceRecord> event : records) {
            SourceRecord r = event.record();
            if (r.value() != null) {
                send(r);
            }
            committer.markProcessed(event);
        }
        committer.markBatchFinished();
    }

    private void send(SourceRecord r) {
        ProducerRecord<String, String> record =
                new ProducerRecord<>(r.topic(), r.key() == null ? null : r.key().toString(), r.value().toString());
        for (Header h : r.headers()) {
            record.headers().add(h.key(), String.valueOf(h.value()).getBytes(StandardCharsets.UTF_8));
        }
        try {
            producer.send(record).get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("Kafka refused a message", e);
        }
    }

    @Override
    public void close() {
        try {
            if (engine != null && !finished) {
                engine.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        producer.close();
    }
}
