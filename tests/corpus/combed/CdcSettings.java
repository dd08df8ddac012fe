package org.example.forum.adapter.cdc;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Settings of the engine that reads the outbox of the forum. One replica only:
 * two engines would fight for the same slot.
 */
@Configuration
@ConditionalOnProperty(name = "forum.cdc.enabled", havingValue = "true")
public class CdcSettings {

    private final CdcProperties cdc;

    public CdcSettings(CdcProperties cdc) {
        this.cdc = cdc;
    }

    @Bean
    public io.debezium.config.Configuration engineSettings() {
        return io.debezium.config.Configuration.create()
                .with("name", cdc.getName())
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", cdc.getOffsetFile())
                .with("offset.flush.interval.ms", "1000")
                .with("database.hostname", cdc.getDb().getHost())
                .with("database.port", cdc.getDb().getPort())
                .with("database.user", cdc.getDb().getUser())
                .with("database.password", cdc.getDb().getPassword())
                .with("database.dbname", cdc.getDb().getName())
                .with("topic.prefix", cdc.getDb().getLogicalName())
                .with("plugin.name", "pgoutput")
                // the publication is made by the migration V12
                .with("publication.name", "forum_outbox_pub")
                .with("slot.name", "forum_outbox_slot")
                .with("schema.include.list", cdc.getDb().getSchemas())
                .with("table.include.list", cdc.getDb().getTables())
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.expand.json.payload", "true")
                .with("transforms.outbox.table.field.event.id", "id")
                .with("transforms.outbox.table.field.event.key", "aggregateid")
                .with("transforms.outbox.table.field.event.type", "type")
                .with("transforms.outbox.table.field.event.payload", "payload")
                .with("transforms.outbox.table.fields.additional.placement",
                        "type:envelope:eventType,aggregateid:envelope:aggregateId")
                .with("transforms.outbox.route.topic.replacement", "outbox.event.${routedByValue}")
                .with("snapshot.mode", "initial")
                .build();
    }
}
