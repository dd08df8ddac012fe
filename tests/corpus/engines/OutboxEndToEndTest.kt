package org.example.outbox

import io.debezium.testing.testcontainers.Connector
import io.debezium.testing.testcontainers.DebeziumContainer
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.BeforeEach
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.http.HttpEntity
import org.springframework.http.HttpHeaders
import org.springframework.http.MediaType
import org.springframework.web.client.RestTemplate
import org.testcontainers.containers.KafkaContainer
import org.testcontainers.containers.Network
import org.testcontainers.containers.PostgreSQLContainer
import org.testcontainers.lifecycle.Startables
import java.io.ByteArrayInputStream
import java.util.stream.Stream

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.DEFINED_PORT)
internal class OutboxEndToEndTest {

    private val restTemplate = RestTemplate()

    @BeforeEach
    fun registerConnector() {
        // the router's placeholder, not Kotlin's
        val valueOfRoute = "\${routedByValue}"
        val json = """
            {
                "name": "letters-outbox",
                "config": {
                    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                    "plugin.name": "pgoutput",
                    "tasks.max": "1",
                    "database.hostname": "${postgres.containerInfo.config.hostName}",
                    "database.port": "${postgres.exposedPorts[0]}",
                    "database.user": "${postgres.username}",
                    "database.password": "${postgres.password}",
                    "database.dbname" : "${postgres.databaseName}",
                    "database.server.name": "letters-test-server",
                    "schema.whitelist": "public",
                    "table.whitelist" : "public.outbox_event",
                    "tombstones.on.delete" : "false",
                    "transforms" : "outbox",
                    "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
                    "transforms.outbox.route.by.field" : "target_topic",
                    "transforms.outbox.route.topic.replacement" : "${valueOfRoute}",
                    "transforms.outbox.table.field.event.key":  "aggregate_id",
                    "transforms.outbox.table.field.event.payload.id": "aggregate_id",
                    "transforms.outbox.table.fields.additional.placement": "type:header:eventType,trace_id:header:b3",
                    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
                    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
                }
            }
        """
        val connector = Connector.fromJson(ByteArrayInputStream(json.toByteArray()))
        val headers = HttpHeaders().apply { contentType = MediaType.APPLICATION_JSON }
        restTemplate.postForEntity(debezium.connectors, HttpEntity(connector.toJson(), headers), Any::class.java)
    }

    companion object {
        private val network = Network.newNetwork()

        private val kafka = KafkaContainer().withNetwork(network)

        private val postgres = Postgres()
                .withNetwork(network)
                .withNetworkAliases("postgres")
                .withCommand("postgres -c wal_level=logical")

        private val debezium = DebeziumContainer("1.1.1.Final")
                .withNetwork(network)
                .withKafka(kafka)
                .dependsOn(kafka)

        @BeforeAll
        @JvmStatic
        fun start() {
            Startables.deepStart(Stream.of(kafka, postgres, debezium)).join()
        }
    }

    private class Postgres : PostgreSQLContainer<Postgres>("postgres:11")
}
