package com.example.shipments;

import io.debezium.testing.testcontainers.Connector;
import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

import java.util.stream.Stream;

/**
 * Containers for a test that needs change data capture with PostgreSQL.
 */
public interface CdcContainersSupport {

    Network network = Network.newNetwork();

    DockerImageName imageName = DockerImageName.parse("debezium/postgres:11")
            .asCompatibleSubstituteFor("postgres");

    KafkaContainer kafka = new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:6.1.1"))
            .withNetwork(network);

    PostgreSQLContainer<?> postgres = new PostgreSQLContainer<>(imageName)
            .withDatabaseName("shipments")
            .withNetwork(network)
            .withNetworkAliases("postgres");

    DebeziumContainer debezium = new DebeziumContainer("debezium/connect:latest")
            .withNetwork(network)
            .withKafka(kafka)
            .dependsOn(kafka, postgres);

    @DynamicPropertySource
    static void setProperties(DynamicPropertyRegistry registry) {
        Startables.deepStart(Stream.of(kafka, postgres, debezium)).join();
        registry.add("spring.cloud.stream.kafka.binder.brokers", kafka::getBootstrapServers);
        registry.add("spring.datasource.url", postgres::getJdbcUrl);
        registry.add("spring.datasource.username", postgres::getUsername);
        registry.add("spring.datasource.password", postgres::getPassword);
    }

    default void initialiseOutboxConnector() {
        String name = "shipment-outbox-connector";
        debezium.updateOrCreateConnector(name, getConfiguration());
        debezium.ensureConnectorState(name, Connector.State.RUNNING);
    }

    private ConnectorConfiguration getConfiguration() {
        // the container tells host, database, user and so on
        return ConnectorConfiguration.forJdbcContainer(postgres)
                .with("database.server.name", "shipments")
                .with("schema.include.list", "public")
                .with("table.include.list", "public.outbox")
                .with("tombstones.on.delete", "false")
                .with("snapshot.mode", "exported") // what is recommended for PostgreSQL
                .with("publication.autocreate.mode", "filtered") // what is recommended with pgoutput
                .with("plugin.name", "pgoutput")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.fields.additional.placement", "type:header:eventType") // a consumer
                // could pick its messages by this header
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    }
}
