package com.sample.members.e2e;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.support.serializer.JacksonJsonDeserializer;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Testcontainers
public abstract class BaseEndToEndTest {
    protected static final String TOPIC = "member-events-test";

    static final Network NET = Network.newNetwork();

    static final KafkaContainer BROKER =
            new KafkaContainer()
                    .withNetwork(NET)
                    .withNetworkAliases("broker");

    public static PostgreSQLContainer DB = new PostgreSQLContainer(
            DockerImageName.parse("debezium/postgres:17-alpine").asCompatibleSubstituteFor("postgres"))
            .withNetwork(NET)
            .withNetworkAliases("db");


    public static DebeziumContainer CONNECT = new DebeziumContainer("debezium/connect:2.7.3.Final")
            .withNetwork(NET)
            .withKafka(BROKER)
            .dependsOn(BROKER);

    static {
        Startables.deepStart(Stream.of(BROKER, DB, CONNECT)).join();

        ConnectorConfiguration config = ConnectorConfiguration
                .forJdbcContainer(DB)
                .with("plugin.name", "pgoutput")
                .with("table.include.list", "public.outbox_entries")
                .with("topic.prefix", "members")
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

        CONNECT.registerConnector("member-outbox-connector", config);

        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            CONNECT.stop();
            BROKER.stop();
            DB.stop();
        }));
    }

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", DB::getJdbcUrl);
        registry.add("spring.datasource.username", DB::getUsername);
        registry.add("spring.datasource.password", DB::getPassword);
        registry.add("spring.kafka.bootstrap-servers", BROKER::getBootstrapServers);
        registry.add("members.topic", () -> TOPIC);
    }

    @Autowired
    protected MemberRepository members;

    @Autowired
    protected OutboxRepository outbox;

    private Consumer<String, MemberEvent> consumer;

    @BeforeEach
    void openConsumer() {
        JacksonJsonDeserializer<MemberEvent> values =
                new JacksonJsonDeserializer<>(MemberEvent.class, false);
        values.addTrustedPackages("*");

        Map<String, Object> props = new HashMap<>();
        props.put("bootstrap.servers", BROKER.getBootstrapServers());
        props.put("group.id", "members-e2e-" + System.nanoTime());
        props.put("auto.offset.reset", "earliest");

        consumer = new DefaultKafkaConsumerFactory<String, MemberEvent>(
                props, new StringDeserializer(), values).createConsumer();
        consumer.subscribe(List.of(TOPIC));
        consumer.poll(Duration.ofMillis(500));
    }

    @AfterEach
    void cleanUp() {
        if (consumer != null) consumer.close();
        outbox.deleteAll();
        members.deleteAll();
    }

    protected void expectEvent(Long id) {
        await().atMost(Duration.ofSeconds(15)).untilAsserted(() -> {
            boolean seen = false;
            for (ConsumerRecord<String, MemberEvent> record : consumer.poll(Duration.ofMillis(500))) {
                seen |= record.value() != null && id.equals(record.value().id());
            }
            assertThat(seen).isTrue();
        });
    }
}
