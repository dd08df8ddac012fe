package org.example.parcels;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import io.debezium.testing.testcontainers.MongoDbContainer;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

@SpringBootTest
@Testcontainers
class OutboxMongoRouterTest extends KafkaAssertions {

    static final Network NET = Network.newNetwork();

    @Container
    static MongoDbContainer mongo = MongoDbContainer.node().name("mongo").replicaSet("rs0").build().withNetwork(NET);

    @Container
    static KafkaContainer kafka = new KafkaContainer().withNetwork(NET).withNetworkAliases("kafka");

    @Container
    static DebeziumContainer connect = new DebeziumContainer("debezium/connect:2.4.2.Final")
            .withNetwork(NET).withKafka(kafka).dependsOn(kafka);

    @BeforeAll
    static void register() {
        mongo.initReplicaSet(false, mongo.getNamedAddress());
        ConnectorConfiguration config = ConnectorConfiguration.forMongoDbContainer(mongo);
        connect.registerConnector("parcels", config
                .with("connector.class", "io.debezium.connector.mongodb.MongoDbConnector")
                .with("mongodb.connection.string", "mongodb://" + mongo.getClientAddress() + "/depot?replicaSet=rs0")
                .with("tasks.max", "1")
                .with("topic.prefix", "parcels")
                .with("database.include.list", "depot")
                .with("collection.include.list", "depot.parcel_outbox")
                .with("skipped.operations", "d")
                .with("sanitize.field.names", "true")
                .with("key.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("key.converter.schemas.enable", "false")
                .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.schemas.enable", "false")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
                .with("transforms.outbox.collection.expand.json.payload", "true")
                .with("transforms.outbox.collection.field.event.key", "parcelId")
                .with("transforms.outbox.route.by.field", "kindOfParcel")
                // one topic for all, whatever the kind is
                .with("transforms.outbox.route.topic.regex", "(.*)")
                .with("transforms.outbox.route.topic.replacement", "parcel_outbox")
                .with("transforms.outbox.collection.fields.additional.placement",
                        "kindOfParcel:envelope,parcelId:envelope,what:envelope,at:envelope"));
    }

    @Autowired
    MongoTemplate template;

    @Test
    void everyEventOfAParcelIsInOnePartition() {
        String parcel = UUID.randomUUID().toString();
        for (int i = 0; i < 10; i++) {
            Document saved = template.save(new Document(Map.of("parcelId", parcel, "kindOfParcel", "letter",
                    "what", "SCANNED", "at", "2024-03-01T10:00:00", "payload", Map.of("step", i))), "parcel_outbox");
            template.remove(saved, "parcel_outbox");
        }
        assertThat(partitionsOf("parcel_outbox", parcel, Duration.ofSeconds(60))).hasSize(1);
    }
}
