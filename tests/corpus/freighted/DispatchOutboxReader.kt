package org.example.dispatch.cdc

import io.debezium.config.Configuration
import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import jakarta.annotation.PostConstruct
import jakarta.annotation.PreDestroy
import org.apache.kafka.connect.storage.FileOffsetBackingStore
import org.slf4j.LoggerFactory
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import java.util.concurrent.Executors

@Component
class DispatchOutboxReader(
    @Value("\${cdc.host}") private val host: String,
    @Value("\${cdc.port}") private val port: String,
    @Value("\${cdc.login}") private val login: String,
    @Value("\${cdc.secret}") private val secret: String,
    @Value("\${cdc.engine-name}") private val engineName: String,
    @Value("\${cdc.prefix}") private val prefix: String,
) {
    private val log = LoggerFactory.getLogger(javaClass)
    private lateinit var engine: DebeziumEngine<ChangeEvent<String, String>>

    @PostConstruct
    fun start() {
        val config = Configuration.create()
            .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
            .with("offset.storage", FileOffsetBackingStore::class.java.name)
            .with("offset.storage.file.filename", "./dispatch-offsets.dat")
            .with("offset.flush.interval.ms", "20000")
            .with("name", engineName)
            .with("database.hostname", host)
            .with("database.port", port)
            .with("database.user", login)
            .with("database.password", secret)
            .with("database.dbname", "dispatch")
            .with("plugin.name", "pgoutput")
            .with("schema.include.list", "public")
            .with("table.include.list", "public.outbox")
            .with("topic.prefix", prefix)
            .with("transforms", "outbox")
            .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            .with("transforms.outbox.route.by.field", "kind")
            .with("transforms.outbox.table.field.event.id", "id")
            .with("transforms.outbox.table.field.event.key", "id")
            .with("transforms.outbox.table.field.event.payload", "body")
            .build()

        engine = DebeziumEngine.create(Json::class.java)
            .using(config.asProperties())
            .notifying { event -> log.info("outbox: {} -> {}", event.destination(), event.value()) }
            .build()
        Executors.newSingleThreadExecutor().execute(engine)
    }

    @PreDestroy
    fun stop() {
        if (::engine.isInitialized) engine.close()
    }
}
