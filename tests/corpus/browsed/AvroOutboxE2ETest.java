package org.example.purse.streaming;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.containers.Network;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.MountableFile;

class AvroOutboxE2ETest {

    private static final String PLUGINS = "/kafka/connect/purse-smt";
    private static final String SCHEMAS = "/kafka/purse-schemas";
    private static final Path SMT_JAR = Path.of("../smt/build/libs/purse-smt.jar");
    private static final Network NETWORK = Network.newNetwork();

    private static final PostgreSQLContainer PG = new PostgreSQLContainer("postgres:17")
            .withCommand("postgres", "-c", "wal_level=logical")
            .withNetwork(NETWORK)
            .withNetworkAliases("postgres");

    private static final KafkaContainer KAFKA = new KafkaContainer("apache/kafka:4.2.0")
            .withNetwork(NETWORK)
            .withNetworkAliases("kafka")
            .withListener("kafka:19092");

    private static final DebeziumContainer DEBEZIUM = new DebeziumContainer("quay.io/debezium/connect:3.5.0.Final")
            .withNetwork(NETWORK)
            .withKafka(NETWORK, "kafka:19092")
            .withCopyFileToContainer(MountableFile.forHostPath(SMT_JAR), PLUGINS + "/" + SMT_JAR.getFileName())
            .dependsOn(KAFKA);

    @BeforeAll
    static void setUp() {
        Startables.deepStart(PG, KAFKA, DEBEZIUM).join();
        Migrator.migrate(PG.getJdbcUrl(), PG.getUsername(), PG.getPassword());

        var mapping = "org.example.purse.PurseOpened:" + SCHEMAS + "/PurseOpened.avsc"
                + ",org.example.purse.PurseFilled:" + SCHEMAS + "/PurseFilled.avsc";

        // the transform writes Avro bytes itself, the converter only passes them on
        var config = ConnectorConfiguration.forJdbcContainer(PG)
                .with("topic.prefix", "purse")
                .with("schema.include.list", "journal")
                .with("table.include.list", "journal.entries")
                .with("plugin.name", "pgoutput")
                .with("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter")
                .with("transforms", "avro")
                .with("transforms.avro.type", "org.example.purse.smt.EntryToAvro")
                .with("transforms.avro.payload.schemas", mapping)
                .with("transforms.avro.payload.field", "payload")
                .with("transforms.avro.event.type.field", "event_type");
        DEBEZIUM.registerConnector("journal", config);
    }
}
