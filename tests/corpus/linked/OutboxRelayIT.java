package org.example.rental;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

class OutboxRelayIT {

    static final Network NET = Network.newNetwork();

    static final KafkaContainer KAFKA =
            new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.6.1")).withNetwork(NET);

    static final PostgreSQLContainer<?> PG = new PostgreSQLContainer<>("postgres:16-alpine")
            .withNetwork(NET)
            .withNetworkAliases("rental-db")
            .withDatabaseName("rental")
            .withUsername("rental")
            .withPassword("rental");

    static final DebeziumContainer CONNECT = new DebeziumContainer("debezium/connect:2.7.3.Final")
            .withNetwork(NET)
            .withKafka(KAFKA)
            .dependsOn(KAFKA);

    @BeforeAll
    static void start() throws Exception {
        Startables.deepStart(Stream.of(KAFKA, PG, CONNECT)).join();
        try (Connection c = DriverManager.getConnection(PG.getJdbcUrl(), "rental", "rental")) {
            c.createStatement().execute("""
                    CREATE TABLE public.outbox (
                      id uuid PRIMARY KEY, aggregatetype text, aggregateid text, type text, payload text)
                    """);
        }
        CONNECT.registerConnector("rental-outbox", ConnectorConfiguration.create()
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("database.hostname", "rental-db")
                .with("database.port", "5432")
                .with("database.user", "rental")
                .with("database.password", "rental")
                .with("database.dbname", "rental")
                .with("topic.prefix", "rental")
                .with("plugin.name", "pgoutput")
                .with("table.include.list", "public.outbox")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter"));
    }

    @Test
    void rowBecomesMessage() throws Exception {
        try (Connection c = DriverManager.getConnection(PG.getJdbcUrl(), "rental", "rental")) {
            c.createStatement().executeUpdate("INSERT INTO outbox VALUES ('" + UUID.randomUUID()
                    + "', 'Car', '42', 'CarReturned', '{\"km\": 120}')");
        }
        try (var consumer = new KafkaConsumer<>(Map.<String, Object>of(
                "bootstrap.servers", KAFKA.getBootstrapServers(), "group.id", "it", "auto.offset.reset", "earliest"),
                new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("outbox.event.Car"));
            assertThat(consumer.poll(Duration.ofSeconds(30)).count()).isEqualTo(1);
        }
    }
}
