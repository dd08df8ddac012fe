package base.cdc;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import io.debezium.testing.testcontainers.MongoDbReplicaSet;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

import java.util.stream.Stream;

@Testcontainers
public class DebeziumTestInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Network network = Network.newNetwork();

    @Container
    public static final MongoDbReplicaSet mongo = MongoDbReplicaSet.replicaSet()
            .imageName(DockerImageName.parse("mongo:8.0.0"))
            .network(network)
            .memberCount(1)
            .authEnabled(true)
            .namespace("docker")
            .build();

    @Container
    public static final KafkaContainer kafka = new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.5.1"))
            .withNetwork(network);

    @Container
    public static final DebeziumContainer connect = new DebeziumContainer("debezium/connect:2.6.1.Final")
            .withNetwork(network)
            .withKafka(kafka)
            .dependsOn(mongo);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        Startables.deepStart(Stream.of(kafka, mongo, connect)).join();
        ConnectorConfiguration config = ConnectorConfiguration
                .forMongoDbReplicaSet(mongo)
                .with("tasks.max", 1)
                .with("topic.prefix", "server1")
                .with("database.include.list", "faultDesk")
                .with("collection.include.list", "faultDesk.events")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                .with("transforms.outbox.route.topic.replacement", "${routedByValue}")
                .with("transforms.outbox.collection.expand.json.payload", true)
                .with("transforms.outbox.collection.field.event.timestamp", "timestamp")
                .with("transforms.outbox.collection.fields.additional.placement", "type:header:eventType")
                .with("transforms.outbox.route.by.field", "type")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("include.schema.changes", false)
                .with("errors.tolerance", "all")
                .with("errors.log.enable", true)
                .with("errors.log.include.messages", true);
        connect.registerConnector("outbox-connector", config);
        TestPropertyValues.of("spring.kafka.bootstrap-servers=" + kafka.getBootstrapServers()).applyTo(context.getEnvironment());
        TestPropertyValues.of("spring.data.mongodb.uri=" + mongo.getConnectionString()).applyTo(context.getEnvironment());
    }
}
