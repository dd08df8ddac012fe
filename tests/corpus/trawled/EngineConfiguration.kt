package com.example.berth.infrastructure.cdc

import io.debezium.config.Configuration
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean

@org.springframework.context.annotation.Configuration
class EngineConfiguration {

    // jdbc:postgresql://berth-db:5432/berth-db
    @Value("\${spring.datasource.url}")
    private lateinit var url: String

    @Value("\${spring.datasource.username}")
    private lateinit var user: String

    @Value("\${spring.datasource.password}")
    private lateinit var password: String

    @Bean
    fun berthConnector(): Configuration {
        return Configuration.create()
            .with("name", "berth_outbox_connector")
            .with("tasks.max", "1")
            .with("database.hostname", url.substringAfter("//").substringBefore(":"))
            .with("database.port", url.substringAfter(":").substringBefore("/"))
            .with("database.user", user)
            .with("database.password", password)
            .with("database.dbname", "berth-db")
            .with("database.server.name", "postgres")
            .with("schema.include.list", "berth")
            // .with("table.whitelist", "berth-db.outbox")
            .with("table.whitelist", "berth.outbox")
            .with("transforms", "outbox")
            .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            .with("transforms.outbox.route.by.field", "topic")
            .with("transforms.outbox.table.field.event.id", "id")
            .with("transforms.outbox.table.field.event.key", "aggregateId")
            .with("transforms.outbox.table.field.event.type", "eventType")
            .with("transforms.outbox.table.field.event.payload.id", "aggregateId")
            .with("transforms.outbox.table.expand.json.payload", "true")
            .with("transforms.outbox.tracing.with.context.field.only", "true")
            .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
            .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
            .with("include.schema.changes", "true")
            .with("topic", "berth-request")
            .build()
    }
}
