package org.example.estoque.comando.config;

import jakarta.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.Map;

@Configuration
public class RegistradorConector {

  private static final Logger log = LoggerFactory.getLogger(RegistradorConector.class);
  private final RestTemplate http = new RestTemplate();

  @PostConstruct
  public void registrar() {
    String nome = "estoque-comando";
    String url = "http://localhost:8083/connectors";

    try {
      if (http.getForEntity(url + "/" + nome, String.class).getStatusCode().is2xxSuccessful()) {
        log.info("'{}' ja existe", nome);
        return;
      }
    } catch (Exception e) {
      log.info("'{}' ainda nao existe, registrando", nome);
    }

    Map<String, Object> c = new HashMap<>();
    c.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    c.put("database.hostname", "estoque-db");
    c.put("database.port", "5432");
    c.put("database.user", "user");
    c.put("database.password", "pass");
    c.put("database.dbname", "estoque");
    c.put("database.server.name", "estoque-pg");
    c.put("plugin.name", "pgoutput");
    c.put("slot.name", "slot_estoque");
    c.put("table.include.list", "public.evento_saida");
    c.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
    c.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    c.put("value.converter.schemas.enable", "false");
    c.put("key.converter.schemas.enable", "false");
    c.put("transforms.saida.unwrap.payload", "true");

    // router da tabela de saida
    c.put("transforms", "saida");
    c.put("transforms.saida.type", "io.debezium.transforms.outbox.EventRouter");
    c.put("transforms.saida.table.field.event.id", "id");
    c.put("transforms.saida.table.field.event.key", "id_raiz");
    c.put("transforms.saida.table.field.event.payload", "corpo");
    c.put("transforms.saida.route.by.field", "tipo"); // coluna com o tipo do evento

    // obrigatorio desde a 2.0
    c.put("topic.prefix", ".");

    HttpHeaders cabecalhos = new HttpHeaders();
    cabecalhos.setContentType(MediaType.APPLICATION_JSON);
    try {
      ResponseEntity<String> r = http.postForEntity(url,
          new HttpEntity<>(Map.of("name", nome, "config", c), cabecalhos), String.class);
      log.info("registrado: {}", r.getBody());
    } catch (Exception e) {
      log.error("nao registrado: {}", e.getMessage(), e);
    }
  }
}
