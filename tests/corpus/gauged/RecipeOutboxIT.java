package recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

class RecipeOutboxIT {

    static final Network net = Network.newNetwork();
    static final KafkaContainer kafka = new KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:5.4.3")).withNetwork(net);
    static final PostgreSQLContainer<?> postgres = new PostgreSQLContainer<>(
            DockerImageName.parse("debezium/postgres:11").asCompatibleSubstituteFor("postgres"))
            .withNetwork(net).withNetworkAliases("postgres");
    static final DebeziumContainer debezium = new DebeziumContainer("debezium/connect:1.4.0.Final")
            .withNetwork(net).withKafka(kafka).dependsOn(kafka);

    @BeforeAll
    static void up() {
        Startables.deepStart(Stream.of(kafka, postgres, debezium)).join();
        debezium.registerConnector("recipes", settings());
    }

    @Test
    void newRecipeReachesTheTopic() {
        // insert through the service, then poll "outbox.event.recipe"
        assertThat(new RecipeProbe(kafka.getBootstrapServers()).firstOf("outbox.event.recipe")).contains("RecipeAdded");
    }

    private static ConnectorConfiguration settings() {
        return ConnectorConfiguration.forJdbcContainer(postgres)
                .with("database.server.name", "recipes")
                .with("schema.include.list", "public")
                .with("table.include.list", "public.outbox")
                .with("tombstones.on.delete", "false")
                .with("snapshot.mode", "exported")
                .with("publication.autocreate.mode", "filtered")
                .with("plugin.name", "pgoutput")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.fields.additional.placement", "type:header:eventType")
                .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    }
}
