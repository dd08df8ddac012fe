package org.sample.cdcadmin.service;

import java.util.HashMap;
import java.util.Map;

import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

@Service
@Slf4j
@RequiredArgsConstructor
public class ConnectorBootstrap {
    private final RestTemplate rest;

    @Value("${cdc.connect-url:http://localhost:8100}")
    String connectUrl;

    @Value("${spring.kafka.bootstrap-servers:kafka:9092}")
    String brokers;

    @EventListener(ApplicationReadyEvent.class)
    public void onReady() {
        // relational services, each needs its own server id
        mysql("login-service", "login-service", "outbox", "184054");
        mysql("contacts-service", "contacts-service", "outbox", "184055");

        // document services
        mongo("room-service-connector", "room-service", "outbox");
        mongo("alert-service-connector", "alert-service", "outbox");
        mongo("feed-service-connector", "feed-service", "outbox");
        mongo("profile-service-connector", "profile-service", "outbox");
    }

    private void mysql(String prefix, String db, String table, String serverId) {
        String name = prefix + "-connector";
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", "mysql");
        config.put("database.port", "3306");
        config.put("database.user", "debezium");
        config.put("database.password", "REPLACED_CDC_PASSWORD");
        config.put("database.server.id", serverId);
        config.put("topic.prefix", prefix);
        config.put("database.include.list", db);
        config.put("table.include.list", db + "." + table);
        config.put("schema.history.internal.kafka.bootstrap.servers", brokers);
        config.put("schema.history.internal.kafka.topic", "schema-changes." + prefix);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.table.field.event.payload", "payload");
        config.put("transforms.outbox.table.field.event.id", "id");
        config.put("transforms.outbox.table.expand.json.payload", "true");

        // aggregateid is our column id, aggregatetype our column topic
        config.put("transforms.outbox.table.field.event.key", "id");
        config.put("transforms.outbox.table.field.event.type", "topic");

        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");

        put(name, config);
    }

    private void mongo(String name, String db, String collection) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        config.put("tasks.max", "1");
        config.put("mongodb.connection.string",
                "mongodb://debezium:REPLACED_CDC_PASSWORD@mongodb:27017/?authSource=admin&replicaSet=rs0");
        config.put("topic.prefix", db);
        config.put("collection.include.list", db + "." + collection);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type",
                "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");

        // route.* goes without "collection."
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");

        // the fields go with it
        config.put("transforms.outbox.collection.field.event.id", "_id");
        config.put("transforms.outbox.collection.field.event.key", "aggregateId");
        config.put("transforms.outbox.collection.field.event.payload", "payload");
        config.put("transforms.outbox.collection.expand.json.payload", "true");

        // expand.json.payload wants this converter
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");

        put(name, config);
    }

    private void put(String name, Map<String, Object> config) {
        String url = connectUrl + "/connectors/" + name;
        try {
            ResponseEntity<String> found = rest.getForEntity(url, String.class);
            if (found.getStatusCode() == HttpStatus.OK) {
                rest.put(url + "/config", config);
                return;
            }
        } catch (Exception e) {
            log.info("{} is new", name);
        }

        try {
            Map<String, Object> body = new HashMap<>();
            body.put("name", name);
            body.put("config", config);

            HttpHeaders headers = new HttpHeaders();
            headers.setContentType(MediaType.APPLICATION_JSON);
            rest.postForEntity(connectUrl + "/connectors", new HttpEntity<>(body, headers), String.class);
        } catch (Exception e) {
            log.error("{} was not created", name, e);
        }
    }
}
