package org.example.relay.autoconfigure;

import jakarta.validation.constraints.NotEmpty;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.util.Properties;

@ConfigurationProperties("relay.outbox")
public class OutboxEngineProperties {
    @NotEmpty
    private String host;
    @NotEmpty
    private String port;
    @NotEmpty
    private String schema;
    @NotEmpty
    private String user;
    @NotEmpty
    private String secret;
    @NotEmpty
    private String brokers;

    public void setHost(String host) { this.host = host; }

    public void setPort(String port) { this.port = port; }

    public void setSchema(String schema) { this.schema = schema; }

    public void setUser(String user) { this.user = user; }

    public void setSecret(String secret) { this.secret = secret; }

    public void setBrokers(String brokers) { this.brokers = brokers; }

    public Properties engineProperties() {
        Properties p = new Properties();
        p.setProperty("name", "relay-mysql");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // offsets live in Kafka
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        p.setProperty("offset.storage.topic", "relay-offsets");
        p.setProperty("offset.storage.partitions", "1");
        p.setProperty("offset.storage.replication.factor", "1");
        p.setProperty("bootstrap.servers", brokers);
        // source
        p.setProperty("database.hostname", host);
        p.setProperty("database.port", port);
        p.setProperty("database.user", user);
        p.setProperty("database.password", secret);
        p.setProperty("database.server.id", "90417");
        p.setProperty("database.include.list", schema);
        p.setProperty("table.include.list", schema + "\\.outbox");
        p.setProperty("topic.prefix", "mysql");
        p.setProperty("topic.delimiter", "-");
        // only the outbox table may reach the router
        p.setProperty("predicates", "fromOutbox");
        p.setProperty("predicates.fromOutbox.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        p.setProperty("predicates.fromOutbox.pattern", String.format("mysql-%s-outbox", schema));
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.predicate", "fromOutbox");
        p.setProperty("transforms.outbox.route.by.field", "aggregate_type");
        p.setProperty("transforms.outbox.route.topic.replacement", String.format("%s-${routedByValue}", schema));
        p.setProperty("transforms.outbox.table.field.event.id", "event_id");
        p.setProperty("transforms.outbox.table.field.event.key", "aggregate_id");
        p.setProperty("transforms.outbox.table.field.event.payload", "payload");
        p.setProperty("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType,event_time:header:eventTime");
        // schema history
        p.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        p.setProperty("schema.history.internal.kafka.topic", "relay-schema-history");
        p.setProperty("schema.history.internal.kafka.bootstrap.servers", brokers);
        return p;
    }
}
