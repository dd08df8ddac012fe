package org.example.fulfilment

import com.fasterxml.jackson.databind.ObjectMapper
import jakarta.persistence.Column
import jakarta.persistence.Entity
import jakarta.persistence.Id
import jakarta.persistence.Table
import org.springframework.kafka.annotation.KafkaListener
import org.springframework.stereotype.Component
import org.springframework.web.client.RestClient
import java.util.UUID

/** Row of the outbox; Debezium takes it from there. */
@Entity
@Table(name = "outbox", schema = "orders")
class OutboxRow(
    @Id val id: UUID = UUID.randomUUID(),
    @Column(name = "aggregatetype") val aggregateType: String,
    @Column(name = "aggregateid") val aggregateId: String,
    @Column(name = "type") val type: String,
    @Column(name = "payload", columnDefinition = "text") val payload: String,
)

class OrderPlacedPublisher(private val rows: OutboxRepository, private val json: ObjectMapper) {
    fun publish(order: Order) {
        rows.save(
            OutboxRow(
                aggregateType = "Order",
                aggregateId = order.number,
                type = "OrderPlaced",
                payload = json.writeValueAsString(order),
            ),
        )
    }
}

/** Other service of the same repository: it packs what was ordered. */
@Component
class OrdersListener(private val packing: Packing, private val json: ObjectMapper) {
    @KafkaListener(topics = ["outbox.event.order"], groupId = "fulfilment")
    fun on(body: String) = packing.start(json.readValue(body, Order::class.java))
}

@Component
class ConnectorRegistration(private val connect: RestClient) {
    fun register() {
        connect.put().uri("/connectors/orders-outbox/config").body(
            mapOf(
                "connector.class" to "io.debezium.connector.postgresql.PostgresConnector",
                "database.hostname" to "orders-db",
                "database.port" to "5432",
                "database.user" to "postgres",
                "database.password" to "postgres",
                "database.dbname" to "orders",
                "topic.prefix" to "orders",
                "plugin.name" to "pgoutput",
                "table.include.list" to "orders.outbox",
                "key.converter" to "org.apache.kafka.connect.storage.StringConverter",
                "value.converter" to "org.apache.kafka.connect.storage.StringConverter",
                "tombstones.on.delete" to "false",
                "transforms" to "outbox",
                "transforms.outbox.type" to "io.debezium.transforms.outbox.EventRouter",
            ),
        ).retrieve().toBodilessEntity()
    }
}
