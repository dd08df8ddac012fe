package org.example.wagers.replica;

import io.debezium.config.Configuration;
import org.springframework.context.annotation.Bean;

@org.springframework.context.annotation.Configuration
public class ReplicaEngineConfig {

    private final ReplicaProperties replica;

    public ReplicaEngineConfig(ReplicaProperties replica) {
        this.replica = replica;
    }

    /** Follows the settings table, so that the caches of the nodes can be dropped. */
    @Bean
    public Configuration settingsConnector() {
        return Configuration.create()
                .with("name", "settings-follower")
                .with("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/lib/replica/offsets.dat")
                .with("offset.flush.interval.ms", "60000")
                .with("database.hostname", replica.getHost())
                .with("database.user", replica.getUser())
                .with("database.password", replica.getPassword())
                .with("database.dbname", replica.getCatalog())
                .with("database.include.list", replica.getCatalog())
                .with("database.names", replica.getCatalog())
                .with("table.include.list", "house.SETTING_HASH")
                .with("database.encrypt", "false")
                .with("topic.prefix", "house")
                .with("include.schema.changes", "false")
                .with("database.server.id", "10181")
                .with("database.server.name", "house-mssql")
                .with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
                .with("database.history.file.filename", "/var/lib/replica/history.dat")
                .with("schema.history.internal.kafka.topic", "house-ddl")
                .with("schema.history.internal.kafka.bootstrap.servers", "localhost:9092")
                .build();
    }
}
