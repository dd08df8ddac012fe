package org.example.replica

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import java.util.Properties
import java.util.concurrent.Executors

/** Streams new rows of the metrology schema only; the existing ten years of history stay where they are. */
class ReplicaEngine(private val sink: (String) -> Unit) {

    private fun settings() = Properties().apply {
        put("name", "metrology-replica")
        put("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
        put("database.hostname", System.getenv("PG_HOST"))
        put("database.port", "5432")
        put("database.user", System.getenv("PG_USER"))
        put("database.password", System.getenv("PG_PASSWORD"))
        put("database.dbname", "metrology")
        put("topic.prefix", "metrology")
        put("schema.include.list", "metro")
        put("slot.name", "dwh_replica")
        put("plugin.name", "pgoutput")
        put("publication.autocreate.mode", "filtered")
        put("snapshot.mode", "schema_only")
        put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
        put("offset.storage.file.filename", "/var/lib/replica/offsets.dat")
        put("offset.flush.interval.ms", "5000")
    }

    fun start() {
        val engine: DebeziumEngine<ChangeEvent<String, String>> = DebeziumEngine.create(Json::class.java)
            .using(settings())
            .notifying { e: ChangeEvent<String, String> -> e.value()?.let(sink) }
            .build()
        Executors.newSingleThreadExecutor().execute(engine)
    }
}
