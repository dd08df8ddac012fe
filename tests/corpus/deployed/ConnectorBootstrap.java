package vn.hoasen.cdc;

import lombok.RequiredArgsConstructor;
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

/** Registers the connectors of the two outbox databases when the application is up. */
@Slf4j
@Service
@RequiredArgsConstructor
public class ConnectorBootstrap {

    private final RestTemplate rest;

    @Value("${app.connect-url:http://localhost:8100}")
    private String connectUrl;

    @Value("${spring.kafka.bootstrap-servers:kafka:9092}")
    private String brokers;

    @EventListener(ApplicationReadyEvent.class)
    public void onReady() {
        mysql("account-service", "account", "outbox", "184061");
        mongo("feed-service-connector", "feed", "outbox");
    }

    private void mysql(String prefix, String db, String table, String serverId) {
        Map<String, Object> cfg = new HashMap<>();
        cfg.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        cfg.put("tasks.max", "1");
        cfg.put("database.hostname", "mysql");
        cfg.put("database.port", "3306");
        cfg.put("database.user", "debezium");
        cfg.put("database.password", "********");
        cfg.put("database.server.id", serverId);
        cfg.put("topic.prefix", prefix);
        cfg.put("database.include.list", db);
        cfg.put("table.include.list", db + "." + table);
        cfg.put("schema.history.internal.kafka.bootstrap.servers", brokers);
        cfg.put("schema.history.internal.kafka.topic", "schema-changes." + prefix);

        cfg.put("transforms", "outbox");
        cfg.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        cfg.put("transforms.outbox.route.by.field", "topic");
        cfg.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        cfg.put("transforms.outbox.table.field.event.id", "id");
        cfg.put("transforms.outbox.table.field.event.key", "id");     // aggregateid -> id
        cfg.put("transforms.outbox.table.field.event.type", "topic"); // aggregatetype -> topic
        cfg.put("transforms.outbox.table.field.event.payload", "payload");
        cfg.put("transforms.outbox.table.expand.json.payload", "true");

        cfg.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        cfg.put("value.converter.schemas.enable", "false");

        upsert(prefix + "-connector", cfg);
    }

    private void mongo(String name, String db, String collection) {
        Map<String, Object> cfg = new HashMap<>();
        cfg.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        cfg.put("tasks.max", "1");
        cfg.put("mongodb.connection.string",
                "mongodb://debezium:********@mongodb:27017/?authSource=admin&replicaSet=rs0");
        cfg.put("topic.prefix", db);
        cfg.put("collection.include.list", db + "." + collection);

        cfg.put("transforms", "outbox");
        cfg.put("transforms.outbox.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");
        cfg.put("transforms.outbox.route.by.field", "topic");
        cfg.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        // fields need the prefix "collection."
        cfg.put("transforms.outbox.collection.field.event.id", "_id");
        cfg.put("transforms.outbox.collection.field.event.key", "aggregateId");
        cfg.put("transforms.outbox.collection.field.event.payload", "payload");
        cfg.put("transforms.outbox.collection.expand.json.payload", "true");

        // needed because of the expansion
        cfg.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");

        upsert(name, cfg);
    }

    private void upsert(String name, Map<String, Object> cfg) {
        try {
            if (rest.getForEntity(connectUrl + "/connectors/" + name, String.class).getStatusCode().is2xxSuccessful()) {
                rest.put(connectUrl + "/connectors/" + name + "/config", cfg);
                return;
            }
        } catch (Exception e) {
            log.info("{} is new", name);
        }
        HttpHeaders h = new HttpHeaders();
        h.setContentType(MediaType.APPLICATION_JSON);
        Map<String, Object> body = new HashMap<>();
        body.put("name", name);
        body.put("config", cfg);
        rest.postForEntity(connectUrl + "/connectors", new HttpEntity<>(body, h), String.class);
    }
}
