package com.example.command.config;

import jakarta.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.*;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.Map;

@Configuration
public class StockConnectorRegistrar {

  private static final Logger log = LoggerFactory.getLogger(StockConnectorRegistrar.class);
  private final RestTemplate restTemplate;

  public StockConnectorRegistrar(RestTemplateBuilder builder) {
    this.restTemplate = builder.build();
  }

  @PostConstruct
  public void register() {
    String connectorName = "stock-postgres-connector";
    String connectUrl = "http://localhost:8083/connectors";

    // Já existe?
    try {
      ResponseEntity<String> present = restTemplate.getForEntity(connectUrl + "/" + connectorName, String.class);
      if (present.getStatusCode().is2xxSuccessful()) {
        log.info("O conector '{}' já existe.", connectorName);
        return;
      }
    } catch (Exception e) {
      log.info("O conector '{}' ainda não existe, registrando.", connectorName);
    }

    // Corpo da requisição
    Map<String, Object> config = new HashMap<>();
    config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    config.put("database.hostname", "db-write");
    config.put("database.port", "5432");
    config.put("database.user", "user");
    config.put("database.password", "pass");
    config.put("database.dbname", "stock");
    config.put("database.server.name", "postgres-stock");
    config.put("plugin.name", "pgoutput");
    config.put("slot.name", "stock_outbox_slot");
    config.put("table.include.list", "public.outbox_record");
    config.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
    config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    config.put("value.converter.schemas.enable", "false");
    config.put("key.converter.schemas.enable", "false");
    config.put("transforms.outbox.unwrap.payload", "true");

    // EventRouter do padrão outbox
    config.put("transforms", "outbox");
    config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
    config.put("transforms.outbox.table.field.event.id", "id");
    config.put("transforms.outbox.table.field.event.key", "aggregate_id");
    config.put("transforms.outbox.table.field.event.payload", "payload");
    config.put("transforms.outbox.route.by.field", "type"); // o nome da coluna tem que bater

    // Prefixo obrigatório dos tópicos
    config.put("topic.prefix", ".");

    Map<String, Object> body = new HashMap<>();
    body.put("name", connectorName);
    body.put("config", config);

    HttpHeaders headers = new HttpHeaders();
    headers.setContentType(MediaType.APPLICATION_JSON);
    restTemplate.postForEntity(connectUrl, new HttpEntity<>(body, headers), String.class);
  }
}
