package org.example.cdc;

import io.debezium.config.Configuration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/**
 * Question below the article: "I took your project for PostgreSQL, changed the dependency to debezium-connector-sqlserver
 * and the class. Debezium is 1.6.1.Final. Now: Error configuring an instance of SqlServerConnectorTask. What else is different?"
 */
@org.springframework.context.annotation.Configuration
public class MssqlEmbedded {

    @Value("${guests.datasource.host}")
    private String host;

    @Value("${guests.datasource.username}")
    private String user;

    @Value("${guests.datasource.password}")
    private String password;

    @Bean
    public Configuration guestConnector() {
        return Configuration.create()
                .with("name", "guest-sqlserver-connector")
                .with("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/lib/guests/offset.dat")
                .with("offset.flush.interval.ms", 60000)
                .with("database.hostname", host)
                .with("database.port", 1433)
                .with("database.user", user)
                .with("database.password", password)
                .with("database.dbname", "Hotel")
                .with("database.server.name", "hotel-sqlserver")
                .with("table.include.list", "dbo.Guests")
                .build();
    }
}
