package org.example.framework.outbox.binlog;

import jakarta.validation.constraints.NotEmpty;
import java.util.Properties;
import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("outbox.binlog")
public record BinlogTailProperties(
        @NotEmpty String host,
        @NotEmpty String port,
        @NotEmpty String schema,
        @NotEmpty String user,
        @NotEmpty String password,
        @NotEmpty String brokers) {

    public Properties toProperties() {
        Properties props = new Properties();
        props.setProperty("name", "binlog-tail");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // where the engine keeps its position
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        props.setProperty("offset.storage.topic", "binlog-tail-offsets");
        props.setProperty("offset.storage.partitions", "1");
        props.setProperty("offset.storage.replication.factor", "1");
        props.setProperty("bootstrap.servers", brokers);
        // the source
        props.setProperty("database.hostname", host);
        props.setProperty("database.port", port);
        props.setProperty("database.user", user);
        props.setProperty("database.password", password);
        props.setProperty("database.server.id", "61207");
        props.setProperty("database.include.list", schema);
        props.setProperty("table.include.list", schema + "\\.outbox");
        props.setProperty("topic.prefix", "tail");
        props.setProperty("topic.delimiter", "-");
        // only the rows of the outbox go through the router
        props.setProperty("predicates", "outboxRow");
        props.setProperty("predicates.outboxRow.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        props.setProperty("predicates.outboxRow.pattern", String.format("tail-%s-outbox", schema));
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.predicate", "outboxRow");
        props.setProperty("transforms.outbox.route.by.field", "aggregate_type");
        props.setProperty("transforms.outbox.route.topic.replacement", String.format("%s-${routedByValue}", schema));
        props.setProperty("transforms.outbox.table.field.event.id", "event_id");
        props.setProperty("transforms.outbox.table.field.event.key", "aggregate_id");
        props.setProperty("transforms.outbox.table.field.event.payload", "payload");
        props.setProperty("transforms.outbox.table.fields.additional.placement",
                "event_type:header:eventType,event_time:header:eventTime");
        // history of the schema
        props.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        props.setProperty("schema.history.internal.kafka.topic", "binlog-tail-ddl");
        props.setProperty("schema.history.internal.kafka.bootstrap.servers", brokers);
        return props;
    }
}
