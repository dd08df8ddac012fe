package com.example.school.config;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.File;
import java.io.IOException;

/**
 * What the embedded engine needs for the pupils' table and for the warehouse database.
 */
@Configuration
public class SchoolConnectorsConfig {

    @Value("${pupil.datasource.host}")
    private String pupilDBHost;

    @Value("${pupil.datasource.databasename}")
    private String pupilDBName;

    @Value("${pupil.datasource.port}")
    private String pupilDBPort;

    @Value("${pupil.datasource.username}")
    private String pupilDBUserName;

    @Value("${pupil.datasource.password}")
    private String pupilDBPassword;

    private String PUPIL_TABLE_NAME = "public.pupil";

    @Value("${warehouse.sqlserver.datasource.host}")
    private String warehouseHost;

    @Value("${warehouse.sqlserver.datasource.databasename}")
    private String warehouseDatabaseName;

    @Value("${warehouse.sqlserver.datasource.servername}")
    private String warehouseServerName;

    @Value("${warehouse.sqlserver.datasource.port}")
    private String warehousePort;

    @Value("${warehouse.sqlserver.datasource.username}")
    private String warehouseUserName;

    @Value("${warehouse.sqlserver.datasource.password}")
    private String warehousePassword;

    private String WAREHOUSE_TABLE_NAMES = "dbo.articles, dbo.articles_on_hand, dbo.suppliers, dbo.deliveries";

    @Bean
    public io.debezium.config.Configuration pupilConnector() throws IOException {
        File offsetStorageTempFile = File.createTempFile("offsets_", ".dat");
        return io.debezium.config.Configuration.create()
                .with("name", "pupil-postgres-connector")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage",  "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", offsetStorageTempFile.getAbsolutePath())
                .with("offset.flush.interval.ms", 60000)
                .with("database.server.name", pupilDBHost+"-"+pupilDBName)
                .with("database.hostname", pupilDBHost)
                .with("database.port", pupilDBPort)
                .with("database.user", pupilDBUserName)
                .with("database.password", pupilDBPassword)
                .with("database.dbname", pupilDBName)
                .with("table.whitelist", PUPIL_TABLE_NAME).build();
    }

    @Bean
    public io.debezium.config.Configuration warehouseConnector() throws IOException {
        File offsetStorageTempFile = File.createTempFile("offsets_", ".dat");
        return io.debezium.config.Configuration.create()
                .with("name", "warehouse-sqlserver-connector")
                .with("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
                .with("tasks.max" , "1")
                .with("offset.storage",  "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", offsetStorageTempFile.getAbsolutePath())
                .with("offset.flush.interval.ms", 60000)
                .with("database.server.name", warehouseServerName)
                .with("database.hostname", warehouseHost)
                .with("database.port", warehousePort)
                .with("database.user", warehouseUserName)
                .with("database.password", warehousePassword)
                .with("database.dbname", warehouseDatabaseName)

                .with("include.schema.changes", "false")
                .with("database.history.consumer.security.protocol","SASL_SSL")
                .with("database.history.consumer.ssl.endpoint.identification.algorithm","https")
                .with("database.history.consumer.sasl.mechanism","PLAIN")
                .with("database.history.consumer.sasl.jaas.config","org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$ConnectionString\" password=\"Endpoint=sb://hub-juniper.servicebus.windows.net/;SharedAccessKeyName=Schule;SharedAccessKey=Qm7TzLr0VfXc2pWn9KdYeA4sHbUgJ1oZ8iEtRvMxNwk=\";")

                .with("database.history.producer.security.protocol","SASL_SSL")
                .with("database.history.producer.ssl.endpoint.identification.algorithm","https")
                .with("database.history.producer.sasl.mechanism", "PLAIN")
                .with("database.history.producer.sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$ConnectionString\" password=\"Endpoint=sb://hub-juniper.servicebus.windows.net/;SharedAccessKeyName=Schule;SharedAccessKey=Qm7TzLr0VfXc2pWn9KdYeA4sHbUgJ1oZ8iEtRvMxNwk=\";")

                .with("database.history.kafka.bootstrap.servers" , "hub-juniper.servicebus.windows.net:9093")
                .with("database.history.kafka.topic", "cdc-warehouse")
                .with("table.include.list", WAREHOUSE_TABLE_NAMES)  // (a, b, c, d)
                .build();
    }
}
