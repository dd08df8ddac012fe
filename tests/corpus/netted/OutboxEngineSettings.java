package org.example.framework.autoconfigure.outbox;

import jakarta.validation.constraints.NotEmpty;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.util.Properties;

@ConfigurationProperties("outbox.engine")
public record OutboxEngineSettings(
        @NotEmpty String databaseHostname,
        @NotEmpty String databasePort,
        @NotEmpty String schemaName,
        @NotEmpty String databaseUsername,
        @NotEmpty String databasePassword,
        @NotEmpty String bootstrapServers) {

    public Properties toProperties() {
        Properties props = new Properties();
        props.setProperty("name", "outbox-mysql");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // offsets in Kafka
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        props.setProperty("offset.storage.topic", "outbox-engine-offsets");
        props.setProperty("offset.storage.partitions", "1");
        props.setProperty("offset.storage.replication.factor", "1");
        props.setProperty("bootstrap.servers", bootstrapServers);
        // source
        props.setProperty("database.hostname", databaseHostname);
        props.setProperty("database.port", databasePort);
        props.setProperty("database.user", databaseUsername);
        props.setProperty("database.password", databasePassword);
        props.setProperty("database.server.id", "96855");
        props.setProperty("database.include.list", schemaName);
        props.setProperty("table.include.list", schemaName + "\\.outbox");
        props.setProperty("topic.prefix", "mysql");
        props.setProperty("topic.delimiter", "-");
        // only rows of the outbox go through the router
        props.setProperty("predicates", "isOutboxRow");
        props.setProperty("predicates.isOutboxRow.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        props.setProperty("predicates.isOutboxRow.pattern", String.format("mysql-%s-outbox", schemaName));
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.route.by.field", "aggregate_type");
        props.setProperty("transforms.outbox.route.topic.replacement", String.format("%s-${routedByValue}", schemaName));
        props.setProperty("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType,event_time:header:eventTime");
        props.setProperty("transforms.outbox.table.field.event.id", "event_id");
        props.setProperty("transforms.outbox.table.field.event.key", "aggregate_id");
        props.setProperty("transforms.outbox.table.field.event.payload", "payload");
        props.setProperty("transforms.outbox.predicate", "isOutboxRow");
        // table history
        props.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        props.setProperty("schema.history.internal.kafka.topic", "outbox-engine-ddl");
        props.setProperty("schema.history.internal.kafka.bootstrap.servers", bootstrapServers);
        return props;
    }
}
