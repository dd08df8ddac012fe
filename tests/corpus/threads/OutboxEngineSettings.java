package org.example.starter.outbox;

import jakarta.validation.constraints.NotEmpty;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.util.Properties;

/**
 * Settings of the embedded engine that relays the outbox table; each service that has the starter
 * on its class path gives its own host, schema and account.
 */
@ConfigurationProperties("starter.outbox.engine")
public class OutboxEngineSettings {
    @NotEmpty
    private String host;
    @NotEmpty
    private String port;
    @NotEmpty
    private String schema;
    @NotEmpty
    private String user;
    @NotEmpty
    private String password;
    @NotEmpty
    private String brokers;

    public void setHost(String host) { this.host = host; }
    public void setPort(String port) { this.port = port; }
    public void setSchema(String schema) { this.schema = schema; }
    public void setUser(String user) { this.user = user; }
    public void setPassword(String password) { this.password = password; }
    public void setBrokers(String brokers) { this.brokers = brokers; }

    public Properties asProperties() {
        Properties p = new Properties();
        p.setProperty("name", "outbox-engine");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // engine and offsets
        p.setProperty("bootstrap.servers", brokers);
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        p.setProperty("offset.storage.topic", "outbox-engine-offsets");
        p.setProperty("offset.storage.partitions", "1");
        p.setProperty("offset.storage.replication.factor", "1");
        // source
        p.setProperty("database.hostname", host);
        p.setProperty("database.port", port);
        p.setProperty("database.user", user);
        p.setProperty("database.password", password);
        p.setProperty("database.server.id", "74311");
        p.setProperty("database.include.list", schema);
        p.setProperty("table.include.list", schema + "\\.outbox");
        p.setProperty("topic.prefix", "db");
        p.setProperty("topic.delimiter", "-");
        // history
        p.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        p.setProperty("schema.history.internal.kafka.topic", "outbox-engine-history");
        p.setProperty("schema.history.internal.kafka.bootstrap.servers", brokers);
        // router
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.predicate", "fromOutbox");
        p.setProperty("transforms.outbox.route.by.field", "aggregate_type");
        p.setProperty("transforms.outbox.route.topic.replacement", String.format("%s-${routedByValue}", schema));
        p.setProperty("transforms.outbox.table.field.event.id", "event_id");
        p.setProperty("transforms.outbox.table.field.event.key", "aggregate_id");
        p.setProperty("transforms.outbox.table.field.event.payload", "payload");
        p.setProperty("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType,event_time:header:eventTime");
        p.setProperty("predicates", "fromOutbox");
        p.setProperty("predicates.fromOutbox.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        p.setProperty("predicates.fromOutbox.pattern", String.format("db-%s-outbox", schema));
        return p;
    }
}
