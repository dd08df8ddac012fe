package org.example.trade.cdc

import io.debezium.config.Configuration
import org.springframework.context.annotation.Bean
import org.springframework.stereotype.Component
import java.util.Properties

@Component
class TradeCdcConfig(private val cdc: CdcProperties) {

    @Bean
    fun tradeOutbox(): Configuration {
        val table = "${cdc.database.name}.trade_outbox"
        val props = Properties().apply {
            put("name", "trade-outbox")
            put("connector.class", "io.debezium.connector.mysql.MySqlConnector")
            put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
            put("offset.storage.file.filename", cdc.engine.offsetFile)
            put("offset.flush.interval.ms", cdc.engine.offsetFlushMs.toString())

            put("database.hostname", cdc.database.host)
            put("database.port", cdc.database.port.toString())
            put("database.user", cdc.database.user)
            put("database.password", cdc.database.password)
            put("database.dbname", cdc.database.name)
            put("database.server.id", cdc.engine.serverId)
            put("database.server.name", cdc.engine.serverName)

            put("table.include.list", table)
            put(
                "column.include.list",
                listOf("event_id", "aggregate_id", "aggregate_type", "event_type", "payload", "created_at")
                    .joinToString(",") { "$table.$it" }
            )

            put("database.history", "io.debezium.relational.history.FileDatabaseHistory")
            put("database.history.file.filename", "/tmp/trade-history.dat")

            put("snapshot.mode", cdc.engine.snapshotMode)
            put("poll.interval.ms", cdc.engine.pollMs.toString())
            put("max.batch.size", cdc.engine.maxBatch.toString())

            put("transforms", "outbox")
            put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            put("transforms.outbox.table.field.event.id", "event_id")
            put("transforms.outbox.table.field.event.key", "aggregate_id")
            put("transforms.outbox.table.field.event.type", "event_type")
            put("transforms.outbox.table.field.event.payload", "payload")
            put("transforms.outbox.route.by.field", "event_type")
            put("transforms.outbox.route.topic.replacement", "${cdc.topics.trades}.\${routedByValue}")

            put("include.schema.changes", "false")
            put("tombstones.on.delete", "false")
            put("decimal.handling.mode", "string")
        }
        return Configuration.from(props)
    }
}
