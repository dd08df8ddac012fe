package com.acme.subscriptions.outbox

import com.fasterxml.jackson.databind.ObjectMapper
import jakarta.persistence.Column
import jakarta.persistence.Entity
import jakarta.persistence.Id
import jakarta.persistence.Table
import org.springframework.boot.ApplicationRunner
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.MediaType
import org.springframework.web.client.RestClient
import java.util.UUID

// Spring Boot 3, default naming strategy (CamelCaseToUnderscoresNamingStrategy)
@Entity
@Table(name = "outbox", schema = "public")
class OutboxRow(
    @Id val id: UUID = UUID.randomUUID(),
    val aggregateType: String,
    val aggregateId: String,
    val type: String,
    @Column(columnDefinition = "text") val payload: String,
)

@Configuration
class OutboxConnectorSetup(private val json: ObjectMapper) {

    @Bean
    fun registerOutboxConnector() = ApplicationRunner {
        val config = mapOf(
            "connector.class" to "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max" to "1",
            "database.hostname" to "subscriptions-db",
            "database.port" to "5432",
            "database.user" to "debezium",
            "database.password" to "\${env:SUBSCRIPTIONS_DB_PASSWORD}",
            "database.dbname" to "subscriptions",
            "topic.prefix" to "subscriptions",
            "plugin.name" to "pgoutput",
            "slot.name" to "subscriptions_outbox",
            "publication.autocreate.mode" to "filtered",
            "table.include.list" to "public.outbox",
            "column.truncate.to.2048.chars" to "public.outbox.payload",
            "transforms" to "outbox",
            "transforms.outbox.type" to "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.route.by.field" to "aggregateType",
            "transforms.outbox.table.field.event.key" to "aggregate_id",
            "transforms.outbox.route.topic.replacement" to "subscriptions.\${routedByValue}",
            "key.converter" to "org.apache.kafka.connect.storage.StringConverter",
            "value.converter" to "org.apache.kafka.connect.storage.StringConverter",
        )
        RestClient.create("http://connect:8083").put()
            .uri("/connectors/subscriptions-outbox/config")
            .contentType(MediaType.APPLICATION_JSON)
            .body(json.writeValueAsString(config))
            .retrieve()
            .toBodilessEntity()
    }
}
