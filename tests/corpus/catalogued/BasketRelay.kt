package org.example.basket.relay

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import java.util.Properties
import java.util.concurrent.Executors

/**
 * Relays the rows of the outbox to the message bus. The pod has no volume,
 * so nothing is written to a disk.
 */
class BasketRelay(private val bus: Bus, private val env: Map<String, String> = System.getenv()) : AutoCloseable {

    private val pool = Executors.newSingleThreadExecutor()

    private val settings = Properties().apply {
        this["name"] = "basket-relay"
        this["connector.class"] = "io.debezium.connector.mysql.MySqlConnector"
        this["offset.storage"] = "org.apache.kafka.connect.storage.MemoryOffsetBackingStore"
        this["offset.flush.interval.ms"] = "5000"
        this["schema.history.internal"] = "io.debezium.relational.history.MemorySchemaHistory"
        this["database.hostname"] = env.getValue("BASKET_DB_HOST")
        this["database.port"] = "3306"
        this["database.user"] = env.getValue("BASKET_DB_USER")
        this["database.password"] = env.getValue("BASKET_DB_PASSWORD")
        this["database.server.id"] = "44017"
        this["topic.prefix"] = "basket"
        this["table.include.list"] = "basket.outbox"
        this["include.schema.changes"] = "false"
        this["snapshot.mode"] = "no_data"
        this["tombstones.on.delete"] = "false"
    }

    private val engine: DebeziumEngine<ChangeEvent<String, String>> =
        DebeziumEngine.create(Json::class.java)
            .using(settings)
            .notifying { event -> event.value()?.let(bus::publish) }
            .build()

    fun start() = pool.execute(engine)

    override fun close() {
        engine.close()
        pool.shutdown()
    }
}
