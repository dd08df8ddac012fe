package org.example.postal;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

@Testcontainers
class OutboxRelayIT {

    @Container
    static final PostgreSQLContainer<?> PG = new PostgreSQLContainer<>("postgres:17-alpine")
            .withInitScript("outbox.sql")
            .withCommand("postgres", "-c", "wal_level=logical");

    @Test
    void aCommittedEventIsRouted() throws Exception {
        var events = new LinkedBlockingQueue<ChangeEvent<String, String>>();
        var p = new Properties();
        p.setProperty("name", "outbox-it");
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        // every test run begins with a new container, nothing is to be kept
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        p.setProperty("slot.drop.on.stop", "true");
        p.setProperty("database.hostname", PG.getHost());
        p.setProperty("database.port", String.valueOf(PG.getFirstMappedPort()));
        p.setProperty("database.user", PG.getUsername());
        p.setProperty("database.password", PG.getPassword());
        p.setProperty("database.dbname", PG.getDatabaseName());
        p.setProperty("topic.prefix", "it");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("table.include.list", "public.outbox");
        p.setProperty("transforms", "outbox");
        p.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        p.setProperty("transforms.outbox.route.topic.replacement", "postal.${routedByValue}");

        try (var engine = DebeziumEngine.create(Json.class).using(p).notifying(events::add).build()) {
            Executors.newSingleThreadExecutor().execute(engine);
            Outbox.insert(PG, "parcel", "P-1", "{\"state\":\"SORTED\"}");
            var event = events.poll(30, TimeUnit.SECONDS);
            assertThat(event.destination()).isEqualTo("postal.parcel");
        }
    }
}
