package org.example.claims.it;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import io.debezium.testing.testcontainers.MongoDbReplicaSet;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

public class ClaimsConnectInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Network NET = Network.newNetwork();

    static final MongoDbReplicaSet MONGO = MongoDbReplicaSet.replicaSet()
            .imageName(DockerImageName.parse("mongo:7.0.14")).network(NET)
            .memberCount(1).authEnabled(true).namespace("claims").build();

    static final KafkaContainer KAFKA =
            new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.6.0")).withNetwork(NET);

    static final DebeziumContainer CONNECT = new DebeziumContainer("debezium/connect:2.6.1.Final")
            .withNetwork(NET).withKafka(KAFKA).dependsOn(MONGO);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        Startables.deepStart(Stream.of(KAFKA, MONGO, CONNECT)).join();
        MONGO.createUser("claims", "claims", "claimStore", "readWrite");
        ConnectorConfiguration config = ConnectorConfiguration.forMongoDbReplicaSet(MONGO)
                .with("tasks.max", 1)
                .with("topic.prefix", "claims")
                .with("database.include.list", "claimStore")
                .with("collection.include.list", "claimStore.notices")
                .with("transforms", "notices")
                .with("transforms.notices.type",
                        "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                .with("transforms.notices.route.topic.replacement", "${routedByValue}")
                .with("transforms.notices.collection.expand.json.payload", true)
                .with("transforms.notices.collection.field.event.timestamp", "createdAt")
                .with("transforms.notices.collection.fields.additional.placement", "kind:header:noticeKind")
                .with("transforms.notices.route.by.field", "kind")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("errors.tolerance", "all")
                .with("errors.log.enable", true);
        CONNECT.registerConnector("notices", config);
    }
}
