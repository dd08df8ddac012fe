package org.example.accounts.e2e;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Testcontainers
public abstract class AccountEventsE2ETest {
    protected static final String TOPIC = "account-events-e2e";

    static final Network NETWORK = Network.newNetwork();

    static final KafkaContainer KAFKA =
            new KafkaContainer()
                    .withNetwork(NETWORK)
                    .withNetworkAliases("kafka");

    public static PostgreSQLContainer POSTGRES = new PostgreSQLContainer(
            DockerImageName.parse("debezium/postgres:17-alpine").asCompatibleSubstituteFor("postgres"))
            .withNetwork(NETWORK)
            .withNetworkAliases("postgres");

    public static DebeziumContainer DEBEZIUM = new DebeziumContainer("debezium/connect:2.7.3.Final")
            .withNetwork(NETWORK)
            .withKafka(KAFKA)
            .dependsOn(KAFKA);

    static {
        Startables.deepStart(Stream.of(KAFKA, POSTGRES, DEBEZIUM)).join();

        ConnectorConfiguration connector = ConnectorConfiguration
                .forJdbcContainer(POSTGRES)
                .with("plugin.name", "pgoutput")
                .with("table.include.list", "public.outbox_events")
                .with("topic.prefix", "accounts-e2e")
                .with("key.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("key.converter.schemas.enable", "false")
                .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.schemas.enable", "false")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.field.event.id", "id")
                .with("transforms.outbox.table.field.event.key", "aggregate_id")
                .with("transforms.outbox.table.field.event.payload", "payload")
                .with("transforms.outbox.table.field.event.type", "event_type")
                .with("transforms.outbox.route.by.field", "aggregate_type")
                .with("transforms.outbox.route.topic.replacement", TOPIC)
                .with("transforms.outbox.table.expand.json.payload", "true");

        DEBEZIUM.registerConnector("account-outbox-connector", connector);
    }

    @DynamicPropertySource
    static void registerProperties(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", POSTGRES::getJdbcUrl);
        registry.add("spring.datasource.username", POSTGRES::getUsername);
        registry.add("spring.datasource.password", POSTGRES::getPassword);
        registry.add("spring.kafka.bootstrap-servers", KAFKA::getBootstrapServers);
    }

    protected Consumer<String, String> consumer;

    @BeforeEach
    void setUpConsumer() {
        Map<String, Object> props = new HashMap<>();
        props.put("bootstrap.servers", KAFKA.getBootstrapServers());
        props.put("group.id", "e2e-" + System.nanoTime());
        props.put("auto.offset.reset", "earliest");
        consumer = new DefaultKafkaConsumerFactory<>(props, new StringDeserializer(), new StringDeserializer())
                .createConsumer();
        consumer.subscribe(List.of(TOPIC));
    }
}
