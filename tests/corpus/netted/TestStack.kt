package org.example.checkout

import org.testcontainers.containers.GenericContainer
import org.testcontainers.containers.wait.strategy.Wait

abstract class TestStack {

    companion object {
        private val connect: GenericContainer<*> = GenericContainer("confluentinc/cp-kafka-connect:7.8.0")
            .withNetwork(sharedNetwork)
            .withExposedPorts(8083)
            .withEnv("CONNECT_BOOTSTRAP_SERVERS", "kafka:9092")
            .withEnv("CONNECT_PLUGIN_PATH", "/usr/share/java,/usr/share/confluent-hub-components")
            .withCommand(
                "bash", "-c",
                """
                confluent-hub install debezium/debezium-connector-postgresql:latest --no-prompt
                /etc/confluent/docker/run
                """.trimIndent()
            )
            .dependsOn(kafka, postgres)
            .waitingFor(Wait.forHttp("/connector-plugins").forPort(8083))

        init {
            connect.start()
            registerOutbox()
        }

        private fun registerOutbox() {
            val body = """
            {
                "name": "checkout-outbox-connector",
                "config": {
                    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                    "database.hostname": "postgres",
                    "database.port": "5432",
                    "database.user": "test",
                    "database.password": "test",
                    "database.dbname": "checkout",
                    "database.server.name": "postgres",
                    "schema.include.list": "public",
                    "table.include.list": "public.checkout_outbox_rows",
                    "topic.prefix": "checkout",
                    "transforms": "unwrap",
                    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
                    "transforms.unwrap.drop.tombstones": "true",
                    "plugin.name": "pgoutput",
                    "key.converter.schemas.enable": "false",
                    "value.converter.schemas.enable": "false",
                    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
                    "snapshot.mode": "initial"
                }
            }
            """.trimIndent()

            connect.execInContainer(
                "curl", "-X", "POST",
                "-H", "Content-Type: application/json",
                "-d", body,
                "http://localhost:8083/connectors"
            )
        }
    }
}
