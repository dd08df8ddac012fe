package org.example.chat.cdc;

import java.util.Properties;
import org.springframework.stereotype.Component;

/**
 * Engine properties. The service writes one outbox row per domain event and the relay
 * publishes each of them once; rows are deleted by a nightly job.
 */
@Component
public class InsertOnlyProperties {

    private final Properties props = new Properties();

    public InsertOnlyProperties(VaultCredentials vault, ServerIds ids) {
        props.setProperty("name", "engine");
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        props.setProperty("offset.storage.topic", "cdc-offsets.chat");
        props.setProperty("offset.storage.partitions", "3");
        props.setProperty("offset.storage.replication.factor", "1");
        props.setProperty("bootstrap.servers", "localhost:5093");
        props.setProperty("offset.flush.interval.ms", "60000");

        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        props.setProperty("database.hostname", "localhost");
        props.setProperty("database.port", "5442");
        props.setProperty("database.user", vault.username());
        props.setProperty("database.password", vault.password());
        props.setProperty("database.dbname", "chat");
        props.setProperty("database.server.id", String.valueOf(ids.own()));
        props.setProperty("plugin.name", "pgoutput");
        // must be there, is used by nobody
        props.setProperty("topic.prefix", "unused");

        props.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        props.setProperty("schema.history.internal.kafka.topic", "cdc-history.chat");
        props.setProperty("schema.history.internal.kafka.bootstrap.servers", "localhost:5093");

        // inserts only
        props.setProperty("transforms", "filter");
        props.setProperty("transforms.filter.type", "io.debezium.transforms.Filter");
        props.setProperty("transforms.filter.language", "jsr223.groovy");
        props.setProperty("transforms.filter.condition", "value.op == 'c'");

        props.setProperty("table.include.list", "public.outbox");
        props.setProperty("include.schema.changes", "false");
        props.setProperty("max.queue.size", "4096");
        props.setProperty("max.batch.size", "1024");
    }

    public Properties get() {
        return props;
    }
}
