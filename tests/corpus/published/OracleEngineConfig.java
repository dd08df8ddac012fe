package org.example.oracle.cdc;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Settings of the embedded engine that follows the Oracle XE database.
 */
@Configuration
public class OracleEngineConfig {

    @Bean
    public io.debezium.config.Configuration oracleSource() {
        return io.debezium.config.Configuration.create()
        .with("name", "oracle-source")
        .with("connector.class", "io.debezium.connector.oracle.OracleConnector")
        .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
        .with("offset.storage.file.filename", "./var/offsets.dat")
        .with("offset.flush.interval.ms", "60000")
        .with("database.hostname", "localhost")
        .with("database.port", 1521)
        .with("database.user", "system")
        .with("database.password", "root")
        .with("database.dbname", "XE")
        .with("database.include.list", "XE")
        .with("database.server.id", "30477")
        .with("database.server.name", "oracle-source-server")
        .with("include.schema.changes", "false")
        .with("database.history", "io.debezium.relational.history.MemoryDatabaseHistory")
        //.with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
        //.with("database.history.file.filename", "/tmp/history.dat")
        .with("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory")
        //.with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
        //.with("schema.history.internal.file.filename", "/tmp/schema-history.dat")
        .with("topic.prefix", "xe")
        .build();
    }
}
