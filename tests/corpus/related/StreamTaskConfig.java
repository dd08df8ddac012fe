package org.example.cdcstream;

import io.debezium.config.Configuration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/**
 * Billing gets every change of the tariff tables. The stream is undeployed for each release and deployed again.
 */
@org.springframework.context.annotation.Configuration
public class StreamTaskConfig {

    @Value("${tariff.db.host}")
    private String host;
    @Value("${tariff.db.user}")
    private String user;
    @Value("${tariff.db.password}")
    private String password;

    @Bean
    public Configuration tariffConnector() {
        return Configuration.create()
                .with("name", "tariff-stream")
                .with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore")
                .with("offset.flush.interval.ms", 1000)
                .with("topic.prefix", "tariff")
                .with("database.hostname", host)
                .with("database.port", 3306)
                .with("database.user", user)
                .with("database.password", password)
                .with("database.server.id", 5518)
                .with("database.include.list", "tariff")
                .with("table.include.list", "tariff.price,tariff.discount")
                .with("snapshot.mode", "no_data")
                .with("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory")
                .with("include.schema.changes", false)
                .build();
    }
}
