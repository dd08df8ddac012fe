package org.example.booking.infrastructure.cdc

import io.debezium.config.Configuration
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean

@org.springframework.context.annotation.Configuration
class BookingConnector {

    @Value("\${spring.datasource.url}") // jdbc:postgresql://booking-pg:5432/booking-db
    private lateinit var url: String

    @Value("\${spring.datasource.username}")
    private lateinit var user: String

    @Value("\${spring.datasource.password}")
    private lateinit var password: String

    @Bean
    fun bookingOutbox(): Configuration =
        Configuration.create()
            .with("name", "booking_outbox")
            .with("tasks.max", "1")
            .with("database.hostname", url.substringAfter("//").substringBefore(":"))
            .with("database.port", url.substringAfter(":").substringBefore("/"))
            .with("database.user", user)
            .with("database.password", password)
            .with("database.dbname", "booking-db")
            .with("database.server.name", "bookings")
            .with("table.whitelist", "booking-db.outgoing")
            .with("transforms", "booking")
            .with("transforms.booking.type", "io.debezium.transforms.outbox.EventRouter")
            .with("transforms.booking.table.field.event.id", "id")
            .with("transforms.booking.table.field.event.key", "bookingId")
            .with("transforms.booking.table.field.event.type", "kind")
            .with("transforms.booking.table.field.event.payload.id", "bookingId")
            .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
            .with("key.converter.schemas.enable", "false")
            .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
            .with("value.converter.schemas.enable", "false")
            .with("include.schema.changes", "false")
            .with("topic", "booking-wishes")
            .build()
}
