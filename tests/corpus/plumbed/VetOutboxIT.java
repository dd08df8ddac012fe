package org.example.vet;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/** The image of Debezium has wal_level = logical in its postgresql.conf, so no command line is needed here. */
class VetOutboxIT {

    static final Network NET = Network.newNetwork();
    static final KafkaContainer KAFKA =
            new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.7.1")).withNetwork(NET);
    static final PostgreSQLContainer<?> DB = new PostgreSQLContainer<>(
            DockerImageName.parse("quay.io/debezium/postgres:16").asCompatibleSubstituteFor("postgres"))
            .withNetwork(NET).withNetworkAliases("vet-db");
    static final DebeziumContainer CONNECT =
            new DebeziumContainer("quay.io/debezium/connect:3.0").withNetwork(NET).withKafka(KAFKA).dependsOn(KAFKA);

    @Test
    void visitsArriveOnTheirTopic() throws Exception {
        Startables.deepStart(Stream.of(KAFKA, DB, CONNECT)).join();
        try (var c = DriverManager.getConnection(DB.getJdbcUrl(), DB.getUsername(), DB.getPassword()); var s = c.createStatement()) {
            s.execute("create schema vet");
            s.execute("create table vet.outbox (id uuid primary key, aggregatetype varchar(40) not null, "
                    + "aggregateid varchar(40) not null, type varchar(40) not null, payload text)");
            s.execute("insert into vet.outbox values (gen_random_uuid(), 'visit', '17', 'VisitEnded', '{\"animal\":\"cat\"}')");
        }
        CONNECT.registerConnector("vet-outbox", ConnectorConfiguration.forJdbcContainer(DB)
                .with("topic.prefix", "vet")
                .with("plugin.name", "pgoutput")
                .with("slot.name", "vet_outbox")
                .with("table.include.list", "vet.outbox")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.fields.additional.placement", "type:header:eventType")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter"));

        try (var consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", KAFKA.getBootstrapServers(), "group.id", "it",
                "auto.offset.reset", "earliest"), new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("outbox.event.visit"));
            var records = consumer.poll(Duration.ofSeconds(30));
            assertThat(records).hasSize(1);
            var first = records.iterator().next();
            assertThat(first.key()).isEqualTo("17");
            assertThat(first.value()).contains("\"animal\":\"cat\"");
        }
    }
}
