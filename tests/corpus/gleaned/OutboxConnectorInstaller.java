package tw.shopdemo.ordering.cdc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

@Slf4j
@Service
@RequiredArgsConstructor
public class OutboxConnectorInstaller {

    private final RestTemplate http;
    private final OutboxConnectorSettings s;

    public void install() throws Exception {
        // 1. 先移除舊的
        HttpHeaders accept = new HttpHeaders();
        accept.setAccept(List.of(MediaType.APPLICATION_JSON));
        try {
            http.exchange(s.getConnectUrl() + "/" + s.getName(), HttpMethod.DELETE, new HttpEntity<>(accept), String.class);
        } catch (Exception e) {
            log.warn("nothing to delete: {}", e.getMessage());
        }

        // 2. 再註冊
        Map<String, Object> c = new HashMap<>();
        c.put("connector.class", s.getConnectorClass());
        c.put("topic.prefix", s.getTopicPrefix());
        c.put("database.hostname", s.getDb().getHost());
        c.put("database.port", s.getDb().getPort());
        c.put("database.user", s.getDb().getUser());
        c.put("database.password", s.getDb().getPassword());
        c.put("database.server.id", s.getDb().getServerId());
        c.put("database.server.name", s.getDb().getServerName());
        c.put("database.include.list", s.getDb().getIncludeList());
        c.put("table.include.list", s.getTables());
        c.put("schema.history.internal.kafka.bootstrap.servers", s.getHistory().getBrokers());
        c.put("schema.history.internal.kafka.topic", s.getHistory().getTopic());
        c.put("tombstones.on.delete", String.valueOf(s.isTombstones()));
        c.put("include.schema.changes", String.valueOf(s.isSchemaChanges()));
        c.put("config.storage.topic", s.getWorkerTopics().getConfig());
        c.put("offset.storage.topic", s.getWorkerTopics().getOffset());
        c.put("status.storage.topic", s.getWorkerTopics().getStatus());
        c.put("snapshot.mode", "initial");
        c.put("transforms", "outbox");
        c.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        c.put("transforms.outbox.route.by.field", "aggregate_type");
        c.put("transforms.outbox.route.topic.replacement", s.getTopicPrefix() + ".${routedByValue}");
        c.put("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType");
        c.put("transforms.outbox.table.expand.json.payload", "true");
        c.put("transforms.outbox.table.field.name.mapping", String.join(",", List.of(
                "aggregateId:aggregate_id",
                "aggregateType:aggregate_type",
                "eventType:event_type",
                "createdAt:created_at")));

        Map<String, Object> body = new HashMap<>();
        body.put("name", s.getName());
        body.put("config", c);
        log.info("connector: {}", new ObjectMapper().writeValueAsString(body));

        HttpHeaders json = new HttpHeaders();
        json.setContentType(MediaType.APPLICATION_JSON);
        http.postForEntity(s.getConnectUrl(), new HttpEntity<>(body, json), String.class);
    }
}
