package org.example.forum.relay;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.KeyValueHeaderChangeEventFormat;
import io.debezium.engine.format.Json;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Relays the forum's outbox to the bus. One replica; restarted on each deployment. */
public class ForumRelay {

    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    static Properties config(RelaySettings settings) {
        Properties props = new Properties();
        props.setProperty("name", "forum-relay");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // stateless container: nothing to keep on disk
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        props.setProperty("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory");
        props.setProperty("snapshot.mode", "no_data");
        props.setProperty("database.hostname", settings.host());
        props.setProperty("database.port", "3306");
        props.setProperty("database.user", settings.user());
        props.setProperty("database.password", settings.password());
        props.setProperty("database.server.id", "33127");
        props.setProperty("topic.prefix", "forum");
        props.setProperty("database.include.list", "forum");
        props.setProperty("table.include.list", "forum.outbox");
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.table.expand.json.payload", "true");
        props.setProperty("transforms.outbox.table.fields.additional.placement", "type:header:eventType");
        props.setProperty("transforms.outbox.route.topic.replacement", "forum.${routedByValue}");
        props.setProperty("value.converter.schemas.enable", "false");
        props.setProperty("header.converter.schemas.enable", "false");
        return props;
    }

    void start(RelaySettings settings, Bus bus) {
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine
                .create(KeyValueHeaderChangeEventFormat.of(Json.class, Json.class, Json.class))
                .using(config(settings))
                .notifying(event -> bus.publish(event.destination(), event.key(), event.value(), event.headers()))
                .build();
        executor.execute(engine);
    }
}
