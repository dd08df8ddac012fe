package org.example.postbox;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

/** Hands the rows of the outbox to the mail gateway. */
public class PostboxRelay implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PostboxRelay.class);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final URI gateway;
    private DebeziumEngine<ChangeEvent<String, String>> engine;

    public PostboxRelay(URI gateway) {
        this.gateway = gateway;
    }

    public void start() {
        Properties props = new Properties();
        props.setProperty("name", "postbox-relay");
        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        props.setProperty("offset.storage.file.filename", "/var/lib/postbox/offsets.dat");
        props.setProperty("offset.flush.interval.ms", "1000");
        props.setProperty("database.hostname", System.getenv("POSTBOX_DB_HOST"));
        props.setProperty("database.port", "5432");
        props.setProperty("database.user", System.getenv("POSTBOX_DB_USER"));
        props.setProperty("database.password", System.getenv("POSTBOX_DB_PASSWORD"));
        props.setProperty("database.dbname", "postbox");
        props.setProperty("topic.prefix", "postbox");
        props.setProperty("plugin.name", "pgoutput");
        props.setProperty("slot.name", "postbox_relay");
        props.setProperty("publication.autocreate.mode", "filtered");
        props.setProperty("table.include.list", "public.outbox");
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.table.expand.json.payload", "true");
        props.setProperty("value.converter.schemas.enable", "false");

        engine = DebeziumEngine.create(Json.class)
                .using(props)
                .notifying(this::deliver)
                .build();
        executor.execute(engine);
    }

    private void deliver(ChangeEvent<String, String> event) {
        if (event.value() == null) {
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(gateway)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(event.value()))
                .build();
        try {
            HttpResponse<Void> response = http.send(request, HttpResponse.BodyHandlers.discarding());
            if (response.statusCode() >= 300) {
                LOG.warn("gateway answered {} for {}", response.statusCode(), event.destination());
            }
        }
        catch (Exception e) {
            LOG.warn("gateway not reachable, event of {} not delivered", event.destination(), e);
        }
    }

    @Override
    public void close() throws Exception {
        engine.close();
        executor.shutdown();
    }
}
