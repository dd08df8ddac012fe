package org.example.museum.events

// implementation("io.debezium:debezium-connector-mysql:3.4.1.Final")
import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import java.util.Properties

class MuseumOutbox(private val publish: (String?, String?, String) -> Unit, private val env: Map<String, String>) {

    fun properties() = Properties().apply {
        put("name", "museum-outbox")
        put("connector.class", "io.debezium.connector.mysql.MySqlConnector")
        put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
        put("offset.storage.file.filename", "/var/lib/museum/offsets.dat")
        put("offset.flush.interval.ms", "1000")
        put("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
        put("schema.history.internal.file.filename", "/var/lib/museum/history.dat")
        put("database.hostname", env.getValue("DB_HOST"))
        put("database.port", "3306")
        put("database.user", env.getValue("DB_USER"))
        put("database.password", env.getValue("DB_PASSWORD"))
        put("database.server.id", "8812")
        put("topic.prefix", "museum")
        put("database.include.list", "museum")
        put("table.include.list", "museum.outbox")
        put("snapshot.mode", "schema_only")
        put("transforms", "outbox")
        put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
        put("transforms.outbox.route.topic.replacement", "museum.\${routedByValue}")
        put("transforms.outbox.table.fields.additional.placement", "type:header:eventType")
        put("transforms.outbox.table.expand.json.payload", "true")
        put("value.converter.schemas.enable", "false")
    }

    fun engine(): DebeziumEngine<ChangeEvent<String, String>> =
        DebeziumEngine.create(Json::class.java)
            .using(properties())
            .notifying { event -> publish(event.key(), event.value(), event.destination()) }
            .build()
}
