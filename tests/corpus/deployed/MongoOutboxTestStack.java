package com.telcoline.delivery.it;

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

public class MongoOutboxTestStack implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Network net = Network.newNetwork();

    static final MongoDbReplicaSet mongo = MongoDbReplicaSet.replicaSet()
            .network(net)
            .memberCount(1)
            .authEnabled(false)
            .namespace("delivery-it")
            .imageName(DockerImageName.parse("mongo:8.0.0"))
            .build();

    static final KafkaContainer kafka =
            new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.5.1")).withNetwork(net);

    static final DebeziumContainer debezium = new DebeziumContainer("debezium/connect:2.6.1.Final")
            .withNetwork(net)
            .withKafka(kafka)
            .dependsOn(mongo);

    @Override
    public void initialize(ConfigurableApplicationContext ctx) {
        if (!debezium.isRunning()) {
            Startables.deepStart(Stream.of(mongo, kafka, debezium)).join();

            // connector.class and mongodb.connection.string come from the replica set
            ConnectorConfiguration outbox = ConnectorConfiguration.forMongoDbReplicaSet(mongo)
                    .with("tasks.max", 1)
                    .with("topic.prefix", "it1")
                    .with("database.include.list", "DELIV")
                    .with("collection.include.list", "DELIV.outgoing")
                    .with("include.schema.changes", false)
                    .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                    .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                    .with("transforms", "outbox")
                    .with("transforms.outbox.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                    .with("transforms.outbox.route.by.field", "type")
                    .with("transforms.outbox.route.topic.replacement", "${routedByValue}")
                    .with("transforms.outbox.collection.field.event.timestamp", "timestamp")
                    .with("transforms.outbox.collection.expand.json.payload", true)
                    .with("transforms.outbox.collection.fields.additional.placement",
                            "type:header:eventType,meta:header:meta,traceparent:header:traceparent")
                    .with("errors.tolerance", "all")
                    .with("errors.log.enable", true)
                    .with("errors.log.include.messages", true);
            debezium.registerConnector("delivery-outbox", outbox);
        }
        TestPropertyValues.of(
                "spring.kafka.bootstrap-servers=" + kafka.getBootstrapServers(),
                "spring.data.mongodb.uri=" + mongo.getConnectionString()).applyTo(ctx.getEnvironment());
    }
}
