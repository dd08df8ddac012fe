package org.example.capture

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import org.junit.jupiter.api.Test
import org.testcontainers.containers.MSSQLServerContainer
import org.testcontainers.junit.jupiter.Container
import org.testcontainers.junit.jupiter.Testcontainers
import java.util.Properties
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors

@Testcontainers
class SqlServerCaptureTest {

    companion object {
        // fresh container with its self-signed certificate; init.sql makes the database depot and enables CDC for dbo.Parcel
        @Container
        @JvmStatic
        val mssql: MSSQLServerContainer<*> = MSSQLServerContainer(System.getProperty("mssql.image"))
            .acceptLicense()
            .withEnv("MSSQL_AGENT_ENABLED", "true")
            .withInitScript("init.sql")
    }

    private fun settings() = Properties().apply {
        setProperty("name", "parcels")
        setProperty("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector")
        setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore")
        setProperty("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory")
        setProperty("database.hostname", mssql.host)
        setProperty("database.port", mssql.getMappedPort(1433).toString())
        setProperty("database.user", mssql.username)
        setProperty("database.password", mssql.password)
        setProperty("database.names", "depot")
        setProperty("table.include.list", "dbo.Parcel")
        setProperty("topic.prefix", "parcels")
    }

    @Test
    fun `captures the rows of the init script`() {
        val seen = CopyOnWriteArrayList<ChangeEvent<String, String>>()
        val engine = DebeziumEngine.create(Json::class.java)
            .using(settings())
            .notifying { record -> seen.add(record) }
            .build()
        Executors.newSingleThreadExecutor().use { pool ->
            pool.execute(engine)
            eventually { seen.any { it.destination() == "parcels.depot.dbo.Parcel" } }
            engine.close()
        }
    }
}
