package example.mining.etl

import java.io.File
import java.util.Properties
import java.util.UUID

enum class StoreKind { PostgreSql, SqlServer }

class EtlTrackerFactory(private val stateDir: File) {

    private val renames = mapOf("server" to "hostname", "username" to "user", "database" to "dbname")

    fun create(id: UUID, kind: StoreKind, connection: Map<String, String>, tracked: Set<String>): ChangeTracker {
        val properties = Properties()
            .defaults()
            .forKind(kind)
            .connection(id, connection)
            .files(id)
        properties.setProperty("table.include.list", tracked.joinToString(",") { "(\\w+\\.)?" + Regex.escape(it) })
        return ChangeTracker(properties)
    }

    // keys as in the form: server, port, username, password, database
    private fun Properties.connection(id: UUID, connection: Map<String, String>): Properties {
        setProperty("database.server.name", "$id")
        for ((key, value) in connection) setProperty("database.${renames[key] ?: key}", value)
        return this
    }

    private fun Properties.forKind(kind: StoreKind): Properties {
        when (kind) {
            StoreKind.PostgreSql -> {
                setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                setProperty("slot.name", "mining_etl")
                setProperty("slot.drop.on.stop", "false")
                setProperty("plugin.name", "pgoutput")
                setProperty("snapshot.mode", "never")
            }
            StoreKind.SqlServer -> {
                setProperty("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
                setProperty("snapshot.mode", "schema_only")
            }
        }
        return this
    }

    private fun Properties.defaults(): Properties {
        setProperty("max.batch.size", "2048")
        setProperty("event.processing.failure.handling.mode", "warn")
        setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
        setProperty("offset.flush.interval.ms", "60000")
        setProperty("database.history", "io.debezium.relational.history.FileDatabaseHistory")
        return this
    }

    private fun Properties.files(id: UUID): Properties {
        setProperty("name", "$id")
        setProperty("offset.storage.file.filename", File(stateDir, "offset_$id.dat").absolutePath)
        setProperty("database.history.file.filename", File(stateDir, "ddl_$id.dat").absolutePath)
        return this
    }
}
