package cz.draha.feed

import org.springframework.http.MediaType
import org.springframework.stereotype.Component
import org.springframework.web.client.RestClient

/** train.departure.leaves_at is `timestamp(6)`, so microseconds; the feed wants text. */
@Component
class TrainTimes(private val connect: RestClient) {

    private val config = mapOf(
        "connector.class" to "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname" to "train-db",
        "database.port" to "5432",
        "database.user" to "\${file:/etc/connect/train.properties:user}",
        "database.password" to "\${file:/etc/connect/train.properties:password}",
        "database.dbname" to "train",
        "topic.prefix" to "train",
        "plugin.name" to "pgoutput",
        "slot.name" to "train_times",
        "publication.name" to "train_times",
        "publication.autocreate.mode" to "filtered",
        "table.include.list" to "train.departure",
        "tombstones.on.delete" to "false",
        "time.precision.mode" to "adaptive",
        "transforms" to "unwrap,time",
        "transforms.unwrap.type" to "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.delete.tombstone.handling.mode" to "drop",
        "transforms.time.type" to "org.apache.kafka.connect.transforms.TimestampConverter\$Value",
        "transforms.time.field" to "leaves_at",
        "transforms.time.target.type" to "string",
        "transforms.time.unix.precision" to "microseconds",
        "transforms.time.format" to "yyyy-MM-dd'T'HH:mm:ss",
    )

    fun register() {
        connect.put().uri("/connectors/train-times/config")
            .contentType(MediaType.APPLICATION_JSON)
            .body(config)
            .retrieve().toBodilessEntity()
    }
}
