package org.example.campsite.config

import io.debezium.config.Configuration
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean

@org.springframework.context.annotation.Configuration
class ReservationConnector {

    @Value("\${spring.datasource.url}")
    private lateinit var url: String

    @Value("\${spring.datasource.username}")
    private lateinit var username: String

    @Value("\${spring.datasource.password}")
    private lateinit var password: String

    /** Config of the embedded engine over the outbox of the reservations. */
    @Bean
    fun pitchConnector(): Configuration {
        return Configuration.create()
            .with("name", "pitch_outbox_connector")
            .with("tasks.max", "1")
            .with("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore")
            .with("database.hostname", url.substringAfter("//").substringBefore(":"))
            .with("database.port", url.substringAfterLast(":").substringBefore("/"))
            .with("database.user", username)
            .with("database.password", password)
            .with("database.dbname", "campsite-db")
            .with("database.server.name", "postgres")
            .with("schema.include.list", "campsite")
            .with("table.whitelist", "campsite.outbox")
            .with("transforms", "outbox")
            .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            .with("transforms.outbox.route.by.field", "topic")
            .with("transforms.outbox.table.field.event.id", "id")
            .with("transforms.outbox.table.field.event.key", "aggregateId")
            .with("transforms.outbox.table.field.event.type", "eventType")
            .with("transforms.outbox.table.field.event.payload.id", "aggregateId")
            .with("transforms.outbox.table.expand.json.payload", "true")
            .with("transforms.outbox.tracing.with.context.field.only", "true")
            .with("include.schema.changes", "true")
            .with("topic", "pitch-request")
            .build()
    }
}
