package org.example.library

import com.fasterxml.jackson.module.kotlin.jacksonObjectMapper
import io.debezium.testing.testcontainers.ConnectorConfiguration
import io.debezium.testing.testcontainers.DebeziumContainer
import org.apache.kafka.clients.consumer.KafkaConsumer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.testcontainers.containers.KafkaContainer
import org.testcontainers.containers.Network
import org.testcontainers.containers.PostgreSQLContainer
import org.testcontainers.utility.DockerImageName
import java.time.Duration

class LibraryOutboxTest {
    private val network = Network.newNetwork()
    private val kafka = KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.6.1")).withNetwork(network)
    private val db = PostgreSQLContainer("postgres:16-alpine")
        .withNetwork(network)
        .withNetworkAliases("library-db")
        .withCommand("postgres", "-c", "wal_level=logical")
    private val connect = DebeziumContainer("quay.io/debezium/connect:2.7.3.Final").withNetwork(network).withKafka(kafka)

    private val connector = ConnectorConfiguration.create()
        .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
        .with("database.hostname", "library-db")
        .with("database.port", 5432)
        .with("database.user", "test")
        .with("database.password", "test")
        .with("database.dbname", "test")
        .with("topic.prefix", "library")
        .with("plugin.name", "pgoutput")
        .with("table.include.list", "public.outbox")
        .with("transforms", "outbox")
        .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
        .with("transforms.outbox.table.expand.json.payload", true)
        .with("transforms.outbox.table.fields.additional.placement", "type:header:eventType")
        .with("key.converter", "org.apache.kafka.connect.storage.StringConverter")
        .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")

    @Test
    fun `a loan is published as json`() {
        listOf(kafka, db).forEach { it.start() }
        connect.start()
        db.createConnection("").use { c ->
            c.createStatement().execute(
                """
                create table outbox (id uuid primary key, aggregatetype text not null, aggregateid text not null,
                                     type text not null, payload jsonb not null);
                insert into outbox values ('6f3c0a6e-8a52-4f0b-9d7e-0c9b2f1b7a11', 'loan', 'L-9', 'LoanStarted',
                                           '{"book": "B-4711", "days": 28}');
                """.trimIndent(),
            )
        }
        connect.registerConnector("library-outbox", connector)

        KafkaConsumer<String, String>(consumerProps(kafka.bootstrapServers)).use { consumer ->
            consumer.subscribe(listOf("outbox.event.loan"))
            val record = consumer.poll(Duration.ofSeconds(40)).single()
            val loan = jacksonObjectMapper().readTree(record.value())
            assertEquals("B-4711", loan["book"].asText())
            assertEquals(28, loan["days"].asInt())
        }
    }
}
