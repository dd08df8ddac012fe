package org.example.purchase.service;

import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.example.purchase.config.CdcProperties;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.Map;

/** Registers the MySQL source of the purchase service after the start of the application. */
@Slf4j
@Service
@RequiredArgsConstructor
public class CdcConnectorService {

    private final CdcProperties props;
    private final RestTemplate http = new RestTemplate();

    @EventListener(ApplicationReadyEvent.class)
    public void register() {
        Map<String, Object> config = new HashMap<>();
        fill(config);
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        http.postForEntity(props.getEndpointUrl(),
                new HttpEntity<>(Map.of("name", props.getName(), "config", config), headers), String.class);
        log.info("connector {} sent", props.getName());
    }

    private void fill(Map<String, Object> config) {
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("database.hostname", props.getDatabase().getHostname());
        config.put("topic.prefix", props.getTopicPrefix());
        config.put("database.port", props.getDatabase().getPort());
        config.put("database.user", props.getDatabase().getUser());
        config.put("database.password", props.getDatabase().getPassword());
        config.put("database.server.id", props.getDatabase().getServerId());
        config.put("database.server.name", props.getDatabase().getServerName());
        config.put("database.include.list", props.getDatabase().getIncludeList());
        config.put("table.include.list", props.getTable().getIncludeList());
        config.put("schema.history.internal.kafka.bootstrap.servers", props.getHistory().getBootstrapServers());
        config.put("schema.history.internal.kafka.topic", props.getHistory().getTopic());
        config.put("tombstones.on.delete", String.valueOf(props.isTombstonesOnDelete()));
        config.put("include.schema.changes", String.valueOf(props.isIncludeSchemaChanges()));
        config.put("config.storage.topic", props.getWorker().getConfigTopic());
        config.put("offset.storage.topic", props.getWorker().getOffsetTopic());
        config.put("status.storage.topic", props.getWorker().getStatusTopic());
        config.put("snapshot.mode", "initial");
        config.put("transforms", "purchase");
        config.put("transforms.purchase.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.purchase.route.by.field", "aggregatetype");
        config.put("transforms.purchase.route.topic.replacement", props.getTopicPrefix() + ".${routedByValue}");
        config.put("transforms.purchase.table.fields.additional.placement", "eventtype:header:eventType");
        config.put("transforms.purchase.table.expand.json.payload", "true");
    }
}
