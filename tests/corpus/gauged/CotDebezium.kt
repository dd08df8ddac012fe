package cots.fixtures.containers

import io.debezium.testing.testcontainers.ConnectorConfiguration
import io.debezium.testing.testcontainers.DebeziumContainer
import org.slf4j.LoggerFactory

class CotDebezium(kafka: Kafka, postgres: Postgres) {

    private val log = LoggerFactory.getLogger(CotDebezium::class.java)

    val container = DebeziumContainer("quay.io/debezium/connect:2.4.1.Final")
        .withNetwork(kafka.container.network)
        .withKafka(kafka.container)
        .dependsOn(kafka.container)
        .also {
            it.start()
            val settings = ConnectorConfiguration.forJdbcContainer(postgres.container)
                .with("transforms", "outbox")
                .with("plugin.name", "pgoutput")
                .with("topic.prefix", "ward")
                .with("table.include.list", "public.outbox")
                .with("table.whitelist", "public.outbox")
                .with("value.converter", "io.debezium.converters.BinaryDataConverter")
                .with("value.converter.delegate.converter.type", "org.apache.kafka.connect.json.JsonConverter")
                .with("value.converter.delegate.converter.type.schemas.enable", "false")
                .with("transforms.outbox.table.field.event.key", "id")
                .with("transforms.outbox.table.field.event.type", "event_type")
                .with("transforms.outbox.route.tombstone.on.empty.payload", "true")
                .with("transforms.outbox.route.topic.replacement", "wardcot.events")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            it.registerConnector("cot-connector", settings)
            log.info("registered")
        }
}
