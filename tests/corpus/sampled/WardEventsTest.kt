package org.example.wards

import io.debezium.testing.testcontainers.ConnectorConfiguration
import io.debezium.testing.testcontainers.DebeziumContainer
import org.testcontainers.containers.KafkaContainer
import org.testcontainers.containers.Network
import org.testcontainers.containers.PostgreSQLContainer
import org.testcontainers.utility.DockerImageName

object WardInfrastructure {

    private val network = Network.newNetwork()

    val kafka = KafkaContainer(DockerImageName.parse("confluentinc/cp-kafka"))
        .withNetwork(network)
        .also { it.start() }

    val pg = PostgreSQLContainer("postgres")
        .withNetwork(network)
        .withNetworkAliases("pg")
        .withCommand("postgres", "-c", "wal_level=logical")
        .also { it.start() }

    val connect = DebeziumContainer(DockerImageName.parse("debezium/connect"))
        .withNetwork(network)
        .withKafka(kafka)
        .dependsOn(kafka)
        .also {
            it.start()
            val config = ConnectorConfiguration.forJdbcContainer(pg)
                .with("transforms", "outbox")
                .with("plugin.name", "pgoutput")
                .with("topic.prefix", "wards")
                .with("table.include.list", "public.outbox")
                .with("table.whitelist", "public.outbox")
                .with("value.converter", "io.debezium.converters.BinaryDataConverter")
                .with("value.converter.delegate.converter.type", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.delegate.converter.type.schemas.enable", "false")
                .with("transforms.outbox.table.field.event.key", "id")
                .with("transforms.outbox.table.field.event.type", "event_type")
                .with("transforms.outbox.route.tombstone.on.empty.payload", "true")
                .with("transforms.outbox.route.topic.replacement", "ward.events")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            it.registerConnector("ward-connector", config)
        }
}
