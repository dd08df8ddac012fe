package com.example.telco.delivery.it;

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

/** Same connector as in production, see infra/connectors. */
public class MongoCdcInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Network NET = Network.newNetwork();

    public static final MongoDbReplicaSet MONGO = MongoDbReplicaSet.replicaSet()
            .network(NET).memberCount(1).authEnabled(false).namespace("it")
            .imageName(DockerImageName.parse("mongo:8.0.0"))
            .build();

    public static final KafkaContainer KAFKA = new KafkaContainer(
            DockerImageName.parse("confluentinc/cp-kafka:7.5.1")).withNetwork(NET);

    public static final DebeziumContainer CONNECT = new DebeziumContainer("debezium/connect:2.6.1.Final")
            .withNetwork(NET).withKafka(KAFKA).dependsOn(MONGO);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (!CONNECT.isRunning()) {
            Startables.deepStart(Stream.of(MONGO, KAFKA, CONNECT)).join();
            ConnectorConfiguration outbox = ConnectorConfiguration
                    .forMongoDbReplicaSet(MONGO)
                    .with("tasks.max", 1)
                    .with("topic.prefix", "telco1")
                    .with("database.include.list", "DELIVERY")
                    .with("collection.include.list", "DELIVERY.events")
                    .with("transforms", "outbox")
                    .with("transforms.outbox.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                    .with("transforms.outbox.route.by.field", "type")
                    .with("transforms.outbox.route.topic.replacement", "${routedByValue}")
                    .with("transforms.outbox.collection.expand.json.payload", true)
                    .with("transforms.outbox.collection.field.event.timestamp", "timestamp")
                    .with("transforms.outbox.collection.fields.additional.placement", "type:header:eventType,headers:header:headers")
                    .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                    .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                    .with("errors.tolerance", "all")
                    .with("errors.log.enable", true)
                    .with("errors.log.include.messages", true);
            CONNECT.registerConnector("delivery-outbox", outbox);
        }
        TestPropertyValues.of("spring.kafka.bootstrap-servers=" + KAFKA.getBootstrapServers()).applyTo(context.getEnvironment());
        TestPropertyValues.of("spring.data.mongodb.uri=" + MONGO.getConnectionString()).applyTo(context.getEnvironment());
    }
}
// An event document: { _id, aggregateid, aggregatetype, type: "order-delivered",
//   payload: { orderId: "..", state: ".." }, headers: "..", timestamp: NumberLong(..) }
