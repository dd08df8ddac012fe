package base.cdc;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import io.debezium.testing.testcontainers.MongoDbReplicaSet;
import java.util.stream.Stream;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/** MongoDB, Kafka and Connect for the integration tests; the tests read the events as JSON. */
@Testcontainers
public class FalloutCdcInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Network NETWORK = Network.newNetwork();

    @Container
    public static final MongoDbReplicaSet MONGO = MongoDbReplicaSet.replicaSet()
            .imageName(DockerImageName.parse("artifacts.example.org/mongo:8.0.0").asCompatibleSubstituteFor("mongo"))
            .network(NETWORK)
            .memberCount(1)
            .authEnabled(true)
            .namespace("tests")
            .build();

    @Container
    public static final KafkaContainer KAFKA = new KafkaContainer(
            DockerImageName.parse("artifacts.example.org/cp-kafka:7.5.1").asCompatibleSubstituteFor("confluentinc/cp-kafka"))
            .withNetwork(NETWORK);

    @Container
    public static final DebeziumContainer CONNECT = new DebeziumContainer("artifacts.example.org/debezium/connect:2.6.1.Final")
            .withNetwork(NETWORK)
            .withKafka(KAFKA)
            .dependsOn(MONGO);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        Startables.deepStart(Stream.of(KAFKA, MONGO, CONNECT)).join();
        MONGO.createUser("tester", "tester", "repairs", "readWrite");
        ConnectorConfiguration outbox = ConnectorConfiguration.forMongoDbReplicaSet(MONGO)
                .with("tasks.max", 1)
                .with("topic.prefix", "tests")
                .with("database.include.list", "repairs")
                .with("collection.include.list", "repairs.outbox")
                .with("transforms", "events")
                .with("transforms.events.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                .with("transforms.events.route.by.field", "type")
                .with("transforms.events.route.topic.replacement", "${routedByValue}")
                .with("transforms.events.collection.expand.json.payload", true)
                .with("transforms.events.collection.fields.additional.placement", "type:header:eventType")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("errors.tolerance", "all")
                .with("errors.log.enable", true)
                .with("errors.log.include.messages", true);
        CONNECT.registerConnector("repairs-outbox", outbox);
        TestPropertyValues.of(
                "spring.kafka.bootstrap-servers=" + KAFKA.getBootstrapServers(),
                "spring.data.mongodb.uri=" + MONGO.getConnectionString()).applyTo(context.getEnvironment());
    }
}
