package cn.lianhua.outbox;

import org.springframework.boot.context.properties.ConfigurationProperties;

import java.util.Properties;

@ConfigurationProperties("lianhua.outbox")
public record OutboxEngineProperties(String host, String port, String schema, String username,
                                     String password, String brokers) {

    public Properties toProperties() {
        Properties p = new Properties();
        p.setProperty("name", "outbox-mysql");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // offsets
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore");
        p.setProperty("offset.storage.topic", "mysql-outbox-offsets");
        p.setProperty("offset.storage.partitions", "1");
        p.setProperty("offset.storage.replication.factor", "1");
        p.setProperty("bootstrap.servers", brokers);
        // source
        p.setProperty("database.hostname", host);
        p.setProperty("database.port", port);
        p.setProperty("database.user", username);
        p.setProperty("database.password", password);
        p.setProperty("database.server.id", "61207");
        p.setProperty("database.include.list", schema);
        p.setProperty("table.include.list", schema + "\\.outbox");
        p.setProperty("topic.prefix", "src");
        p.setProperty("topic.delimiter", "-");
        // only outbox rows go through the router
        p.setProperty("predicates", "isOutboxRow");
        p.setProperty("predicates.isOutboxRow.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        p.setProperty("predicates.isOutboxRow.pattern", String.format("src-%s-outbox", schema));
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.route.by.field", "aggregate_type");
        p.setProperty("transforms.outbox.route.topic.replacement", String.format("%s-${routedByValue}", schema));
        p.setProperty("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType,event_time:header:eventTime");
        p.setProperty("transforms.outbox.table.field.event.id", "event_id");
        p.setProperty("transforms.outbox.table.field.event.key", "aggregate_id");
        p.setProperty("transforms.outbox.table.field.event.payload", "payload");
        p.setProperty("transforms.outbox.predicate", "isOutboxRow");
        // history
        p.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        p.setProperty("schema.history.internal.kafka.topic", "src-schema-history");
        p.setProperty("schema.history.internal.kafka.bootstrap.servers", brokers);
        return p;
    }
}
