package org.example.wallet

import org.springframework.boot.testcontainers.service.connection.ServiceConnection
import org.springframework.test.context.ActiveProfiles
import org.testcontainers.containers.GenericContainer
import org.testcontainers.containers.KafkaContainer
import org.testcontainers.containers.Network
import org.testcontainers.containers.PostgreSQLContainer
import org.testcontainers.containers.wait.strategy.Wait
import org.testcontainers.junit.jupiter.Container
import org.testcontainers.junit.jupiter.Testcontainers
import org.testcontainers.utility.DockerImageName

@Testcontainers
@ActiveProfiles("test")
abstract class WalletIntegrationTest {

    companion object {
        private val net = Network.newNetwork()

        @JvmStatic
        @Container
        @ServiceConnection
        val postgres = PostgreSQLContainer("postgres:latest")
            .withNetwork(net)
            .withNetworkAliases("walletpg")
            .withDatabaseName("wallet")
            .withUsername("walletuser")
            .withPassword("walletpass")
            .withCommand("postgres", "-c", "wal_level=logical")

        @JvmStatic
        @Container
        @ServiceConnection
        val kafka = KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka:7.6.0"))
            .withNetwork(net)
            .withNetworkAliases("kafka")

        @JvmStatic
        @Container
        val connect = GenericContainer("confluentinc/cp-kafka-connect:latest")
            .withNetwork(net)
            .withExposedPorts(8083)
            .withEnv("CONNECT_BOOTSTRAP_SERVERS", "kafka:9092")
            .withEnv("CONNECT_GROUP_ID", "wallet-tests")
            .withEnv("CONNECT_CONFIG_STORAGE_TOPIC", "wallet-config")
            .withEnv("CONNECT_OFFSET_STORAGE_TOPIC", "wallet-offset")
            .withEnv("CONNECT_STATUS_STORAGE_TOPIC", "wallet-status")
            .withEnv("CONNECT_KEY_CONVERTER", "org.apache.kafka.connect.storage.StringConverter")
            .withEnv("CONNECT_VALUE_CONVERTER", "org.apache.kafka.connect.json.JsonConverter")
            .withEnv("CONNECT_REST_ADVERTISED_HOST_NAME", "connect")
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
            createConnector()
        }

        private fun createConnector() {
            val body = """
            {
                "name": "payout-outbox-connector",
                "config": {
                    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                    "database.hostname": "walletpg",
                    "database.port": "5432",
                    "database.user": "walletuser",
                    "database.password": "walletpass",
                    "database.dbname": "wallet",
                    "database.server.name": "walletpg",
                    "schema.include.list": "public",
                    "table.include.list": "public.payout_outbox_rows",
                    "topic.prefix": "payout",
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
