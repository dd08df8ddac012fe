package org.example.graph;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import java.io.IOException;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.lifecycle.Startables;

/** Subscriptions of the graph server are fed from the change stream. */
public class GraphServerTest {

  private static final Network network = Network.newNetwork();

  private static final KafkaContainer kafka = new KafkaContainer().withNetwork(network);

  private static final PostgreSQLContainer<?> postgres =
      new PostgreSQLContainer<>("debezium/postgres:11")
          .withNetwork(network)
          .withNetworkAliases("postgres");

  private static final DebeziumContainer debezium =
      new DebeziumContainer("1.0")
          .withNetwork(network)
          .withKafka(kafka)
          .dependsOn(kafka);

  @BeforeAll
  static void start() throws IOException, SQLException {
    Startables.deepStart(Stream.of(kafka, postgres, debezium)).join();
    TestSql.run("init.sql", postgres);

    debezium.registerConnector(
        "graph-connector",
        ConnectorConfiguration.forJdbcContainer(postgres)
            .with("database.server.name", "graphdb")
            .with("slot.name", "graph"));
  }

  @AfterAll
  static void stop() {
    debezium.close();
    kafka.close();
    postgres.close();
    network.close();
  }
}
