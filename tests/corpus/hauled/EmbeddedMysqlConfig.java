package org.example.changes;

import java.io.IOException;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import jakarta.annotation.PreDestroy;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Base of the engines; a subclass says what happens to a change. */
@Configuration
@ConditionalOnProperty(name = "changes.enabled", havingValue = "true")
public abstract class EmbeddedMysqlConfig {

    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private DebeziumEngine<ChangeEvent<String, String>> engine;

    @Bean
    public DebeziumEngine<ChangeEvent<String, String>> engine() {
        Properties p = new Properties();
        p.setProperty("name", "coupon-engine");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        p.setProperty("database.hostname", "localhost");
        p.setProperty("database.port", "3306");
        p.setProperty("database.user", "debezium");
        p.setProperty("database.password", "dbz");
        p.setProperty("database.server.id", "90211");
        // left from the days of 1.x
        p.setProperty("database.server.name", "couponserver");
        p.setProperty("database.include.list", "coupons");
        p.setProperty("table.include.list", "coupons.coupon");

        // the history of the DDL lives in Kafka, the offsets in a file
        p.setProperty("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory");
        p.setProperty("schema.history.internal.kafka.bootstrap.servers", "localhost:9092");
        p.setProperty("schema.history.internal.kafka.topic", "coupons.ddl");
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", "/var/lib/coupons/offsets.dat");

        p.setProperty("topic.prefix", "coupons");

        p.setProperty("key.converter", "org.apache.kafka.connect.json.JsonConverter");
        p.setProperty("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        p.setProperty("key.converter.schemas.enable", "false");
        p.setProperty("value.converter.schemas.enable", "false");

        engine = DebeziumEngine.create(Json.class)
                .using(p)
                .notifying(e -> onChange(e.key(), e.value()))
                .build();
        pool.submit(engine);
        return engine;
    }

    protected abstract void onChange(String key, String value);

    @PreDestroy
    public void halt() throws IOException {
        if (engine != null) {
            engine.close();
        }
        pool.shutdownNow();
    }
}
