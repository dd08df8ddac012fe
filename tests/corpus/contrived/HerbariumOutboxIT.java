package org.example.herbarium;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.kafka.ConfluentKafkaContainer;
import org.testcontainers.utility.DockerImageName;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;

class HerbariumOutboxIT {

    static Network network = Network.newNetwork();
    static PostgreSQLContainer<?> postgres = new PostgreSQLContainer<>(
            DockerImageName.parse("quay.io/debezium/postgres:16").asCompatibleSubstituteFor("postgres"))
            .withNetwork(network).withNetworkAliases("postgres");
    static ConfluentKafkaContainer kafka = new ConfluentKafkaContainer("confluentinc/cp-kafka:7.9.0")
            .withNetwork(network).withListener("kafka:19092");
    static DebeziumContainer connect = new DebeziumContainer("quay.io/debezium/connect:3.6")
            .withNetwork(network).withKafka(network, "kafka:19092").dependsOn(kafka);

    @BeforeAll
    static void register() {
        connect.registerConnector("herbarium", ConnectorConfiguration.forJdbcContainer(postgres)
                .with("topic.prefix", "herbarium")
                .with("plugin.name", "pgoutput")
                .with("slot.name", "herbarium")
                .with("table.include.list", "public.outbox")
                .with("tombstones.on.delete", "false")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.fields.additional.placement", "type:header:eventType")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter"));
        connect.ensureConnectorTaskState("herbarium", 0, io.debezium.testing.testcontainers.Connector.State.RUNNING);
    }

    /** Same as in production: the row is gone again when the transaction commits, the log has it all the same. */
    @Transactional
    void publish(EntityManager em, OutboxRow row) {
        em.persist(row);
        em.flush();
        em.remove(row);
    }

    @Test
    void specimenIsAnnounced() {
        Fixtures.inTransaction(em -> publish(em, OutboxRow.of("specimen", "s-17", "SpecimenMounted", "{\"sheet\":17}")));

        try (KafkaConsumer<String, String> consumer = Fixtures.consumer(kafka.getBootstrapServers())) {
            consumer.subscribe(List.of("outbox.event.specimen"));
            ConsumerRecord<String, String> record = Fixtures.poll(consumer, Duration.ofSeconds(30));
            assertThat(record.key()).isEqualTo("s-17");
            assertThat(record.value()).isEqualTo("{\"sheet\":17}");
        }
    }
}
