package com.example.cdc.service;

import java.util.HashMap;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

@Service
public class ConnectorRegistrar {

    private static final Logger log = LoggerFactory.getLogger(ConnectorRegistrar.class);

    private final RestTemplate rest;

    @Value("${cdc.connect-url:http://localhost:8100}")
    String connectUrl;

    @Value("${spring.kafka.bootstrap-servers:kafka:9092}")
    String brokers;

    public ConnectorRegistrar(RestTemplate rest) {
        this.rest = rest;
    }

    @EventListener(ApplicationReadyEvent.class)
    public void onReady() {
        // every MySQL connector has a server id of its own
        registerMySql("account-service", "account-service", "outbox", "190101");
        registerMySql("buddy-service", "buddy-service", "outbox", "190102");
        registerMongo("talk-service-connector", "talk-service", "outbox");
        registerMongo("feed-service-connector", "feed-service", "outbox");
    }

    private void registerMySql(String prefix, String db, String table, String serverId) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", "mysql");
        config.put("database.port", "3306");
        config.put("database.user", "debezium");
        config.put("database.password", "REMOVED_CDC_SECRET");
        config.put("database.server.id", serverId);
        config.put("topic.prefix", prefix);
        config.put("database.include.list", db);
        config.put("table.include.list", db + "." + table);
        config.put("schema.history.internal.kafka.bootstrap.servers", brokers);
        config.put("schema.history.internal.kafka.topic", "history." + prefix);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.table.field.event.id", "id");
        config.put("transforms.outbox.table.field.event.payload", "payload");
        config.put("transforms.outbox.table.expand.json.payload", "true");

        // our outbox has neither aggregateid nor aggregatetype
        config.put("transforms.outbox.table.field.event.key", "id");
        config.put("transforms.outbox.table.field.event.type", "topic");

        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");

        register(prefix + "-connector", config);
    }

    private void registerMongo(String name, String db, String collection) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        config.put("tasks.max", "1");
        config.put("mongodb.connection.string",
                "mongodb://debezium:REMOVED_CDC_SECRET@mongodb:27017/?authSource=admin&replicaSet=rs0");
        config.put("topic.prefix", db);
        config.put("collection.include.list", db + "." + collection);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type",
                "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");
        // routing needs no "collection." prefix, the fields do
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.collection.field.event.id", "_id");
        config.put("transforms.outbox.collection.field.event.key", "aggregateId");
        config.put("transforms.outbox.collection.field.event.payload", "payload");
        config.put("transforms.outbox.collection.expand.json.payload", "true");

        // needed together with expand.json.payload
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");

        register(name, config);
    }

    private void register(String name, Map<String, Object> config) {
        try {
            ResponseEntity<String> there = rest.getForEntity(connectUrl + "/connectors/" + name, String.class);
            if (there.getStatusCode().is2xxSuccessful()) {
                rest.put(connectUrl + "/connectors/" + name + "/config", config);
                return;
            }
        }
        catch (Exception e) {
            log.info("{} is new", name);
        }
        Map<String, Object> body = new HashMap<>();
        body.put("name", name);
        body.put("config", config);
        rest.postForEntity(connectUrl + "/connectors", body, String.class);
    }
}
