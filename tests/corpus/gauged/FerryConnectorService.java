package ferry.common.cdc;

import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.Map;

@Slf4j
@Service
public class FerryConnectorService {

    @Value("${cdc.connect:localhost:8083}")
    private String connect;
    @Value("${cdc.name:ferry-outbox}")
    private String name;
    @Value("${cdc.db.host:mysql}")
    private String host;
    @Value("${cdc.db.port:3306}")
    private String port;
    @Value("${cdc.db.user:root}")
    private String user;
    @Value("${cdc.db.password:123456}")
    private String password;
    @Value("${cdc.db.server-id:1}")
    private String serverId;
    @Value("${cdc.prefix:ferry}")
    private String prefix;
    @Value("${cdc.history.brokers:kafka:9092}")
    private String historyBrokers;

    private final RestTemplate rest = new RestTemplate();

    @EventListener(ApplicationReadyEvent.class)
    public void ready() {
        new Thread(this::register).start();
    }

    private void register() {
        try {
            Map<String, Object> body = new HashMap<>();
            body.put("name", name);
            body.put("config", settings());
            HttpHeaders headers = new HttpHeaders();
            headers.setContentType(MediaType.APPLICATION_JSON);
            rest.postForEntity("http://" + connect + "/connectors", new HttpEntity<>(body, headers), Map.class);
        } catch (Exception e) {
            log.warn("no connector: {}", e.getMessage());
        }
    }

    private Map<String, String> settings() {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", host);
        config.put("database.port", port);
        config.put("database.user", user);
        config.put("database.password", password);
        config.put("database.server.id", serverId);
        config.put("topic.prefix", prefix);
        config.put("database.include.list", "crossing_db,cabin_db,fare_db,vessel_db");
        config.put("table.include.list", "crossing_db.outbox,cabin_db.outbox,fare_db.outbox,vessel_db.outbox");
        config.put("schema.history.internal.kafka.bootstrap.servers", historyBrokers);
        config.put("schema.history.internal.kafka.topic", "_schema_history_ferry");
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
