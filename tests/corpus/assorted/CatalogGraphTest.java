package org.example.catalog;

import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.containers.KafkaContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.containers.output.Slf4jLogConsumer;
import org.testcontainers.lifecycle.Startables;

class CatalogGraphTest {

  private static final Logger LOG = LoggerFactory.getLogger(CatalogGraphTest.class);
  private static final Network network = Network.newNetwork();

  private static final KafkaContainer kafka = new KafkaContainer().withNetwork(network);

  private static final PostgreSQLContainer<?> postgres =
      new PostgreSQLContainer<>("debezium/postgres:11").withNetwork(network).withNetworkAliases("db");

  private static final DebeziumContainer connect = new DebeziumContainer("1.0")
      .withNetwork(network)
      .withKafka(kafka)
      .withLogConsumer(new Slf4jLogConsumer(LOG))
      .dependsOn(kafka);

  @BeforeEach
  void start() throws Exception {
    Startables.deepStart(Stream.of(kafka, postgres, connect)).join();
    Sql.run("catalog.sql", postgres);

    connect.registerConnector("catalog",
        ConnectorConfiguration.forJdbcContainer(postgres)
            .with("database.server.name", "catalog")
            .with("slot.name", "catalog_test"));

    new JsonObject()
        .put("http.port", 8099)
        .put("bootstrap.servers", kafka.getBootstrapServers());
  }
}
