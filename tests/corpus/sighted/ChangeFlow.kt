package org.example.tide

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import java.nio.file.Files
import java.nio.file.Paths
import java.util.Properties
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.channels.trySendBlocking
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.runBlocking

data class Change(val topic: String, val key: String, val value: String)

fun main() {
    val positions = "tide.offsets"
    Files.deleteIfExists(Paths.get(positions))
    runBlocking {
        postgresChanges("filmshop", "localhost", 5432, "filmshop", "postgres", "secret", positions)
            .collect { println("${it.topic} ${it.key} ${it.value}") }
    }
}

/**
 * A hot flow of changes.
 *
 * @param topicPrefix the first part of the destination, which is <topicPrefix>.<schema>.<table>
 * @param positions file for the offsets
 * @param settings whatever else Debezium shall get
 */
fun postgresChanges(
    topicPrefix: String,
    hostname: String,
    port: Int,
    database: String,
    user: String,
    password: String,
    positions: String,
    settings: Map<String, String> = emptyMap(),
): Flow<Change> {
    val props = Properties()
    props.setProperty("name", "tide")
    props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
    props.setProperty("database.hostname", hostname)
    props.setProperty("database.port", "$port")
    props.setProperty("database.server.name", topicPrefix)
    props.setProperty("database.dbname", database)
    props.setProperty("database.user", user)
    props.setProperty("database.password", password)
    props.setProperty("offset.storage.file.filename", positions)
    props.setProperty("offset.flush.interval.ms", "7500")
    settings.forEach { (k, v) -> props[k] = v }
    return callbackFlow {
        val engine = DebeziumEngine.create(Json::class.java)
            .using(props)
            .notifying { change: ChangeEvent<String, String> ->
                trySendBlocking(Change(change.destination(), change.key(), change.value()))
            }
            .build()
        Thread { engine.run() }.start()
        awaitClose { engine.close() }
    }
}
