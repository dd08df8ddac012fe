package vn.clubhub.cdc.bootstrap;

import java.util.HashMap;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestTemplate;

@Service
public class CdcBootstrapService {

    private static final Logger log = LoggerFactory.getLogger(CdcBootstrapService.class);

    private final RestTemplate http;

    @Value("${clubhub.connect.url:http://localhost:8200}")
    private String connectBase;

    @Value("${spring.kafka.bootstrap-servers:broker:9092}")
    private String brokers;

    public CdcBootstrapService(RestTemplate http) {
        this.http = http;
    }

    @EventListener(ApplicationReadyEvent.class)
    @Retryable(retryFor = ResourceAccessException.class, maxAttempts = 8, backoff = @Backoff(delay = 4000, multiplier = 2))
    public void bootstrap() {
        http.getForEntity(connectBase + "/", String.class);

        // MySQL: mỗi service một server.id riêng
        mysql("account-service", "account-service", "outbox", "190011");
        mysql("ranking-service", "ranking-service", "outbox", "190012");

        // MongoDB
        mongo("message-service-connector", "message-service", "outbox");
        mongo("feed-service-connector", "feed-service", "outbox");
    }

    private void mysql(String prefix, String db, String table, String serverId) {
        Map<String, Object> cfg = new HashMap<>();
        cfg.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        cfg.put("tasks.max", "1");
        cfg.put("database.hostname", "mysql");
        cfg.put("database.port", "3306");
        cfg.put("database.user", "debezium");
        cfg.put("database.password", "<REMOVED>");
        cfg.put("database.server.id", serverId);
        cfg.put("topic.prefix", prefix);
        cfg.put("database.include.list", db);
        cfg.put("table.include.list", db + "." + table);
        cfg.put("schema.history.internal.kafka.bootstrap.servers", brokers);
        cfg.put("schema.history.internal.kafka.topic", "schema-changes." + prefix);

        // outbox
        cfg.put("transforms", "outbox");
        cfg.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        cfg.put("transforms.outbox.route.by.field", "topic");
        cfg.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        cfg.put("transforms.outbox.table.field.event.id", "id");
        cfg.put("transforms.outbox.table.field.event.payload", "payload");
        cfg.put("transforms.outbox.table.expand.json.payload", "true");

        // bảng outbox không có aggregateid / aggregatetype
        cfg.put("transforms.outbox.table.field.event.key", "id");
        cfg.put("transforms.outbox.table.field.event.type", "topic");

        cfg.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        cfg.put("value.converter.schemas.enable", "false");

        upsert(prefix + "-connector", cfg);
    }

    private void mongo(String name, String db, String collection) {
        Map<String, Object> cfg = new HashMap<>();
        cfg.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        cfg.put("tasks.max", "1");
        cfg.put("mongodb.connection.string",
                "mongodb://debezium:<REMOVED>@mongodb:27017/?authSource=admin&replicaSet=rs0");
        cfg.put("topic.prefix", db);
        cfg.put("collection.include.list", db + "." + collection);

        cfg.put("transforms", "outbox");
        cfg.put("transforms.outbox.type",
                "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");

        cfg.put("transforms.outbox.route.by.field", "topic");
        cfg.put("transforms.outbox.route.topic.replacement", "${routedByValue}");

        // các field phải có tiền tố "collection."
        cfg.put("transforms.outbox.collection.field.event.id", "_id");
        cfg.put("transforms.outbox.collection.field.event.key", "aggregateId");
        cfg.put("transforms.outbox.collection.field.event.payload", "payload");
        cfg.put("transforms.outbox.collection.expand.json.payload", "true");

        // cần khi mở rộng payload
        cfg.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");

        upsert(name, cfg);
    }

    private void upsert(String name, Map<String, Object> cfg) {
        String url = connectBase + "/connectors/" + name;
        try {
            ResponseEntity<String> found = http.getForEntity(url, String.class);
            if (found.getStatusCode().is2xxSuccessful()) {
                http.put(url + "/config", cfg);
                return;
            }
        } catch (Exception e) {
            log.info("connector {} is new", name);
        }
        Map<String, Object> body = new HashMap<>();
        body.put("name", name);
        body.put("config", cfg);
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        http.postForEntity(connectBase + "/connectors", new HttpEntity<>(body, headers), String.class);
    }
}
