package no.fjord.pilotage

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import java.util.Properties
import javax.sql.DataSource

// Debezium 3.2, PostgreSQL 16
private val DDL = """
    create table if not exists pilot.outbox (
        id uuid not null, aggregatetype text not null, aggregateid text not null,
        payload text not null, day date not null default current_date,
        primary key (id, day)
    ) partition by range (day);
    create table if not exists pilot.outbox_default partition of pilot.outbox default;
""".trimIndent()

class PartitionedRelay(private val db: DataSource, private val password: String) {

    fun prepare() = db.connection.use { it.createStatement().execute(DDL) }

    fun engine(sink: (ChangeEvent<String, String>) -> Unit): DebeziumEngine<ChangeEvent<String, String>> {
        val props = Properties().apply {
            put("name", "pilot-outbox")
            put("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
            put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
            put("offset.storage.file.filename", "/var/lib/pilot/offsets.dat")
            put("offset.flush.interval.ms", "5000")
            put("database.hostname", "pilot-db")
            put("database.port", "5432")
            put("database.user", "pilot_cdc")
            put("database.password", password)
            put("database.dbname", "pilot")
            put("topic.prefix", "pilot")
            put("plugin.name", "pgoutput")
            put("slot.name", "pilot_outbox")
            put("publication.name", "pilot_outbox")
            put("publication.autocreate.mode", "filtered")
            put("publish.via.partition.root", "true")
            put("table.include.list", "pilot.outbox")
            put("transforms", "outbox")
            put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            put("transforms.outbox.route.topic.replacement", "pilot.\${routedByValue}")
        }
        return DebeziumEngine.create(Json::class.java).using(props).notifying(sink).build()
    }
}
