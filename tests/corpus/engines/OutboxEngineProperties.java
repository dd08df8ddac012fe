package org.example.platform.autoconfigure.outbox;

import java.util.Properties;

import jakarta.validation.constraints.NotEmpty;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Settings of the embedded engine; every service of the platform gets this from the starter. */
@ConfigurationProperties("platform.outbox")
public class OutboxEngineProperties {

    @NotEmpty
    private String host;
    @NotEmpty
    private String port;
    @NotEmpty
    private String schema;
    @NotEmpty
    private String username;
    @NotEmpty
    private String password;
    @NotEmpty
    private String brokers;

    public void setHost(String host) {
        this.host = host;
    }

    public void setPort(String port) {
        this.port = port;
    }

    public void setSchema(String schema) {
        this.schema = schema;
    }

    public void setUsername(String username) {
        this.username = username;
    }

    public void setPassword(String password) {
        this.password = password;
    }

    public void setBrokers(String brokers) {
        this.brokers = brokers;
    }

    public Properties toProperties() {
        Properties props = new Properties();
        props.setProperty("name", "outbox-mysql");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // offsets
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        props.setProperty("offset.storage.topic", "outbox-mysql-offsets");
        props.setProperty("offset.storage.partitions", "1");
        props.setProperty("offset.storage.replication.factor", "1");
        props.setProperty("bootstrap.servers", brokers);
        // connector
        props.setProperty("database.hostname", host);
        props.setProperty("database.port", port);
        props.setProperty("database.user", username);
        props.setProperty("database.password", password);
        props.setProperty("database.server.id", "90210");
        props.setProperty("database.include.list", schema);
        props.setProperty("table.include.list", schema + "\\.outbox");
        props.setProperty("topic.prefix", "mysql");
        props.setProperty("topic.delimiter", "-");
        // only rows of the outbox
        props.setProperty("predicates", "outboxRow");
        props.setProperty("predicates.outboxRow.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        props.setProperty("predicates.outboxRow.pattern", String.format("mysql-%s-outbox", schema));
        // router
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.predicate", "outboxRow");
        props.setProperty("transforms.outbox.route.by.field", "aggregate_type");
        props.setProperty("transforms.outbox.route.topic.replacement", String.format("%s-${routedByValue}", schema));
        props.setProperty("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType,event_time:header:eventTime");
        props.setProperty("transforms.outbox.table.field.event.id", "event_id");
        props.setProperty("transforms.outbox.table.field.event.key", "aggregate_id");
        props.setProperty("transforms.outbox.table.field.event.payload", "payload");
        // history
        props.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        props.setProperty("schema.history.internal.kafka.topic", "outbox-mysql-history");
        props.setProperty("schema.history.internal.kafka.bootstrap.servers", brokers);
        return props;
    }
}
