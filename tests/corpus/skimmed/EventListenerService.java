package org.example.events;

import java.util.Properties;
import java.util.concurrent.Executors;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import jakarta.annotation.PostConstruct;
import org.springframework.stereotype.Service;

@Service
public class EventListenerService {

    private final Publisher publisher;

    public EventListenerService(Publisher publisher) {
        this.publisher = publisher;
    }

    @PostConstruct
    void init() {
        final Properties props = new Properties();
        props.setProperty("name", "events-engine");
        props.setProperty("bootstrap.servers", "localhost:9092");

        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        props.setProperty("database.hostname", "localhost");
        props.setProperty("database.port", "3306");
        props.setProperty("database.user", "root");
        props.setProperty("database.password", "rootpassword");
        props.setProperty("database.server.id", "50912");
        props.setProperty("database.server.name", "mysql-one");
        props.setProperty("database.include.list", "shopfloor");
        props.setProperty("table.include.list", "shopfloor.machine_events");

        // relative names, so that it runs on Windows as well
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        props.setProperty("offset.storage.file.filename", "offsets.dat");
        props.setProperty("offset.flush.interval.ms", "60000");

        props.setProperty("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
        props.setProperty("schema.history.internal.file.filename", "history.dat");

        props.setProperty("topic.prefix", "shopfloor-outbox");

        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(props)
                .notifying(event -> publisher.publish(event.key(), event.value()))
                .build();
        Executors.newSingleThreadExecutor().execute(engine);
    }
}
