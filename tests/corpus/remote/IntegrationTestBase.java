package com.sample.fraud;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.sample.fraud.repository.OutboxRepository;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;
import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

@Slf4j
@ActiveProfiles("test")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
public abstract class IntegrationTestBase {

  private static final int BROKER_PORT = freePort();

  private static int freePort() {
    try (java.net.ServerSocket s = new java.net.ServerSocket(0)) {
      return s.getLocalPort();
    } catch (java.io.IOException e) {
      throw new RuntimeException("no free port", e);
    }
  }

  static final Network net = Network.newNetwork();

  static final PostgreSQLContainer pg =
      new PostgreSQLContainer("postgres:18-alpine")
          .withNetwork(net)
          .withNetworkAliases("pg")
          .withCommand(
              "postgres",
              "-c",
              "wal_level=logical",
              "-c",
              "max_wal_senders=4",
              "-c",
              "max_replication_slots=4");

  @SuppressWarnings("resource")
  static final GenericContainer<?> broker =
      new GenericContainer<>(DockerImageName.parse("apache/kafka:4.3.1"))
          .withNetwork(net)
          .withNetworkAliases("broker")
          .withExposedPorts(9092)
          .withEnv("KAFKA_NODE_ID", "1")
          .withEnv("KAFKA_PROCESS_ROLES", "broker,controller")
          .withEnv("KAFKA_CONTROLLER_QUORUM_VOTERS", "1@broker:29093")
          .withEnv(
              "KAFKA_LISTENERS",
              "PLAINTEXT://0.0.0.0:29092,CONTROLLER://0.0.0.0:29093,PLAINTEXT_HOST://0.0.0.0:9092")
          .withEnv(
              "KAFKA_ADVERTISED_LISTENERS",
              "PLAINTEXT://broker:29092,PLAINTEXT_HOST://localhost:" + BROKER_PORT)
          .withCreateContainerCmdModifier(
              cmd ->
                  cmd.getHostConfig()
                      .withPortBindings(
                          new PortBinding(
                              Ports.Binding.bindPort(BROKER_PORT), new ExposedPort(9092))))
          .waitingFor(Wait.forLogMessage(".*Kafka Server started.*", 1));

  @SuppressWarnings("resource")
  static final GenericContainer<?> connect =
      new GenericContainer<>("quay.io/debezium/connect:3.7")
          .withNetwork(net)
          .withExposedPorts(8083)
          .withEnv("BOOTSTRAP_SERVERS", "broker:29092")
          .withEnv("GROUP_ID", "1")
          .withEnv("CONFIG_STORAGE_TOPIC", "connect_configs")
          .withEnv("OFFSET_STORAGE_TOPIC", "connect_offsets")
          .withEnv("STATUS_STORAGE_TOPIC", "connect_statuses")
          .withEnv("KEY_CONVERTER", "org.apache.kafka.connect.storage.StringConverter")
          .withEnv("VALUE_CONVERTER", "org.apache.kafka.connect.storage.StringConverter")
          .dependsOn(pg, broker)
          .waitingFor(Wait.forHttp("/connectors").forStatusCode(200));

  static {
    Stream.of(pg, broker, connect).forEach(Startable::start);
    createConnector();
  }

  @DynamicPropertySource
  static void properties(DynamicPropertyRegistry registry) {
    registry.add("spring.datasource.url", pg::getJdbcUrl);
    registry.add("spring.datasource.username", pg::getUsername);
    registry.add("spring.datasource.password", pg::getPassword);
    registry.add("spring.kafka.bootstrap-servers", () -> "localhost:" + BROKER_PORT);
  }

  private static void createConnector() {
    String body =
        """
        {
          "name": "fraud-outbox-connector",
          "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max": "1",
            "database.hostname": "pg",
            "database.port": "5432",
            "database.user": "%s",
            "database.password": "%s",
            "database.dbname": "%s",
            "topic.prefix": "fraud",
            "table.include.list": "public.outbox_messages",
            "plugin.name": "pgoutput",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.table.field.event.payload": "payload",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.topic.replacement": "fraud.${routedByValue}-checked.v1"
          }
        }
        """
            .formatted(pg.getUsername(), pg.getPassword(), pg.getDatabaseName());

    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder()
              .uri(
                  java.net.URI.create(
                      "http://"
                          + connect.getHost()
                          + ":"
                          + connect.getMappedPort(8083)
                          + "/connectors"))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();

      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());

      if (response.statusCode() != 200
          && response.statusCode() != 201
          && response.statusCode() != 409) {
        throw new IllegalStateException("connector refused: " + response.body());
      }
    } catch (Exception e) {
      throw new RuntimeException("connector could not be created", e);
    }
  }

  @Value("${fraud.topics.payment-checked:fraud.payment-checked.v1}")
  protected String topic;

  @Autowired protected OutboxRepository outboxRepository;
}
