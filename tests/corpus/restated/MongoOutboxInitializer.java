package org.example.carriage;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.testcontainers.lifecycle.Startables;

import java.util.stream.Stream;

public class MongoOutboxInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private final DebeziumContainer debezium =
            new DebeziumContainer("quay.io/debezium/connect:2.6.1.Final")
                    .withNetwork(Containers.NETWORK)
                    .withKafka(Containers.KAFKA)
                    .dependsOn(Containers.MONGO);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (debezium.isRunning()) {
            return;
        }
        Startables.deepStart(Stream.of(Containers.MONGO, Containers.KAFKA, debezium)).join();

        ConnectorConfiguration config = ConnectorConfiguration
                .forMongoDbReplicaSet(Containers.MONGO)
                .with("tasks.max", 1)
                .with("topic.prefix", "rail")
                .with("database.include.list", "CARRIAGE")
                .with("collection.include.list", "CARRIAGE.events")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                .with("transforms.outbox.route.topic.replacement", "${routedByValue}")
                .with("transforms.outbox.collection.expand.json.payload", true)
                .with("transforms.outbox.collection.fields.additional.placement", "type:header:eventType,traceparent:header:traceparent")
                .with("transforms.outbox.route.by.field", "type")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("include.schema.changes", false)
                .with("errors.tolerance", "all")
                .with("errors.log.enable", true)
                .with("errors.log.include.messages", true);

        debezium.registerConnector("carriage-outbox", config);
    }
}
