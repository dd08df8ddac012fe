package org.example.traceability;

import io.debezium.testing.testcontainers.Connector;
import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.test.context.SpringBootTest;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

@SpringBootTest
class TraceabilityIT {

    private static final Network NET = Network.newNetwork();
    private static final KafkaContainer KAFKA =
            new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.6.1")).withNetwork(NET);
    private static final PostgreSQLContainer<?> PG = new PostgreSQLContainer<>("postgres:16")
            .withNetwork(NET).withNetworkAliases("pg").withCommand("postgres", "-c", "wal_level=logical");
    private static final DebeziumContainer CONNECT =
            new DebeziumContainer("quay.io/debezium/connect:3.1").withNetwork(NET).withKafka(KAFKA).dependsOn(KAFKA);

    private static boolean registered;

    static {
        KAFKA.start();
        PG.start();
        CONNECT.start();
    }

    // Flyway must have made the table before the connector looks for it; so this is done before the first test
    // and not in a static initializer.
    @BeforeEach
    void connectorOnce() {
        register();
    }

    private static synchronized void register() {
        if (registered) {
            return;
        }
        ConnectorConfiguration relay = ConnectorConfiguration.forJdbcContainer(PG)
                .with("topic.prefix", "herd")
                .with("slot.name", "herd_outbox_it")
                .with("publication.autocreate.mode", "filtered")
                .with("plugin.name", "pgoutput")
                .with("table.include.list", "public.message_outbox")
                .with("tombstones.on.delete", "false")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.route.by.field", "entity_type")
                .with("transforms.outbox.table.field.event.key", "entity_id")
                .with("transforms.outbox.table.fields.additional.placement", "kind:header:kind")
                .with("transforms.outbox.route.topic.replacement", Topics.ANCESTRY_EVENTS);

        CONNECT.registerConnector("herd-outbox-it", relay);
        CONNECT.ensureConnectorState("herd-outbox-it", Connector.State.RUNNING);
        registered = true;
    }
}
