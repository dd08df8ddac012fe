package org.example.travel.cdc;

import io.debezium.config.Configuration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

@Component
public class StayMirrorConfig {

    @Value("${stays.mongo.uri}")
    private String mongoUri;

    @Bean
    public Configuration staysConnector() {
        return Configuration.create()
                .with("name", "stays-mirror")
                .with("connector.class", "io.debezium.connector.mongodb.MongoDbConnector")
                .with("mongodb.connection.string", mongoUri)
                .with("mongodb.ssl.enabled", "true")
                .with("snapshot.mode", "never") // no documents of before, changes alone
                .with("database.include.list", "stays")
                .with("collection.include.list", "stays.Room")
                .with("topic.prefix", "stays-cdc")

                // offsets live in Kafka
                .with("bootstrap.servers", "localhost:9092")
                .with("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore")
                .with("offset.storage.topic", "stays_mirror_offsets")
                .with("offset.storage.partitions", "1")
                .with("offset.storage.replication.factor", "1")
                .with("offset.flush.interval.ms", "10000")

                .with("key.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("key.converter.schemas.enable", "true")
                .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.schemas.enable", "true")
                .build();
    }
}
