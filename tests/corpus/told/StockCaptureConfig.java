package org.example.stock.cdc;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Capture inside the service; taken from our Postgres services, with the class of SQL Server put in. */
@Configuration
public class StockCaptureConfig {

    @Value("${stock.db.host}")
    private String host;
    @Value("${stock.db.port}")
    private String port;
    @Value("${stock.db.name}")
    private String dbName;
    @Value("${stock.db.user}")
    private String user;
    @Value("${stock.db.password}")
    private String password;

    private static final String TABLE = "dbo.stock_item";

    @Bean
    public io.debezium.config.Configuration stockConnector() {
        return io.debezium.config.Configuration.create()
                .with("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/lib/stock/offset.dat")
                .with("offset.flush.interval.ms", 60000)
                .with("name", "stock-connector")
                .with("database.server.name", host + "-" + dbName)
                .with("database.hostname", host)
                .with("database.port", port)
                .with("database.user", user)
                .with("database.password", password)
                .with("database.dbname", dbName)
                .with("table.whitelist", TABLE)
                .build();
    }
}
