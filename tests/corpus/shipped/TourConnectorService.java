package com.example.tours.common.cdc;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

@Service
public class TourConnectorService {

    private static final Logger log = LoggerFactory.getLogger(TourConnectorService.class);

    @Value("${cdc.host:localhost:8083}")
    private String connectHost;

    @Value("${cdc.connector-name:tours-outbox-connector}")
    private String connectorName;

    @Value("${cdc.db.host:mysql}")
    private String dbHost;

    @Value("${cdc.db.port:3306}")
    private String dbPort;

    @Value("${cdc.db.user:root}")
    private String dbUser;

    @Value("${cdc.db.password:654321}")
    private String dbPassword;

    @Value("${cdc.db.server-id:1}")
    private String dbServerId;

    @Value("${cdc.topic-prefix:tours}")
    private String topicPrefix;

    @Value("${cdc.schema.history.bootstrap:kafka:9092}")
    private String schemaHistoryBootstrap;

    private final RestTemplate restTemplate = new RestTemplate();

    @EventListener(ApplicationReadyEvent.class)
    public void onApplicationReady() {
        // In a thread of its own: Connect may not be up yet, and the application shall not wait for it
        new Thread(this::ensureConnector).start();
    }

    private void ensureConnector() {
        try {
            String baseUrl = "http://" + connectHost;
            List<String> present = restTemplate.getForEntity(baseUrl + "/connectors", List.class).getBody();
            if (present != null && present.contains(connectorName)) {
                log.info("Connector '{}' is there, updating it", connectorName);
            }
            HttpHeaders headers = new HttpHeaders();
            headers.setContentType(MediaType.APPLICATION_JSON);
            restTemplate.exchange(baseUrl + "/connectors/" + connectorName + "/config", HttpMethod.PUT,
                    new HttpEntity<>(buildConnectorConfig(), headers), Map.class);
        } catch (Exception e) {
            log.warn("Connector was not registered: {}", e.getMessage());
        }
    }

    private Map<String, String> buildConnectorConfig() {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", dbHost);
        config.put("database.port", dbPort);
        config.put("database.user", dbUser);
        config.put("database.password", dbPassword);
        config.put("database.server.id", dbServerId);
        config.put("topic.prefix", topicPrefix);
        config.put("database.include.list", "tour_db,seat_db,invoice_db,guide_db");
        config.put("table.include.list", "tour_db.outbox,seat_db.outbox,invoice_db.outbox,guide_db.outbox");
        config.put("schema.history.internal.kafka.bootstrap.servers", schemaHistoryBootstrap);
        config.put("schema.history.internal.kafka.topic", "_schema_history_tours");
        config.put("schema.history.internal.skip.unparseable.ddl", "true");
        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.table.expand.json.payload", "true");
        config.put("transforms.outbox.table.field.event.id", "id");
        config.put("transforms.outbox.table.field.event.key", "aggregate_id");
        config.put("transforms.outbox.table.field.event.type", "event_type");
        config.put("transforms.outbox.table.field.event.payload", "payload");
        config.put("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType");
        config.put("transforms.outbox.route.by.field", "aggregate_type");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}.events");
        config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");
        config.put("tombstones.on.delete", "false");
        config.put("include.schema.changes", "false");
        return config;
    }
}
