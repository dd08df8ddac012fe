package org.example.documents.cdc

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import java.util.Properties
import java.util.concurrent.Executors

/** Streams the documents of the archive; long texts are read again when Postgres leaves them out (TOAST). */
class DocumentsEngine(private val db: DbSettings, private val sink: (String?, String) -> Unit) : AutoCloseable {

    private val executor = Executors.newSingleThreadExecutor()

    private val props = Properties().apply {
        setProperty("name", "documents")
        setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
        setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
        setProperty("offset.storage.file.filename", "/var/lib/documents/offsets.dat")
        setProperty("offset.flush.interval.ms", "5000")
        setProperty("database.hostname", db.host)
        setProperty("database.port", db.port.toString())
        setProperty("database.user", db.user)
        setProperty("database.password", db.password)
        setProperty("database.dbname", "archive")
        setProperty("topic.prefix", "archive")
        setProperty("plugin.name", "pgoutput")
        setProperty("slot.name", "archive_documents")
        setProperty("slot.drop.on.stop", "true")
        setProperty("publication.autocreate.mode", "filtered")
        setProperty("table.include.list", "public.document")
        setProperty("post.processors", "reselector")
        setProperty("post.processors.reselect.type", "io.debezium.processors.reselect.ReselectColumnsPostProcessor")
        setProperty("post.processors.reselect.reselect.columns.include.list", "public.document:body")
        setProperty("post.processors.reselect.reselect.null.values", "false")
    }

    private val engine: DebeziumEngine<ChangeEvent<String, String>> = DebeziumEngine.create(Json::class.java)
        .using(props)
        .notifying { event: ChangeEvent<String, String> -> event.value()?.let { sink(event.key(), it) } }
        .build()

    fun start() = executor.execute(engine)

    override fun close() {
        engine.close()
        executor.shutdown()
    }
}
