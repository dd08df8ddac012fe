package com.example.clinic.cdc;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Connector of the embedded engine. Only the table {@code patient} goes to the search
 * index, its history table must never be indexed.
 */
@Configuration
public class PatientCdcConfig {

    @Bean
    public io.debezium.config.Configuration patientConnector() {

        return io.debezium.config.Configuration.create()
                .with("name", "patient-postgres-connector")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/lib/clinic/offsets.dat")
                .with("offset.flush.interval.ms", "60")
                .with("database.hostname", "localhost")
                .with("database.port", 5432)
                .with("database.user", "clinic")
                .with("database.dbname", "postgres")
                .with("database.schema", "clinic")
                .with("schema.exclude.list", "audit,trigger")
                .with("database.server.name", "clinic-cdc")
                .with("table.exclude.list", "clinic.patient_history")
                .with("debezium.sink.type", "table")
                .with("debezium.sink.table.include.list", "patient")
                .with("debezium.payload.format", "debezium")
                .with("topic.prefix", "clinic-cdc")
                .with("plugin.name", "pgoutput")
                .build();
    }
}
