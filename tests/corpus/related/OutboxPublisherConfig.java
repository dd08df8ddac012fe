package org.example.outbox;

import java.util.Map;
import java.util.Properties;

/** Settings of the engine that hands outbox rows to AMQP; see publisher/README for the table. */
final class OutboxPublisherConfig {

    private OutboxPublisherConfig() {
    }

    static Properties engineProperties(Map<String, String> env) {
        Properties p = new Properties();
        p.setProperty("name", "outbox-publisher");
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", env.getOrDefault("OFFSET_FILE", "/state/offsets"));
        p.setProperty("offset.flush.interval.ms", "0");
        p.setProperty("database.hostname", env.get("DB_HOST"));
        p.setProperty("database.port", env.getOrDefault("DB_PORT", "5432"));
        p.setProperty("database.user", env.get("DB_USER"));
        p.setProperty("database.password", env.get("DB_PASSWORD"));
        p.setProperty("database.dbname", env.get("DB_NAME"));
        p.setProperty("topic.prefix", "publisher");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", "outbox_publisher");
        p.setProperty("publication.autocreate.mode", "filtered");
        p.setProperty("table.include.list", "public.outbox");
        p.setProperty("snapshot.mode", "initial");
        p.setProperty("skipped.operations", "u,d,t");
        p.setProperty("tombstones.on.delete", "false");
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        // the key becomes the AMQP message id; one queue, so order does not depend on it
        p.setProperty("transforms.outbox.table.field.event.key", "id");
        p.setProperty("transforms.outbox.table.field.event.payload", "payload");
        p.setProperty("transforms.outbox.route.by.field", "routing_key");
        p.setProperty("transforms.outbox.route.topic.replacement", "${routedByValue}");
        return p;
    }
}
