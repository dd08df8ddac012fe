package grain.cdc.config

import grain.cdc.relay.BidOutboxRelay
import io.debezium.config.Configuration
import io.debezium.embedded.Connect
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.RecordChangeEvent
import io.debezium.engine.format.ChangeEventFormat
import org.apache.kafka.connect.data.Struct
import org.apache.kafka.connect.source.SourceRecord
import org.slf4j.LoggerFactory
import org.springframework.context.annotation.Bean
import org.springframework.stereotype.Component
import java.util.*

@Component
class GrainCdcConfig(
    private val settings: GrainCdcProperties,
    private val relay: BidOutboxRelay
) {
    private val log = LoggerFactory.getLogger(javaClass)

    @Bean
    fun engineConfiguration(): Configuration {
        val db = settings.database.name
        val props = Properties().apply {
            put("name", "bid-outbox-connector")
            put("connector.class", "io.debezium.connector.mysql.MySqlConnector")
            put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
            put("offset.storage.file.filename", settings.engine.offsetFile)
            put("offset.flush.interval.ms", settings.engine.offsetFlushMs.toString())

            put("database.hostname", settings.database.host)
            put("database.port", settings.database.port.toString())
            put("database.user", settings.database.login)
            put("database.password", settings.database.secret)
            put("database.dbname", settings.database.name)
            put("database.server.id", settings.engine.serverId)
            put("database.server.name", settings.engine.serverName)

            put("table.include.list", "$db.bid_outbox_events")
            put("column.include.list",
                "$db.bid_outbox_events.event_id," +
                "$db.bid_outbox_events.aggregate_id," +
                "$db.bid_outbox_events.aggregate_type," +
                "$db.bid_outbox_events.event_type," +
                "$db.bid_outbox_events.payload," +
                "$db.bid_outbox_events.status," +
                "$db.bid_outbox_events.created_at"
            )

            put("database.history", "io.debezium.relational.history.FileDatabaseHistory")
            put("database.history.file.filename", "/tmp/grain-history.dat")

            put("snapshot.mode", settings.engine.snapshotMode)
            put("poll.interval.ms", settings.engine.pollMs.toString())
            put("max.batch.size", settings.engine.batchSize.toString())

            put("transforms", "outbox")
            put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            put("transforms.outbox.table.field.event.id", "event_id")
            put("transforms.outbox.table.field.event.key", "aggregate_id")
            put("transforms.outbox.table.field.event.type", "event_type")
            put("transforms.outbox.table.field.event.payload", "payload")
            put("transforms.outbox.route.by.field", "event_type")
            put("transforms.outbox.route.topic.replacement", "${settings.kafka.bidTopic}.\${routedByValue}")

            put("include.schema.changes", "false")
            put("tombstones.on.delete", "false")
            put("decimal.handling.mode", "string")
        }
        return Configuration.from(props)
    }

    @Bean
    fun engine(): DebeziumEngine<RecordChangeEvent<SourceRecord>> =
        DebeziumEngine.create(ChangeEventFormat.of(Connect::class.java))
            .using(engineConfiguration().asProperties())
            .notifying { batch: List<RecordChangeEvent<SourceRecord>>, committer: DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> ->
                try {
                    batch.forEach { take(it.record()) }
                    committer.markBatchFinished()
                } catch (e: Exception) {
                    log.error("batch not handled", e)
                }
            }
            .build()

    private fun take(record: SourceRecord) {
        try {
            if (record.value() == null) return
            val value = record.value() as Struct
            when (value.getString("op")) {
                "c", "u" -> value.getStruct("after")?.let { relay.publish(it) }
                "d" -> log.debug("row removed")
                else -> log.warn("other operation")
            }
        } catch (e: Exception) {
            log.error("record not handled: ${e.message}", e)
        }
    }
}
