package org.example.trips

import io.debezium.testing.testcontainers.ConnectorConfiguration
import io.debezium.testing.testcontainers.DebeziumContainer
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import org.apache.kafka.clients.consumer.KafkaConsumer
import org.apache.kafka.common.serialization.StringDeserializer
import org.testcontainers.containers.KafkaContainer
import org.testcontainers.containers.Network
import org.testcontainers.containers.PostgreSQLContainer
import org.testcontainers.utility.DockerImageName
import java.sql.DriverManager
import java.time.Duration

class TripEventsTest : FunSpec({
    val net = Network.newNetwork()
    val kafka = KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.6.1")).withNetwork(net)
    val pg = PostgreSQLContainer("postgres:15")
        .withNetwork(net)
        .withNetworkAliases("trips-db")
        .withDatabaseName("trips")
        .withUsername("test")
        .withPassword("test")
        .withCommand("postgres", "-c", "wal_level=logical")
    val connect = DebeziumContainer("debezium/connect:2.7.3.Final").withNetwork(net).withKafka(kafka)

    beforeSpec {
        kafka.start()
        pg.start()
        connect.start()
        DriverManager.getConnection(pg.jdbcUrl, "test", "test").use { c ->
            c.createStatement().execute(
                """
                CREATE TABLE "TripOutbox" (
                  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                  trip_id bigint NOT NULL, kind text NOT NULL, payload text NOT NULL)
                """
            )
            c.createStatement().execute("""CREATE PUBLICATION dbz_publication FOR TABLE "TripOutbox"""")
        }
        // port inside the network, not pg.firstMappedPort
        connect.registerConnector(
            "trips",
            ConnectorConfiguration.create()
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("database.hostname", "trips-db")
                .with("database.port", "5432")
                .with("database.user", "test")
                .with("database.password", "test")
                .with("database.dbname", "trips")
                .with("topic.prefix", "trips")
                .with("plugin.name", "pgoutput")
                .with("publication.autocreate.mode", "disabled")
                .with("table.include.list", "public.tripoutbox")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.field.event.key", "trip_id")
                .with("transforms.outbox.route.by.field", "kind")
                .with("transforms.outbox.route.topic.replacement", "trips.\${routedByValue}")
                .with("value.converter", "org.apache.kafka.connect.storage.StringConverter")
        )
        connect.ensureConnectorTaskState("trips", 0, io.debezium.testing.testcontainers.Connector.State.RUNNING)
    }

    test("a finished trip is published") {
        DriverManager.getConnection(pg.jdbcUrl, "test", "test").use {
            it.createStatement().executeUpdate(
                """INSERT INTO "TripOutbox" (trip_id, kind, payload) VALUES (7, 'finished', '{"km": 12}')"""
            )
        }
        val props = mapOf<String, Any>(
            "bootstrap.servers" to kafka.bootstrapServers, "group.id" to "t", "auto.offset.reset" to "earliest"
        )
        KafkaConsumer(props, StringDeserializer(), StringDeserializer()).use { consumer ->
            consumer.subscribe(listOf("trips.finished"))
            val records = generateSequence { consumer.poll(Duration.ofSeconds(5)) }.take(6).firstOrNull { !it.isEmpty }
            records!!.first().value() shouldBe """{"km": 12}"""
        }
    }
})
