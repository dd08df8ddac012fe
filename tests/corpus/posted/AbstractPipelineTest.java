package org.library.it;

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
public abstract class AbstractPipelineTest {

    protected static final String LOANS = "loan-events-it";

    static final Network NET = Network.newNetwork();

    static final KafkaContainer KAFKA = new KafkaContainer().withNetwork(NET).withNetworkAliases("kafka");

    public static PostgreSQLContainer PG = new PostgreSQLContainer(
            DockerImageName.parse("debezium/postgres:17-alpine").asCompatibleSubstituteFor("postgres"))
            .withNetwork(NET)
            .withNetworkAliases("pg");

    public static DebeziumContainer CONNECT = new DebeziumContainer("debezium/connect:2.7.3.Final")
            .withNetwork(NET)
            .withKafka(KAFKA)
            .dependsOn(KAFKA);

    static {
        Startables.deepStart(Stream.of(KAFKA, PG, CONNECT)).join();

        ConnectorConfiguration loanOutbox = ConnectorConfiguration
                .forJdbcContainer(PG)
                .with("plugin.name", "pgoutput")
                .with("topic.prefix", "it")
                .with("table.include.list", "public.loan_outbox")
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
                .with("transforms.outbox.route.topic.replacement", LOANS)
                .with("transforms.outbox.table.expand.json.payload", "true");

        CONNECT.registerConnector("loan-outbox", loanOutbox);
    }

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry r) {
        r.add("spring.datasource.url", PG::getJdbcUrl);
        r.add("spring.datasource.username", PG::getUsername);
        r.add("spring.datasource.password", PG::getPassword);
        r.add("spring.kafka.bootstrap-servers", KAFKA::getBootstrapServers);
    }
}
