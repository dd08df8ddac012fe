package org.example.garden.cdc;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class GardenCdcConfig {

    @Bean
    public io.debezium.config.Configuration bedsConnector() {
        return io.debezium.config.Configuration.create()
                .with("name", "beds-mysql")
                .with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/lib/garden/offsets.dat")
                .with("offset.flush.interval.ms", "60000")
                .with("database.hostname", "localhost")
                .with("database.port", "3305")
                .with("database.user", "root")
                .with("database.password", "root")
                .with("database.dbname", "garden")
                .with("database.include.list", "garden")
                .with("include.schema.changes", "false")
                .with("topic.prefix", "topic")
                .with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
                .with("schema.history.internal.file.filename", "/var/lib/garden/schema.dat")
                .with("database.server.id", "10377")
                .with("database.server.name", "garden-mysql")
                .with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
                .with("database.history.file.filename", "/var/lib/garden/history.dat")
                .build();
        // map.put("topic.prefix", "garden-mongodb");
    }
}
