package base.cdc;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import io.debezium.testing.testcontainers.MongoDbReplicaSet;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

import java.util.stream.Stream;

public class CdcTestInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Network network = Network.newNetwork();

    public static final MongoDbReplicaSet replicaSet = MongoDbReplicaSet.replicaSet()
            .imageName(DockerImageName.parse("mongo:8.0.0"))
            .network(network)
            .memberCount(1)
            .authEnabled(true)
            .namespace("docker")
            .build();

    public static final KafkaContainer kafka =
            new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.5.1")).withNetwork(network);

    public static final DebeziumContainer connect =
            new DebeziumContainer("quay.io/debezium/connect:2.6.1.Final")
                    .withNetwork(network)
                    .withKafka(kafka)
                    .dependsOn(replicaSet);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        Startables.deepStart(Stream.of(kafka, replicaSet, connect)).join();
        ConnectorConfiguration configuration = ConnectorConfiguration
                .forMongoDbReplicaSet(replicaSet)
                .with("tasks.max", 1)
                .with("topic.prefix", "repairs")
                .with("database.include.list", "repairManagement")
                .with("collection.include.list", "repairManagement.events")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                .with("transforms.outbox.route.by.field", "type")
                .with("transforms.outbox.route.topic.replacement", "${routedByValue}")
                .with("transforms.outbox.collection.expand.json.payload", true)
                .with("transforms.outbox.collection.field.event.timestamp", "timestamp")
                .with("transforms.outbox.collection.fields.additional.placement", "type:header:eventType")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("include.schema.changes", false)
                .with("errors.tolerance", "all")
                .with("errors.log.enable", true)
                .with("errors.log.include.messages", true);
        connect.registerConnector("repairs-outbox", configuration);

        TestPropertyValues.of("spring.kafka.bootstrap-servers=" + kafka.getBootstrapServers()).applyTo(context.getEnvironment());
        TestPropertyValues.of("spring.data.mongodb.uri=" + replicaSet.getConnectionString()).applyTo(context.getEnvironment());
    }
}
