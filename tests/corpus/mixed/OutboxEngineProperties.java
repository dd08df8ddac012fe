package io.metrolink.platform.outbox.engine;

import jakarta.validation.constraints.NotEmpty;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.util.Properties;

@ConfigurationProperties("outbox.engine")
public class OutboxEngineProperties {
    @NotEmpty
    private String databaseHostname;
    @NotEmpty
    private String databasePort;
    @NotEmpty
    private String schemaName;
    @NotEmpty
    private String databaseUsername;
    @NotEmpty
    private String databasePassword;
    @NotEmpty
    private String bootstrapServers;

    // getters and setters left out

    public Properties toProperties() {
        Properties props = new Properties();
        props.setProperty("name", "outbox-mysql");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // where the offsets are kept
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        props.setProperty("offset.storage.topic", "outbox-engine-offsets");
        props.setProperty("offset.storage.partitions", "1");
        props.setProperty("offset.storage.replication.factor", "1");
        // engine
        props.setProperty("bootstrap.servers", bootstrapServers);
        // connector
        props.setProperty("database.hostname", databaseHostname);
        props.setProperty("database.port", databasePort);
        props.setProperty("database.user", databaseUsername);
        props.setProperty("database.password", databasePassword);
        props.setProperty("database.server.id", "74210");
        props.setProperty("database.include.list", schemaName);
        props.setProperty("table.include.list", schemaName + "\\.outbox");
        props.setProperty("topic.prefix", "mysql");
        props.setProperty("topic.delimiter", "-");
        // predicates
        props.setProperty("predicates", "isOutboxEvent");
        props.setProperty("predicates.isOutboxEvent.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        props.setProperty("predicates.isOutboxEvent.pattern", String.format("mysql-%s-outbox", schemaName));
        // transforms
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.route.by.field", "aggregate_type");
        props.setProperty("transforms.outbox.route.topic.replacement", String.format("%s-${routedByValue}", schemaName));
        props.setProperty("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType,event_time:header:eventTime");
        props.setProperty("transforms.outbox.table.field.event.id", "event_id");
        props.setProperty("transforms.outbox.table.field.event.key", "aggregate_id");
        props.setProperty("transforms.outbox.table.field.event.payload", "payload");
        props.setProperty("transforms.outbox.predicate", "isOutboxEvent");
        // schema history
        props.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        props.setProperty("schema.history.internal.kafka.topic", "outbox-engine-schema-history");
        props.setProperty("schema.history.internal.kafka.bootstrap.servers", bootstrapServers);
        return props;
    }
}
