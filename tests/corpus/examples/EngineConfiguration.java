package com.acme.membership.cdc;

import io.debezium.config.Configuration;
import org.springframework.context.annotation.Bean;

@org.springframework.context.annotation.Configuration
public class EngineConfiguration {

    @Bean
    public Configuration membershipConnector() {
        return Configuration.create()
                .with("name", "membership-outbox")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("tasks.max", "1")
                .with("topic.prefix", "test")
                .with("database.server.name", "membership-poc")
                .with("database.hostname", "localhost")
                .with("database.port", "5432")
                .with("database.dbname", "membership_poc")
                .with("database.user", "postgres")
                .with("database.password", "test")
                .with("plugin.name", "pgoutput")
                .with("wal_level", "logical")
                .with("table.include.list", "public.mails")
                .with("skipped.operations", "t,d")
                .with("decimal.handling.mode", "string")
                .with("tombstones.on.delete", "false")
                .with("route.topic.regex", "")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "membership-offset.dat")
                .with("offset.flush.interval.ms", 60000)
                .with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
                .with("schema.history.internal.file.filename", "membership-history.dat")
                .build();
    }
}
