package org.example.exchange.cdc

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
import java.util.Properties

@Component
class ExchangeCdcConfig(
    private val cdc: CdcSettings,
    private val publisher: TradeMessagePublisher,
) {
    private val log = LoggerFactory.getLogger(javaClass)

    @Bean
    fun cdcConfiguration(): Configuration {
        val table = "${cdc.db.schema}.trade_messages"
        return Configuration.from(Properties().apply {
            put("name", "trade-messages")
            put("connector.class", "io.debezium.connector.mysql.MySqlConnector")
            put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
            put("offset.storage.file.filename", cdc.engine.offsetFile)
            put("offset.flush.interval.ms", cdc.engine.flushMs.toString())

            put("database.hostname", cdc.db.host)
            put("database.port", cdc.db.port.toString())
            put("database.user", cdc.db.user)
            put("database.password", cdc.db.password)
            put("database.dbname", cdc.db.schema)
            put("database.server.id", cdc.engine.serverId)
            put("database.server.name", cdc.engine.serverName)

            put("table.include.list", table)
            put("column.include.list",
                "$table.message_id,$table.trade_id,$table.trade_kind,$table.message_kind,$table.content,$table.state")

            put("database.history", "io.debezium.relational.history.FileDatabaseHistory")
            put("database.history.file.filename", "/tmp/ddl.dat")

            put("snapshot.mode", cdc.engine.snapshot)
            put("poll.interval.ms", cdc.engine.pollMs.toString())

            put("transforms", "trade")
            put("transforms.trade.type", "io.debezium.transforms.outbox.EventRouter")
            put("transforms.trade.table.field.event.id", "message_id")
            put("transforms.trade.table.field.event.key", "trade_id")
            put("transforms.trade.table.field.event.type", "message_kind")
            put("transforms.trade.table.field.event.payload", "content")
            put("transforms.trade.route.by.field", "message_kind")
            put("transforms.trade.route.topic.replacement", "${cdc.topic}.\${routedByValue}")

            put("include.schema.changes", "false")
            put("tombstones.on.delete", "false")
        })
    }

    @Bean
    fun cdcEngine(): DebeziumEngine<RecordChangeEvent<SourceRecord>> =
        DebeziumEngine.create(ChangeEventFormat.of(Connect::class.java))
            .using(cdcConfiguration().asProperties())
            .notifying { batch, committer ->
                batch.forEach { handle(it.record()) }
                committer.markBatchFinished()
            }
            .build()

    private fun handle(record: SourceRecord) {
        try {
            val value = record.value() as? Struct ?: return log.debug("no row, skipped")
            when (value.getString("op")) {
                "c", "u" -> value.getStruct("after")?.let(publisher::publish)
                else -> log.debug("not an insert, skipped")
            }
        } catch (e: Exception) {
            log.error("row not handled: {}", e.message, e)
        }
    }
}
