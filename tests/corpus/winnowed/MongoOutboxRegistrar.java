package org.example.lessons.relay;

import java.util.HashMap;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestTemplate;

/** Registers one connector per outbox collection. Consumers parse the value with an ObjectMapper (JSON). */
@Slf4j
@Component
@RequiredArgsConstructor
public class MongoOutboxRegistrar {

    private final RestTemplate rest;
    private final String connectUrl = "http://connect:8083";

    @EventListener(ApplicationReadyEvent.class)
    public void registerAll() {
        mongo("lessons-outbox", "lessons", "outbox");
    }

    private void mongo(String name, String db, String collection) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        config.put("tasks.max", "1");
        config.put("mongodb.connection.string",
                "mongodb://debezium:dbz@mongo-lessons:27017/?authSource=admin&replicaSet=rs0");
        config.put("topic.prefix", db);
        config.put("collection.include.list", db + "." + collection);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type",
                "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");

        // routing: no prefix
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");

        // fields: prefix "collection."
        config.put("transforms.outbox.collection.field.event.id", "_id");
        config.put("transforms.outbox.collection.field.event.key", "aggregateId");
        config.put("transforms.outbox.collection.field.event.payload", "payload");
        config.put("transforms.outbox.collection.expand.json.payload", "true");

        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");

        send(name, config);
    }

    private void send(String name, Map<String, Object> config) {
        String url = connectUrl + "/connectors/" + name;
        try {
            if (rest.getForEntity(url, String.class).getStatusCode() == HttpStatus.OK) {
                log.info("{} exists, updating", name);
            }
        } catch (HttpClientErrorException.NotFound e) {
            log.info("{} is new", name);
        }
        rest.put(url + "/config", config);
    }
}
