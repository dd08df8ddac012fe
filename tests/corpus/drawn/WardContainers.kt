package ward.testing

import io.debezium.testing.testcontainers.ConnectorConfiguration
import io.debezium.testing.testcontainers.DebeziumContainer


class WardDebezium(broker: WardKafka, db: WardPostgres) {

    val container = DebeziumContainer("quay.io/debezium/connect:2.4.1.Final")
        .withNetwork(broker.container.network)
        .withKafka(broker.container)
        .dependsOn(broker.container)
        .also {

            it.start()
            val config = ConnectorConfiguration.forJdbcContainer(db.container)
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
                .with("transforms.outbox.route.topic.replacement", "wardbeds.events")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            it.registerConnector("ward-connector", config)
        }

}
