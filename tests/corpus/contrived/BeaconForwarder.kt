package org.example.beacon

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import org.apache.kafka.clients.producer.KafkaProducer
import org.apache.kafka.clients.producer.ProducerRecord
import org.slf4j.LoggerFactory
import java.util.Properties

/** Embedded engine: outbox of the beacon registry to Kafka, as one process with the service. */
class BeaconForwarder(private val producer: KafkaProducer<String, String>) :
    DebeziumEngine.ChangeConsumer<ChangeEvent<String, String>> {

    private val log = LoggerFactory.getLogger(javaClass)

    fun engine(): DebeziumEngine<ChangeEvent<String, String>> =
        DebeziumEngine.create(Json::class.java)
            .using(config())
            .notifying(this)
            .using { success, message, error -> if (!success) log.error("engine stopped: {}", message, error) }
            .build()

    override fun handleBatch(
        records: List<ChangeEvent<String, String>>,
        committer: DebeziumEngine.RecordCommitter<ChangeEvent<String, String>>,
    ) {
        for (record in records) {
            record.value()?.let { value ->
                producer.send(ProducerRecord(record.destination(), record.key(), value)) { _, error ->
                    if (error != null) log.error("not sent to {}", record.destination(), error)
                }
            }
            committer.markProcessed(record)
        }
        committer.markBatchFinished()
    }

    private fun config() = Properties().apply {
        putAll(
            mapOf(
                "name" to "beacon-forwarder",
                "connector.class" to "io.debezium.connector.mysql.MySqlConnector",
                "database.hostname" to System.getenv("BEACON_DB_HOST"),
                "database.port" to "3306",
                "database.user" to System.getenv("BEACON_DB_USER"),
                "database.password" to System.getenv("BEACON_DB_PASSWORD"),
                "database.server.id" to "61277",
                "topic.prefix" to "beacon",
                "table.include.list" to "beacon.outbox",
                "snapshot.mode" to "no_data",
                "offset.storage" to "org.apache.kafka.connect.storage.FileOffsetBackingStore",
                "offset.storage.file.filename" to "/var/lib/beacon/offsets.dat",
                "offset.flush.interval.ms" to "500",
                "schema.history.internal" to "io.debezium.storage.file.history.FileSchemaHistory",
                "schema.history.internal.file.filename" to "/var/lib/beacon/history.dat",
                "transforms" to "outbox",
                "transforms.outbox.type" to "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.route.topic.replacement" to "beacon.\${routedByValue}",
                "transforms.outbox.table.expand.json.payload" to "true",
                "value.converter.schemas.enable" to "false",
            ),
        )
    }
}
