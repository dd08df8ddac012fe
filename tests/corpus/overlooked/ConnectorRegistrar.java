package com.example.cdcmanager.service;

import java.util.HashMap;
import java.util.Map;

import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

@Slf4j
@Service
@RequiredArgsConstructor
public class ConnectorRegistrar {

    private final RestTemplate rest;

    @Value("${app.connect-url:http://localhost:8083}")
    String connectUrl;

    @Value("${spring.kafka.bootstrap-servers:kafka:9092}")
    String kafka;

    @Value("${app.cdc.mysql-password}")
    String mysqlPassword;

    @Value("${app.cdc.mongo-uri}")
    String mongoUri;

    @EventListener(ApplicationReadyEvent.class)
    @Retryable(maxAttempts = 10, backoff = @Backoff(delay = 5000, multiplier = 1.5))
    public void onReady() {
        registerMySql("account-service", "account-service", "outbox", "184061");
        registerMongo("message-service-connector", "message-service", "outbox");
    }

    private void registerMySql(String prefix, String db, String table, String serverId) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", "mysql");
        config.put("database.port", "3306");
        config.put("database.user", "debezium");
        config.put("database.password", mysqlPassword);
        config.put("database.server.id", serverId);
        config.put("topic.prefix", prefix);
        config.put("database.include.list", db);
        config.put("table.include.list", db + "." + table);
        config.put("schema.history.internal.kafka.bootstrap.servers", kafka);
        config.put("schema.history.internal.kafka.topic", "schema-changes." + prefix);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.table.field.event.id", "id");
        config.put("transforms.outbox.table.field.event.payload", "payload");
        config.put("transforms.outbox.table.expand.json.payload", "true");
        // our table has no aggregateid and no type
        config.put("transforms.outbox.table.field.event.key", "id");
        config.put("transforms.outbox.table.field.event.type", "topic");

        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");
        put(prefix + "-connector", config);
    }

    private void registerMongo(String name, String db, String collection) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        config.put("tasks.max", "1");
        config.put("mongodb.connection.string", mongoUri);
        config.put("topic.prefix", db);
        config.put("collection.include.list", db + "." + collection);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type",
                "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");
        // the route options have no prefix here
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        // the field options do
        config.put("transforms.outbox.collection.field.event.id", "_id");
        config.put("transforms.outbox.collection.field.event.key", "aggregateId");
        config.put("transforms.outbox.collection.field.event.payload", "payload");
        config.put("transforms.outbox.collection.expand.json.payload", "true");
        // needed with expansion
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        put(name, config);
    }

    private void put(String name, Map<String, Object> config) {
        rest.put(connectUrl + "/connectors/" + name + "/config", config);
        log.info("connector {} registered", name);
    }
}
