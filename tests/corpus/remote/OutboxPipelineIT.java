package org.sample.meter.collector;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * From the row to the message, with a real database, a real broker and a real connector.
 * The settings are those of meter-outbox.json.
 */
@Testcontainers
class OutboxPipelineIT {

    // the containers see each other by name in here
    private static final Network NET = Network.newNetwork();

    @Container
    private static final KafkaContainer BROKER =
            new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.6.1"))
                    .withNetwork(NET);

    @Container
    private static final PostgreSQLContainer<?> DB =
            new PostgreSQLContainer<>(
                    DockerImageName.parse("debezium/postgres:16")
                            .asCompatibleSubstituteFor("postgres"))
                    .withNetwork(NET)
                    .withNetworkAliases("db")
                    .withDatabaseName("meter")
                    .withUsername("meter")
                    .withPassword("meter");

    @Container
    private static final DebeziumContainer CONNECT =
            new DebeziumContainer(DockerImageName.parse("quay.io/debezium/connect:2.7"))
                    .withNetwork(NET)
                    .withKafka(BROKER)
                    .dependsOn(BROKER, DB);

    @Test
    void rowArrivesOnTheReadingsTopic() throws Exception {
        createTableWithOneRow();
        CONNECT.registerConnector("meter-outbox-it", settings());

        try (Consumer<String, String> consumer = consumer()) {
            consumer.subscribe(List.of("meter.events.readings"));
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(500));
                assertThat(records.records("meter.events.readings"))
                        .anySatisfy(record -> assertThat(record.value()).contains("it-mark"));
            });
        }
    }

    // no migrations run here, so the table is made by hand
    private void createTableWithOneRow() throws Exception {
        try (Connection connection = DB.createConnection("");
             Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS outbox_record (
                        id             UUID PRIMARY KEY,
                        aggregate_type VARCHAR(255) NOT NULL,
                        aggregate_id   VARCHAR(255) NOT NULL,
                        type           VARCHAR(255) NOT NULL,
                        payload        JSONB        NOT NULL,
                        created_at     TIMESTAMPTZ  NOT NULL DEFAULT now()
                    )""");
            statement.execute("""
                    INSERT INTO outbox_record (id, aggregate_type, aggregate_id, type, payload)
                    VALUES ('%s', 'readings', 'meter-7', 'ReadingTaken',
                            '{"source":"it-mark"}'::jsonb)""".formatted(UUID.randomUUID()));
        }
    }

    // the row is older than the connector, hence the snapshot
    private ConnectorConfiguration settings() {
        return ConnectorConfiguration.forJdbcContainer(DB)
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("topic.prefix", "meter")
                .with("plugin.name", "pgoutput")
                .with("slot.name", "meter_outbox_it_slot")
                .with("publication.name", "meter_outbox_it_pub")
                .with("publication.autocreate.mode", "filtered")
                .with("table.include.list", "public.outbox_record")
                .with("snapshot.mode", "initial")
                .with("tombstones.on.delete", "false")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.schemas.enable", "false")
                // aggregate_type decides about the topic
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.field.event.id", "id")
                .with("transforms.outbox.table.field.event.key", "aggregate_id")
                .with("transforms.outbox.table.field.event.type", "type")
                .with("transforms.outbox.table.field.event.timestamp", "created_at")
                .with("transforms.outbox.table.field.event.payload", "payload")
                .with("transforms.outbox.table.expand.json.payload", "true")
                .with("transforms.outbox.route.by.field", "aggregate_type")
                .with("transforms.outbox.route.topic.replacement", "meter.events.${routedByValue}");
    }

    private Consumer<String, String> consumer() {
        Properties props = new Properties();
        props.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, BROKER.getBootstrapServers());
        props.put(ConsumerConfig.GROUP_ID_CONFIG, "it-reader");
        props.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        props.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class.getName());
        props.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class.getName());
        return new KafkaConsumer<>(props);
    }
}
