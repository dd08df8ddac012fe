package tw.delivery.cdc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

@Slf4j
@Service
@RequiredArgsConstructor
public class DeliveryConnectorService {

    private final RestTemplate rest;
    private final ConnectorProps props;

    public void register() {
        // start from nothing
        try {
            rest.delete(props.getUrl() + "/" + props.getName());
        } catch (Exception e) {
            log.warn("nothing to delete: {}", e.getMessage());
        }

        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("database.hostname", props.getDb().getHost());
        config.put("topic.prefix", props.getPrefix());
        config.put("database.port", props.getDb().getPort());
        config.put("database.user", props.getDb().getUser());
        config.put("database.password", props.getDb().getPassword());
        config.put("database.server.id", props.getDb().getServerId());
        config.put("database.server.name", props.getDb().getServerName());
        config.put("database.include.list", props.getDb().getIncludeList());
        config.put("table.include.list", props.getTables());
        config.put("schema.history.internal.kafka.bootstrap.servers", props.getHistory().getBrokers());
        config.put("schema.history.internal.kafka.topic", props.getHistory().getTopic());
        config.put("tombstones.on.delete", String.valueOf(props.isTombstones()));
        config.put("include.schema.changes", String.valueOf(props.isSchemaChanges()));
        config.put("config.storage.topic", props.getTopics().getConfig());
        config.put("offset.storage.topic", props.getTopics().getOffset());
        config.put("status.storage.topic", props.getTopics().getStatus());
        config.put("snapshot.mode", "initial");
        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.by.field", "aggregate_type");
        config.put("transforms.outbox.route.topic.replacement", props.getPrefix() + ".${routedByValue}");
        config.put("transforms.outbox.table.fields.additional.placement", "event_type:header:eventType");
        config.put("transforms.outbox.table.expand.json.payload", "true");
        config.put("transforms.outbox.table.field.name.mapping", String.join(",", List.of(
                "aggregateId:aggregate_id",
                "aggregateType:aggregate_type",
                "eventType:event_type",
                "createdAt:created_at"
        )));

        Map<String, Object> body = new HashMap<>();
        body.put("name", props.getName());
        body.put("config", config);

        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        rest.postForEntity(props.getUrl(), new HttpEntity<>(body, headers), String.class);
    }
}
