import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import io.debezium.engine.format.KeyValueChangeEventFormat
import kotlinx.coroutines.runBlocking
import java.util.Properties
import java.util.UUID
import java.util.concurrent.Executors

fun settings(name: String, table: String): Properties {
    val p = Properties()
    p["name"] = name

    p["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector"
    p["offset.storage"] = "org.apache.kafka.connect.storage.FileOffsetBackingStore"
    p["offset.storage.file.filename"] = "/tmp/positions.dat"
    p["offset.flush.interval.ms"] = "60000"

    p["database.hostname"] = "localhost"
    p["database.port"] = "5432"
    p["database.user"] = System.getProperty("user.name")
    p["database.dbname"] = "engine-playground"

    p["plugin.name"] = "pgoutput"
    p["table.include.list"] = "public.${table}"
    p["topic.prefix"] = name
    return p
}

fun main(): Unit = runBlocking {
    val engine = DebeziumEngine.create(KeyValueChangeEventFormat.of(Json::class.java, Json::class.java))
        .using(settings("try-${UUID.randomUUID()}", "bar"))
        .notifying { event ->
            println(event)
        }.build()

    val pool = Executors.newSingleThreadExecutor()
    pool.execute(engine)

    Runtime.getRuntime().addShutdownHook(Thread {
        engine.close()
        pool.shutdown()
    })
}
