package org.example.tidepool.outbox;

import jakarta.validation.constraints.NotEmpty;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.util.Properties;

/** Settings of the embedded relay; one relay per schema. */
@ConfigurationProperties("tidepool.relay")
public class EngineSettings {
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

    // getters and setters are left to Lombok in the real class

    public Properties asProperties() {
        Properties p = new Properties();
        p.setProperty("name", "tidepool-mysql");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // where the position is kept
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        p.setProperty("offset.storage.topic", "tidepool-relay-offsets");
        p.setProperty("offset.storage.partitions", "1");
        p.setProperty("offset.storage.replication.factor", "1");
        p.setProperty("bootstrap.servers", brokers);
        // the source
        p.setProperty("database.hostname", host);
        p.setProperty("database.port", port);
        p.setProperty("database.user", username);
        p.setProperty("database.password", password);
        p.setProperty("database.server.id", "61207");
        p.setProperty("database.include.list", schema);
        p.setProperty("table.include.list", schema + "\\.event_out");
        p.setProperty("topic.prefix", "binlog");
        p.setProperty("topic.delimiter", "-");
        // only rows of the outbox go through the router
        p.setProperty("predicates", "fromOutbox");
        p.setProperty("predicates.fromOutbox.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        p.setProperty("predicates.fromOutbox.pattern", String.format("binlog-%s-event_out", schema));
        p.setProperty("transforms", "route");
        p.setProperty("transforms.route.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.route.predicate", "fromOutbox");
        p.setProperty("transforms.route.route.by.field", "entity");
        p.setProperty("transforms.route.route.topic.replacement", String.format("%s-${routedByValue}", schema));
        p.setProperty("transforms.route.table.fields.additional.placement", "kind:header:eventKind,at:header:eventAt");
        p.setProperty("transforms.route.table.field.event.id", "event_id");
        p.setProperty("transforms.route.table.field.event.key", "entity_id");
        p.setProperty("transforms.route.table.field.event.payload", "body");
        // DDL
        p.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        p.setProperty("schema.history.internal.kafka.topic", "tidepool-ddl");
        p.setProperty("schema.history.internal.kafka.bootstrap.servers", brokers);
        return p;
    }
}
