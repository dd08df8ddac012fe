package org.birdcount.sightings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.MongoDBContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** From the API through MongoDB, Debezium Server and Kafka to the processor. Takes a minute, needs Docker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public class SightingsPipelineTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String RAW_TOPIC = "sightings.sightings_dev.sighting";

    private Network network;
    private MongoDBContainer mongodb;
    private KafkaContainer kafka;
    private GenericContainer<?> debezium;

    @BeforeAll
    void setUp() throws Exception {
        network = Network.newNetwork();

        mongodb = new MongoDBContainer(DockerImageName.parse("mongo:8"))
                .withNetwork(network)
                .withNetworkAliases("mongodb")
                .withCommand("--replSet", "rs0", "--bind_ip_all");
        mongodb.start();

        kafka = new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.5.0"))
                .withNetwork(network)
                .withNetworkAliases("kafka");
        kafka.start();

        debezium = new GenericContainer<>(DockerImageName.parse("debezium/server:2.6"))
                .withNetwork(network)
                .withNetworkAliases("debezium")
                .withExposedPorts(8080)
                .withEnv("DEBEZIUM_SOURCE_CONNECTOR_CLASS", "io.debezium.connector.mongodb.MongoDbConnector")
                .withEnv("DEBEZIUM_SOURCE_MONGODB_CONNECTION_STRING", "mongodb://mongodb:27017/?replicaSet=rs0")
                .withEnv("DEBEZIUM_SOURCE_TOPIC_PREFIX", "sightings")
                .withEnv("DEBEZIUM_SOURCE_DATABASE_INCLUDE_LIST", "sightings_dev")
                .withEnv("DEBEZIUM_SOURCE_CAPTURE_MODE", "change_streams")
                .withEnv("DEBEZIUM_SOURCE_PUBLISH_FULL_DOCUMENT_ONLY", "true")
                .withEnv("DEBEZIUM_SOURCE_OFFSET_STORAGE", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .withEnv("DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME", "/tmp/offsets.dat")
                .withEnv("DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS", "0")
                .withEnv("DEBEZIUM_SINK_TYPE", "kafka")
                .withEnv("DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS", "kafka:9092")
                .withEnv("DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER", "org.apache.kafka.common.serialization.StringSerializer")
                .withEnv("DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER", "org.apache.kafka.common.serialization.StringSerializer")
                .waitingFor(Wait.forHttp("/q/health").forPort(8080).forStatusCode(200))
                .withStartupTimeout(Duration.ofMinutes(2));
        debezium.start();
    }

    @AfterAll
    void tearDown() {
        debezium.stop();
        kafka.stop();
        mongodb.stop();
        network.close();
    }

    @Test
    void aSightingComesOutOfKafka() throws Exception {
        postSighting("wren-1");
        String message = nextMessage(RAW_TOPIC, "wren-1", Duration.ofSeconds(30));

        JsonNode envelope = MAPPER.readTree(message);
        JsonNode document = MAPPER.readTree(envelope.path("payload").path("after").asText());
        assertEquals("wren-1", document.path("name").asText());
    }
}
