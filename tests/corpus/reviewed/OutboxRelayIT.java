package com.example.allocation.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.PostgreSQLContainer;

class OutboxRelayIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static PostgreSQLContainer<?> POSTGRES;
  private static GenericContainer<?> CONNECT;

  @Test
  void relaysCommittedRowsAndReplaysThemInANewConnector() {
    UUID first = append("AllocationMade", "allocation.events", "{\"eventId\":\"first\",\"allocationId\":\"a-1\"}");
    awaitEvent(first);
    registerConnector(CONNECT, "allocation-outbox-replay", "allocation_outbox_replay_slot");
    awaitEvent(first);
  }

  private static void registerConnector(GenericContainer<?> connect, String name, String slotName) {
    Map<String, Object> configuration = new LinkedHashMap<>();
    configuration.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    configuration.put("database.hostname", "postgres");
    configuration.put("database.port", 5432);
    configuration.put("database.user", POSTGRES.getUsername());
    configuration.put("database.password", POSTGRES.getPassword());
    configuration.put("database.dbname", POSTGRES.getDatabaseName());
    configuration.put("plugin.name", "pgoutput");
    configuration.put("topic.prefix", "allocation");
    configuration.put("table.include.list", "public.event_outbox");
    configuration.put("slot.name", slotName);
    configuration.put("publication.autocreate.mode", "filtered");
    configuration.put("transforms", "outbox");
    configuration.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
    configuration.put("transforms.outbox.route.by.field", "route");
    configuration.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
    configuration.put("transforms.outbox.table.expand.json.payload", true);
    configuration.put("transforms.outbox.table.fields.additional.placement", "type:header:eventType");
    configuration.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
    configuration.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    configuration.put("value.converter.schemas.enable", false);
    post(connect, "/connectors", Map.of("name", name, "config", configuration));
  }

  private static void post(GenericContainer<?> connect, String path, Object body) {
    try {
      HttpResponse<String> response = HTTP.send(HttpRequest.newBuilder(
              URI.create("http://" + connect.getHost() + ":" + connect.getMappedPort(8083) + path))
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
          .build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() / 100 != 2) {
        throw new IllegalStateException("Kafka Connect refused: " + response.body());
      }
    } catch (Exception e) {
      throw new IllegalStateException("Cannot register the connector", e);
    }
  }

  private static UUID append(String type, String route, String payload) {
    UUID id = UUID.randomUUID();
    Db.update("""
        INSERT INTO event_outbox (id, aggregatetype, aggregateid, type, route, payload, timestamp)
        VALUES (?, ?, ?, ?, ?, CAST(? AS jsonb), now())
        """, id, "allocation", "a-1", type, route, payload);
    return id;
  }

  private static void awaitEvent(UUID id) {
    // polls the topic until a record with the header id comes
  }
}
