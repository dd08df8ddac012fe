package org.example.payroll;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class PayrollSourceConfig {

    @Bean
    public io.debezium.config.Configuration payrollSource() {
        return io.debezium.config.Configuration.create()
                .with("name", "payroll-reader")
                .with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
                .with("topic.prefix", "payroll")

                // our own store writes the position into a table, so a restart goes on where the last run stopped
                .with("offset.storage", "org.example.payroll.store.TableOffsetBackingStore")
                // .with("offset.storage.topic", "payroll-positions")
                // .with("offset.storage.partitions", "1")
                .with("offset.flush.interval.ms", "20000")

                .with("database.server.name", "payroll-mysql")
                .with("database.server.id", "77120")
                .with("database.hostname", "127.0.0.1")
                .with("database.port", "3307")
                .with("database.user", "reader")
                .with("database.password", "123456")
                .with("database.dbname", "payroll")
                .with("database.history.kafka.bootstrap.servers", "localhost:9094")
//                .with("database.history.kafka.topic", "payroll-ddl")

                .with("heartbeat.interval.ms", "3000")
                .with("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory")
                // .with("schema.history.internal.kafka.bootstrap.servers", "localhost:9094")
                .build();
    }
}
