package dev.tidepool.outbox

import io.debezium.embedded.Connect
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.RecordChangeEvent
import io.debezium.engine.format.ChangeEventFormat
import org.apache.kafka.connect.source.SourceRecord
import java.util.Properties

private val settings = mapOf(
    "name" to "tide-outbox",
    "connector.class" to "io.debezium.connector.mysql.MySqlConnector",
    "offset.storage" to "org.apache.kafka.connect.storage.FileOffsetBackingStore",
    "offset.storage.file.filename" to "/data/offsets.dat",
    "schema.history.internal" to "io.debezium.storage.file.history.FileSchemaHistory",
    "schema.history.internal.file.filename" to "/data/history.dat",
    "database.hostname" to System.getenv("TIDE_DB_HOST"),
    "database.port" to "3306",
    "database.user" to System.getenv("TIDE_DB_USER"),
    "database.password" to System.getenv("TIDE_DB_PASSWORD"),
    "database.server.id" to "31337",
    "topic.prefix" to "tide",
    "table.include.list" to "tide.outbox",
    "include.schema.changes" to "false",
    "transforms.outbox.type" to "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key" to "station_id",
    "transforms.outbox.route.topic.replacement" to "tide.\${routedByValue}",
)

class OutboxEngine(private val bus: EventBus) {
    // destination() is the topic the router chose: tide.reading, tide.alert
    val engine: DebeziumEngine<RecordChangeEvent<SourceRecord>> =
        DebeziumEngine.create(ChangeEventFormat.of(Connect::class.java))
            .using(Properties().apply { putAll(settings) })
            .notifying { event: RecordChangeEvent<SourceRecord> ->
                val record = event.record()
                bus.publish(record.topic(), record.key()?.toString(), record.value()?.toString())
            }
            .build()
}
