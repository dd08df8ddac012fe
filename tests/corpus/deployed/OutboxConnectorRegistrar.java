package org.lumen.billing.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestTemplate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

@Slf4j
@Component
@RequiredArgsConstructor
public class OutboxConnectorRegistrar {

    private final RestTemplate http;
    private final CdcProperties cdc;

    public void register() {
        String self = cdc.getConnectUrl() + "/" + cdc.getConnectorName();

        // start from a clean state
        try {
            HttpHeaders h = new HttpHeaders();
            h.setAccept(List.of(MediaType.APPLICATION_JSON));
            http.exchange(self, HttpMethod.DELETE, new HttpEntity<Void>(h), String.class);
            log.info("removed old connector {}", cdc.getConnectorName());
        } catch (Exception e) {
            log.warn("nothing removed: {}", e.getMessage());
        }

        Map<String, Object> c = new LinkedHashMap<>();
        c.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        c.put("database.hostname", cdc.getDb().getHost());
        c.put("database.port", cdc.getDb().getPort());
        c.put("database.user", cdc.getDb().getUser());
        c.put("database.password", cdc.getDb().getPassword());
        c.put("database.server.id", cdc.getDb().getServerId());
        c.put("database.server.name", cdc.getDb().getServerName());
        c.put("topic.prefix", cdc.getTopicPrefix());
        c.put("database.include.list", cdc.getDb().getIncludeList());
        c.put("table.include.list", cdc.getOutboxTable());
        c.put("schema.history.internal.kafka.bootstrap.servers", cdc.getHistory().getBootstrapServers());
        c.put("schema.history.internal.kafka.topic", cdc.getHistory().getTopic());
        c.put("config.storage.topic", cdc.getStorage().getConfigTopic());
        c.put("offset.storage.topic", cdc.getStorage().getOffsetTopic());
        c.put("status.storage.topic", cdc.getStorage().getStatusTopic());
        c.put("include.schema.changes", String.valueOf(cdc.isSchemaChanges()));
        c.put("tombstones.on.delete", String.valueOf(cdc.isTombstones()));
        c.put("snapshot.mode", "initial");

        c.put("transforms", "outbox");
        c.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        c.put("transforms.outbox.table.field.name.mapping", String.join(",", List.of(
                "aggregateId:aggregate_id",
                "aggregateType:aggregate_type",
                "eventType:event_type",
                "createdAt:created_at")));
        c.put("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType");
        c.put("transforms.outbox.table.expand.json.payload", "true");
        c.put("transforms.outbox.route.by.field", "aggregate_type");
        c.put("transforms.outbox.route.topic.replacement", cdc.getTopicPrefix() + ".${routedByValue}");

        Map<String, Object> body = Map.of("name", cdc.getConnectorName(), "config", c);
        try {
            log.info("registering {}", new ObjectMapper().writeValueAsString(body));
            HttpHeaders h = new HttpHeaders();
            h.setContentType(MediaType.APPLICATION_JSON);
            ResponseEntity<String> r = http.postForEntity(cdc.getConnectUrl(), new HttpEntity<>(body, h), String.class);
            log.info("{} {}", r.getStatusCode(), r.getBody());
        } catch (HttpClientErrorException.Conflict e) {
            log.warn("already there: {}", e.getMessage());
        } catch (Exception e) {
            log.error("registration failed", e);
        }
    }
}
