package org.example.rental

import org.testcontainers.containers.GenericContainer
import org.testcontainers.containers.wait.strategy.Wait
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse

object OutboxContainers {

    private val connect = GenericContainer("confluentinc/cp-kafka-connect:7.6.0")
        .withCommand(
            "bash", "-c",
            "confluent-hub install debezium/debezium-connector-postgresql:latest --no-prompt && /etc/confluent/docker/run"
        )
        .waitingFor(Wait.forHttp("/connector-plugins").forPort(8083))

    fun start() {
        connect.start()
        register()
    }

    private fun register() {
        val body = """
        {
            "name": "rental-outbox-connector",
            "config": {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                "database.hostname": "postgres",
                "database.port": "5432",
                "database.user": "user1",
                "database.password": "pass1",
                "database.dbname": "db1",
                "database.server.name": "postgres",
                "schema.include.list": "public",
                "table.include.list": "public.rental_outbox_events",
                "topic.prefix": "rental",
                "transforms": "unwrap",
                "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
                "plugin.name": "pgoutput",
                "key.converter.schemas.enable": "false",
                "value.converter.schemas.enable": "false",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter": "org.apache.kafka.connect.storage.StringConverter",
                "snapshot.mode": "initial"
            }
        }
        """.trimIndent()
        val uri = URI("http://${connect.host}:${connect.getMappedPort(8083)}/connectors")
        val request = HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build()
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())
    }
}
