package app.community.cdc;

import java.util.HashMap;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestTemplate;

@Slf4j
@Component
@RequiredArgsConstructor
public class CommunityConnectorSetup {

    private final RestTemplate rest;

    @Value("${connect.url}")
    private String connectUrl;

    @Value("${kafka.brokers}")
    private String brokers;

    @EventListener(ApplicationReadyEvent.class)
    public void registerAll() {
        mysql("contact-service", "contact-service", "outbox", "273411");
        mongo("messenger-service-connector", "messenger-service", "outbox");
        mongo("alert-service-connector", "alert-service", "outbox");
        mongo("avatar-service-connector", "avatar-service", "outbox");
    }

    private void mysql(String prefix, String db, String table, String serverId) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", "mysql");
        config.put("database.port", "3306");
        config.put("database.user", "debezium");
        config.put("database.password", "REDACTED");
        config.put("database.server.id", serverId);
        config.put("topic.prefix", prefix);
        config.put("database.include.list", db);
        config.put("table.include.list", db + "." + table);
        config.put("schema.history.internal.kafka.bootstrap.servers", brokers);
        config.put("schema.history.internal.kafka.topic", "schema-changes." + prefix);

        // router
        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.table.field.event.payload", "payload");
        config.put("transforms.outbox.table.field.event.id", "id");
        config.put("transforms.outbox.table.expand.json.payload", "true");

        // our table has other names
        config.put("transforms.outbox.table.field.event.key", "id");     // instead of aggregateid
        config.put("transforms.outbox.table.field.event.type", "topic"); // instead of aggregatetype

        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");

        register(prefix + "-connector", config);
    }

    private void mongo(String name, String db, String collection) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        config.put("tasks.max", "1");
        config.put("mongodb.connection.string",
                "mongodb://debezium:REDACTED@mongodb:27017/?authSource=admin&replicaSet=rs0");
        config.put("topic.prefix", db);
        config.put("collection.include.list", db + "." + collection);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type",
                "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");

        // these two without "collection."
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");

        // these with it
        config.put("transforms.outbox.collection.field.event.id", "_id");
        config.put("transforms.outbox.collection.field.event.key", "aggregateId");
        config.put("transforms.outbox.collection.field.event.payload", "payload");
        config.put("transforms.outbox.collection.expand.json.payload", "true");

        // needed with the expansion
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");

        register(name, config);
    }

    private void register(String name, Map<String, Object> config) {
        String url = connectUrl + "/connectors/" + name;
        try {
            if (rest.getForEntity(url, String.class).getStatusCode() == HttpStatus.OK) {
                rest.put(url + "/config", config);
                return;
            }
        } catch (Exception e) {
            log.info("{} is new", name);
        }
        Map<String, Object> body = new HashMap<>();
        body.put("name", name);
        body.put("config", config);
        rest.postForEntity(connectUrl + "/connectors", body, String.class);
    }
}
