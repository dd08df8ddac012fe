package com.acme.trading.outbox;

import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Writes events to trading.outbox; Debezium publishes them. */
@Repository
public class OutboxPublisherConfig {

    static final Map<String, String> CONNECTOR = Map.ofEntries(
            Map.entry("connector.class", "io.debezium.connector.postgresql.PostgresConnector"),
            Map.entry("tasks.max", "1"),
            Map.entry("database.hostname", "trading-db"),
            Map.entry("database.port", "5432"),
            Map.entry("database.user", "debezium"),
            Map.entry("database.password", "${env:TRADING_DB_PASSWORD}"),
            Map.entry("database.dbname", "trading"),
            Map.entry("topic.prefix", "trading"),
            Map.entry("plugin.name", "pgoutput"),
            Map.entry("slot.name", "trading_outbox"),
            Map.entry("slot.drop.on.stop", "true"),
            Map.entry("publication.autocreate.mode", "filtered"),
            Map.entry("table.include.list", "trading.outbox"),
            Map.entry("transforms", "outbox"),
            Map.entry("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter"),
            Map.entry("transforms.outbox.table.op.invalid.behavior", "fatal"),
            Map.entry("transforms.outbox.route.topic.replacement", "trading.${routedByValue}"),
            Map.entry("key.converter", "org.apache.kafka.connect.storage.StringConverter"),
            Map.entry("value.converter", "org.apache.kafka.connect.storage.StringConverter"));

    private final JdbcClient jdbc;

    OutboxPublisherConfig(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    public void append(String aggregateType, String aggregateId, String type, String json) {
        jdbc.sql("""
                INSERT INTO trading.outbox (id, aggregatetype, aggregateid, type, payload, acknowledged)
                VALUES (?, ?, ?, ?, ?::jsonb, false)
                """).params(UUID.randomUUID(), aggregateType, aggregateId, type, json).update();
    }

    /** Called by the consumer of the acknowledgement topic; rows are kept for the audit. */
    @Transactional
    public void acknowledge(UUID id) {
        jdbc.sql("UPDATE trading.outbox SET acknowledged = true WHERE id = ?").params(id).update();
    }
}
