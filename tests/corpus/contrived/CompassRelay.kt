package org.example.compass

import io.debezium.embedded.Connect
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.RecordChangeEvent
import io.debezium.engine.format.ChangeEventFormat
import org.apache.kafka.connect.source.SourceRecord
import org.springframework.context.SmartLifecycle
import org.springframework.kafka.core.KafkaTemplate
import org.springframework.stereotype.Component
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

@Component
class CompassRelay(
    private val kafka: KafkaTemplate<String, String>,
    private val settings: CompassSettings,
) : SmartLifecycle {

    private val executor = Executors.newSingleThreadExecutor()
    private var engine: DebeziumEngine<RecordChangeEvent<SourceRecord>>? = null

    override fun start() {
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect::class.java))
            .using(settings.asProperties(CONNECTOR))
            .notifying { batch, committer ->
                // all at once, then wait for all: what is not in Kafka is not marked
                val sent = batch.map { event ->
                    val record = event.record()
                    kafka.send(record.topic(), record.key() as String?, record.value() as String?)
                }
                CompletableFuture.allOf(*sent.toTypedArray()).get(60, TimeUnit.SECONDS)
                batch.forEach(committer::markProcessed)
                committer.markBatchFinished()
            }
            .using { success, message, error -> settings.onStop(success, message, error) }
            .build()
        executor.execute(engine!!)
    }

    override fun stop() {
        engine?.close()
        executor.shutdown()
    }

    override fun isRunning() = engine != null && !executor.isShutdown

    companion object {
        // host, user and password are added by CompassSettings
        private val CONNECTOR = mapOf(
            "name" to "compass-relay",
            "connector.class" to "io.debezium.connector.postgresql.PostgresConnector",
            "topic.prefix" to "compass",
            "database.dbname" to "compass",
            "plugin.name" to "pgoutput",
            "slot.name" to "compass_relay",
            "publication.name" to "compass_relay",
            "publication.autocreate.mode" to "disabled",
            "table.include.list" to "public.outbox",
            "snapshot.mode" to "no_data",
            "tombstones.on.delete" to "false",
            // the slot knows the position, too
            "offset.storage" to "org.apache.kafka.connect.storage.FileOffsetBackingStore",
            "offset.storage.file.filename" to "/var/lib/compass/offsets.dat",
            "offset.flush.interval.ms" to "0",
            "transforms" to "outbox",
            "transforms.outbox.type" to "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.route.topic.replacement" to "compass." + "$" + "{routedByValue}",
        )
    }
}
