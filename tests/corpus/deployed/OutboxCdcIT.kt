package io.harbor.listing

import io.debezium.testing.testcontainers.ConnectorConfiguration
import io.debezium.testing.testcontainers.DebeziumContainer
import org.apache.kafka.clients.consumer.ConsumerConfig
import org.apache.kafka.clients.consumer.KafkaConsumer
import org.apache.kafka.common.serialization.ByteArrayDeserializer
import org.apache.kafka.common.serialization.StringDeserializer
import org.flywaydb.core.Flyway
import org.junit.jupiter.api.BeforeAll
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.jdbc.datasource.DriverManagerDataSource
import org.testcontainers.containers.Network
import org.testcontainers.containers.PostgreSQLContainer
import org.testcontainers.junit.jupiter.Container
import org.testcontainers.junit.jupiter.Testcontainers
import org.testcontainers.kafka.ConfluentKafkaContainer
import java.util.UUID

@Testcontainers
class OutboxCdcIT {
    companion object {
        private val network = Network.newNetwork()

        @Container
        @JvmStatic
        val kafka = ConfluentKafkaContainer("confluentinc/cp-kafka:7.8.0").withNetwork(network)

        @Container
        @JvmStatic
        val db: PostgreSQLContainer<*> =
            PostgreSQLContainer("postgres:17")
                .withNetwork(network)
                .withNetworkAliases("db")
                .withCommand("postgres", "-c", "wal_level=logical")

        @Container
        @JvmStatic
        val debezium: DebeziumContainer =
            DebeziumContainer(System.getProperty("debezium.image")).withNetwork(network).dependsOn(db)

        private lateinit var listings: ListingService

        @BeforeAll
        @JvmStatic
        fun start() {
            val source = DriverManagerDataSource(db.jdbcUrl, db.username, db.password)
            Flyway.configure().dataSource(source).load().migrate()
            val jdbc = JdbcClient.create(source)
            listings = ListingService(ListingRepository(jdbc), OutboxRepository(jdbc))

            val config =
                ConnectorConfiguration
                    .forJdbcContainer(db)
                    .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                    .with("topic.prefix", "listing-service")
                    .with("plugin.name", "pgoutput")
                    .with("slot.name", "listing_outbox_slot")
                    .with("table.include.list", "public.outbox")
                    .with("tombstones.on.delete", "false")
                    .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
                    .with("value.converter", "io.debezium.converters.BinaryDataConverter")
                    .with("transforms", "outbox")
                    .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                    .with("transforms.outbox.table.field.event.key", "aggregateid")
                    .with("transforms.outbox.route.by.field", "aggregatetype")
                    .with("transforms.outbox.route.topic.replacement", Topics.LISTING_PUBLISHED)
            debezium.registerConnector("listing-outbox", config)
        }

        private fun consumer() =
            KafkaConsumer(
                mapOf(
                    ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG to kafka.bootstrapServers,
                    ConsumerConfig.GROUP_ID_CONFIG to "it-${UUID.randomUUID()}",
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG to "earliest",
                ),
                StringDeserializer(),
                ByteArrayDeserializer(),
            )
    }
}
