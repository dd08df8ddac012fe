package com.example.lab.outbox

import io.debezium.config.CommonConnectorConfig
import io.debezium.config.Configuration
import io.debezium.embedded.EmbeddedEngine
import io.debezium.util.Clock
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import org.apache.kafka.connect.data.Struct
import org.apache.kafka.connect.json.JsonConverter
import org.apache.kafka.connect.source.SourceRecord

// Options: https://debezium.io/documentation/reference/1.0/connectors/postgresql.html
val watcherConfig: Configuration = Configuration.create()
    // pgoutput comes with Postgres 10, the others have to be installed
    .with("plugin.name", "pgoutput")
    .with(EmbeddedEngine.CONNECTOR_CLASS, "io.debezium.connector.postgresql.PostgresConnector")
    .with(EmbeddedEngine.OFFSET_STORAGE, "org.apache.kafka.connect.storage.FileOffsetBackingStore")
    .with(EmbeddedEngine.OFFSET_STORAGE_FILE_FILENAME, "/var/lib/lab/watcher.offsets")
    .with("offset.flush.interval.ms", 45000)
    .with("name", "lab-watcher")
    .with("database.hostname", "0.0.0.0")
    .with("database.port", 5432)
    .with("database.user", "lab")
    .with("database.password", "lab")
    .with("database.dbname", "lab")
    .with("database.server.name", "lab")
    .with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
    .with("database.history.file.filename", "/var/lib/lab/watcher.history")
    .with(CommonConnectorConfig.TOMBSTONES_ON_DELETE, false)
    .with("table.whitelist", "public.outbox")
    .build()

fun main() = OutboxWatcher().run()

class OutboxWatcher {
    private val keys = JsonConverter().apply { configure(watcherConfig.asMap(), true) }

    fun run() {
        val engine = EmbeddedEngine.create()
            .using(watcherConfig)
            .using(javaClass.classLoader)
            .using(Clock.SYSTEM)
            .notifying(::publish)
            .build()
        val pool = Executors.newSingleThreadExecutor()
        pool.execute(engine)
        Runtime.getRuntime().addShutdownHook(Thread { engine.stop() })
        pool.shutdown()
        while (!pool.awaitTermination(10, TimeUnit.SECONDS)) {
            println("engine still runs")
        }
    }

    // The record as Debezium 1.0.0.Final sends it: source, op, before, after.
    private fun publish(record: SourceRecord) {
        println(String(keys.fromConnectData("any", record.keySchema(), record.key())))
        val value = record.value() as? Struct ?: return
        if (value.getString("op") == "c") {
            val after = value.getStruct("after")
            send(after.getString("id"), after.getString("payload"))
        }
    }

    private fun send(id: String, payload: String) {
        println("to the bus: $id $payload")
    }
}
