package tea.order.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.http.*;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

@Service
@Slf4j
@RequiredArgsConstructor
public class TeaOrderConnector {

    private final RestTemplate rest;
    private final TeaCdcProperties p;

    public void register() {
        // 先移除舊的
        try {
            rest.delete(p.getEndpoint() + "/" + p.getName());
        } catch (Exception e) {
            log.warn("nothing removed: {}", e.getMessage());
        }

        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("database.hostname", p.getDb().getHost());
        config.put("topic.prefix", p.getPrefix());
        config.put("database.port", p.getDb().getPort());
        config.put("database.user", p.getDb().getUser());
        config.put("database.password", p.getDb().getPassword());
        config.put("database.server.id", p.getDb().getServerId());
        config.put("database.server.name", p.getDb().getServerName());
        config.put("database.include.list", p.getDb().getIncludeList());
        config.put("table.include.list", p.getTables());
        config.put("schema.history.internal.kafka.bootstrap.servers", p.getHistory().getBrokers());
        config.put("schema.history.internal.kafka.topic", p.getHistory().getTopic());
        config.put("tombstones.on.delete", String.valueOf(p.isTombstones()));
        config.put("include.schema.changes", String.valueOf(p.isSchemaChanges()));
        config.put("config.storage.topic", p.getStorage().getConfigTopic());
        config.put("offset.storage.topic", p.getStorage().getOffsetTopic());
        config.put("status.storage.topic", p.getStorage().getStatusTopic());
        config.put("snapshot.mode", "initial");
        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.by.field", "aggregate_type");
        config.put("transforms.outbox.route.topic.replacement", p.getPrefix() + ".${routedByValue}");
        config.put("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType");
        config.put("transforms.outbox.table.expand.json.payload", "true");
        config.put("transforms.outbox.table.field.name.mapping", String.join(",", List.of(
                "aggregateId:aggregate_id",
                "aggregateType:aggregate_type",
                "eventType:event_type",
                "createdAt:created_at"
        )));

        try {
            HttpHeaders headers = new HttpHeaders();
            headers.setContentType(MediaType.APPLICATION_JSON);
            Map<String, Object> body = Map.of("name", p.getName(), "config", config);
            log.info("{}", new ObjectMapper().writeValueAsString(body));
            rest.postForEntity(p.getEndpoint(), new HttpEntity<>(body, headers), String.class);
        } catch (Exception e) {
            log.error("not registered", e);
        }
    }
}
