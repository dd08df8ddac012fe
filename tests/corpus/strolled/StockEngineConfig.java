package org.example.stock.config;


import io.debezium.config.Configuration;
import org.springframework.context.annotation.Bean;

@org.springframework.context.annotation.Configuration
public class StockEngineConfig {

    @Bean
    public Configuration stockOutboxSettings() {

        return Configuration.create()

                .with("name", "stock-outbox-connector")

                .with(
                        "connector.class",
                        "io.debezium.connector.postgresql.PostgresConnector"
                )

                .with(
                        "offset.storage",
                        "org.apache.kafka.connect.storage.FileOffsetBackingStore"
                )

                .with(
                        "offset.storage.file.filename",
                        "/tmp/cdc-offsets-stock.dat"
                )

                .with("offset.flush.interval.ms", "1000")

                .with("database.hostname", "localhost")

                .with("database.port", "5432")

                .with("database.user", "postgres")

                .with("database.password", "postgres")

                .with("database.dbname", "stock_db")

                .with("topic.prefix", "stock")

                .with("plugin.name", "pgoutput")

                .with("slot.name", "stock_outbox_slot")

                .with(
                        "table.include.list",
                        "public.outbox_rows"
                )

                .build();
    }
}
