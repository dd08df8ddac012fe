package org.example.people;

import static java.util.Objects.requireNonNull;

import io.debezium.config.Configuration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

@org.springframework.context.annotation.Configuration
public class PersonCdcConfig {

    private final Environment env;
    private final SourceDatabaseProps source;

    public PersonCdcConfig(Environment env, SourceDatabaseProps source) {
        this.env = env;
        this.source = source;
    }

    @Bean
    public Configuration personConnector() {
        return Configuration.create()
                .with("name", "person-sqlserver")
                .with("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", requireNonNull(env.getProperty("people.cdc.offsets")))
                .with("offset.flush.interval.ms", "60000")
                .with("database.hostname", source.getHost())
                .with("database.port", source.getPort())
                .with("database.user", source.getUsername())
                .with("database.password", source.getPassword())
                .with("database.dbname", "PeopleBoot")
                .with("database.include.list", "PeopleBoot")
                .with("table.include.list", "dbo.Citizen")
                .with("include.schema.changes", "false")
                .with("database.server.id", "10181")
                .with("database.server.name", "people-sql-instance")
                .with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
                .with("database.history.file.filename", requireNonNull(env.getProperty("people.cdc.history")))
                .with("database.encrypt", "true")                // SQL Server alone
                .with("database.trustServerCertificate", "true") // SQL Server alone
                .build();
    }
}
