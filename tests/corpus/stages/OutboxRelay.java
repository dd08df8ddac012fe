package com.brightparcel.relay;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Relays outbox rows to SQS FIFO. The events of one aggregate must arrive in the order of their inserts. */
public class OutboxRelay {

    private final SqsFifoPublisher publisher = new SqsFifoPublisher(System.getenv("QUEUE_URL"));

    public static void main(String[] args) {
        new OutboxRelay().run();
    }

    void run() {
        Properties props = new Properties();
        props.setProperty("name", "outbox-relay");
        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        props.setProperty("offset.storage.file.filename", "/var/lib/relay/offsets.dat");
        props.setProperty("offset.flush.interval.ms", "1000");
        props.setProperty("database.hostname", System.getenv("DB_HOST"));
        props.setProperty("database.port", "5432");
        props.setProperty("database.user", System.getenv("DB_USER"));
        props.setProperty("database.password", System.getenv("DB_PASSWORD"));
        props.setProperty("database.dbname", "parcels");
        props.setProperty("plugin.name", "pgoutput");
        props.setProperty("slot.name", "outbox_relay");
        props.setProperty("publication.autocreate.mode", "filtered");
        props.setProperty("topic.prefix", "relay");
        props.setProperty("table.include.list", "public.outbox");
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("record.processing.threads", "4");
        props.setProperty("record.processing.order", "UNORDERED");

        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(props)
                .notifying(event -> publisher.send(event.destination(), event.key(), event.value()))
                .build();

        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.execute(engine);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                engine.close();
            }
            catch (Exception e) {
                e.printStackTrace();
            }
        }));
    }
}
