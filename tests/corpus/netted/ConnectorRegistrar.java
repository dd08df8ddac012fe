package org.example.stock.command.config;

import jakarta.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.Map;

@Configuration
public class ConnectorRegistrar {

  private static final Logger log = LoggerFactory.getLogger(ConnectorRegistrar.class);
  private final RestTemplate rest;

  public ConnectorRegistrar(RestTemplateBuilder builder) {
    this.rest = builder.build();
  }

  @PostConstruct
  public void register() {
    String name = "stock-postgres-connector";
    String connect = "http://localhost:8083/connectors";

    Map<String, Object> config = new HashMap<>();
    config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    config.put("database.hostname", "db-write");
    config.put("database.port", "5432");
    config.put("database.user", "postgres");
    config.put("database.password", "postgres");
    config.put("database.dbname", "stock");
    config.put("database.server.name", "postgres-stock");
    config.put("plugin.name", "pgoutput");
    config.put("slot.name", "stock_slot");
    config.put("table.include.list", "public.outgoing_event");
    config.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
    config.put("key.converter.schemas.enable", "false");
    config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    config.put("value.converter.schemas.enable", "false");

    // outbox router
    config.put("transforms", "outbox");
    config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
    config.put("transforms.outbox.table.field.event.id", "id");
    config.put("transforms.outbox.table.field.event.key", "aggregate_id");
    config.put("transforms.outbox.table.field.event.payload", "payload");
    config.put("transforms.outbox.route.by.field", "type");

    // a prefix is mandatory, but no topic carries it
    config.put("topic.prefix", ".");

    try {
      var answer = rest.postForEntity(connect, Map.of("name", name, "config", config), String.class);
      log.info("connector registered: {}", answer.getBody());
    } catch (Exception e) {
      log.error("connector not registered: {}", e.getMessage(), e);
    }
  }
}
