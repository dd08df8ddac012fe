package com.example.parking.relay

import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import jakarta.annotation.PostConstruct
import jakarta.annotation.PreDestroy
import org.apache.kafka.connect.storage.FileOffsetBackingStore
import org.slf4j.LoggerFactory
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import java.util.Properties
import java.util.concurrent.Executors

// build.gradle.kts: io.debezium:debezium-embedded:2.5.0.Final, debezium-connector-postgres:2.5.0.Final
// outbox(id varchar, event_type varchar, payload jsonb, created_at timestamptz, processed boolean)
@Component
class OutboxRelay(
    @Value("\${cdc.host}") private val host: String,
    @Value("\${cdc.port}") private val port: String,
    @Value("\${cdc.user}") private val user: String,
    @Value("\${cdc.password}") private val password: String,
    @Value("\${cdc.prefix}") private val prefix: String,
    private val publisher: ParkingEventPublisher, // readTree(value) → kafkaTemplate.send(topic, key, node)
) {
    private val log = LoggerFactory.getLogger(javaClass)
    private lateinit var engine: DebeziumEngine<ChangeEvent<String, String>>

    @PostConstruct
    fun start() {
        val props = Properties().apply {
            setProperty("name", "parking-relay")
            setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
            // 오프셋 저장
            setProperty("offset.storage", FileOffsetBackingStore::class.java.name)
            setProperty("offset.storage.file.filename", "./offsets.dat")
            setProperty("offset.flush.interval.ms", "60000")
            // 데이터베이스
            setProperty("database.hostname", host)
            setProperty("database.port", port)
            setProperty("database.user", user)
            setProperty("database.password", password)
            setProperty("database.dbname", "parking")
            setProperty("plugin.name", "pgoutput")
            setProperty("schema.include.list", "public")
            setProperty("table.include.list", "public.outbox")
            setProperty("topic.prefix", prefix)
            // 아웃박스 변환
            setProperty("transforms", "outbox")
            setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            setProperty("transforms.outbox.route.by.field", "event_type")
            setProperty("transforms.outbox.table.field.event.id", "id")
            setProperty("transforms.outbox.table.field.event.key", "id")
            setProperty("transforms.outbox.table.field.event.payload", "payload")
            setProperty("errors.max.retries", "-1")
        }

        engine = DebeziumEngine.create(Json::class.java)
            .using(props)
            .notifying { record ->
                try {
                    if (record.value() != null) {
                        publisher.publish(record.destination(), record.key(), record.value())
                    }
                } catch (e: Exception) {
                    log.error("이벤트 처리 실패: ${e.message}", e)
                }
            }
            .build()

        Executors.newSingleThreadExecutor().execute(engine)
    }

    @PreDestroy
    fun stop() {
        if (::engine.isInitialized) engine.close()
    }
}
