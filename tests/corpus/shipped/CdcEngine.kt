package com.example.billing.cdc

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

@Component
class CdcEngine(
    @Value("\${cdc.database.hostname}")
    private val dbHost: String,

    @Value("\${cdc.database.port}")
    private val dbPort: String,

    @Value("\${cdc.database.user}")
    private val dbUser: String,

    @Value("\${cdc.database.password}")
    private val dbPassword: String,

    @Value("\${cdc.engine.name}")
    private val engineName: String,

    @Value("\${cdc.topic.prefix}")
    private val topicPrefix: String,

    @Value("\${spring.kafka.bootstrap-servers}")
    private val kafkaServers: String,

    private val forwarder: KafkaForwarder
) {
    private val log = LoggerFactory.getLogger(CdcEngine::class.java)
    private lateinit var engine: DebeziumEngine<ChangeEvent<String, String>>

    @PostConstruct
    fun start() {
        val props = Properties().apply {
            // 커넥터 기본 설정
            setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
            setProperty("offset.storage", FileOffsetBackingStore::class.java.name)
            setProperty("offset.storage.file.filename", "./cdc-offsets.dat")
            setProperty("offset.flush.interval.ms", "60000")
            setProperty("name", engineName)

            // Kafka
            setProperty("bootstrap.servers", kafkaServers)

            // 데이터베이스 연결
            setProperty("database.hostname", dbHost)
            setProperty("database.port", dbPort)
            setProperty("database.user", dbUser)
            setProperty("database.password", dbPassword)
            setProperty("database.dbname", "billing_study")
            setProperty("plugin.name", "pgoutput")

            // 대상 테이블
            setProperty("table.include.list", "public.outbox")
            setProperty("schema.include.list", "public")
            setProperty("topic.prefix", topicPrefix)

            // Outbox 변환
            setProperty("transforms", "outbox")
            setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            setProperty("transforms.outbox.route.by.field", "event_type")
            setProperty("transforms.outbox.table.field.event.id", "id")
            setProperty("transforms.outbox.table.field.event.key", "id")
            setProperty("transforms.outbox.table.field.event.payload", "payload")
            // 시각 컬럼은 쓰지 않음
            // setProperty("transforms.outbox.table.field.event.timestamp", "created_at")

            // 오류 처리
            setProperty("errors.max.retries", "-1")
            setProperty("errors.retry.delay.initial.ms", "300")
            setProperty("errors.retry.delay.max.ms", "10000")
        }

        engine = DebeziumEngine.create(Json::class.java)
            .using(props)
            .notifying { record ->
                if (record.value() != null) {
                    forwarder.send(record.destination(), record.key(), record.value())
                }
            }
            .build()

        Executors.newSingleThreadExecutor().execute(engine)
        log.info("CDC engine started")
    }

    @PreDestroy
    fun stop() {
        if (::engine.isInitialized) {
            engine.close()
        }
    }
}
