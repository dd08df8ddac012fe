package org.example.users.e2e;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

import java.util.stream.Stream;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
public abstract class UserFlowBase {

    protected static final String STREAM = "people-e2e";

    static final Network NET = Network.newNetwork();

    static final KafkaContainer BROKER = new KafkaContainer().withNetwork(NET).withNetworkAliases("broker");

    static final PostgreSQLContainer DB = new PostgreSQLContainer(
            DockerImageName.parse("debezium/postgres:17-alpine").asCompatibleSubstituteFor("postgres"))
            .withNetwork(NET)
            .withNetworkAliases("db");

    static final DebeziumContainer CONNECT = new DebeziumContainer("debezium/connect:2.7.3.Final")
            .withNetwork(NET)
            .withKafka(BROKER)
            .dependsOn(BROKER);

    static {
        Startables.deepStart(Stream.of(BROKER, DB, CONNECT)).join();

        CONNECT.registerConnector("people", ConnectorConfiguration
                .forJdbcContainer(DB)
                .with("plugin.name", "pgoutput")
                .with("table.include.list", "public.people_rows")
                .with("topic.prefix", "flow")
                .with("key.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("key.converter.schemas.enable", "false")
                .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.schemas.enable", "false")
                .with("transforms", "people")
                .with("transforms.people.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.people.table.field.event.id", "id")
                .with("transforms.people.table.field.event.key", "person_id")
                .with("transforms.people.table.field.event.payload", "content")
                .with("transforms.people.table.field.event.type", "kind")
                .with("transforms.people.route.by.field", "subject")
                .with("transforms.people.route.topic.replacement", STREAM)
                .with("transforms.people.table.expand.json.payload", "true"));
    }

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", DB::getJdbcUrl);
        registry.add("spring.datasource.username", DB::getUsername);
        registry.add("spring.datasource.password", DB::getPassword);
        registry.add("spring.kafka.bootstrap-servers", BROKER::getBootstrapServers);
        registry.add("app.stream", () -> STREAM);
    }
}
