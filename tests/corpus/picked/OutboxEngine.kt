package example.mailorder.cdc

import io.debezium.config.Configuration
import io.debezium.engine.ChangeEvent
import io.debezium.engine.DebeziumEngine
import io.debezium.engine.format.Json
import jakarta.annotation.PostConstruct
import jakarta.annotation.PreDestroy
import jakarta.persistence.Column
import jakarta.persistence.Entity
import jakarta.persistence.Id
import jakarta.persistence.Table
import org.apache.kafka.connect.storage.FileOffsetBackingStore
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import java.time.OffsetDateTime
import java.util.concurrent.Executors

/*
 * create table outbox (
 *   id         varchar(64) primary key,   -- 주문 번호
 *   event_type varchar(64) not null,
 *   payload    jsonb       not null,
 *   created_at timestamptz not null,
 *   processed  boolean     not null
 * );
 */
@Entity
@Table(name = "outbox")
class Outbox(
    @Id @Column(name = "id")
    private val id: String,
    @Column(name = "event_type", nullable = false)
    private val eventType: String,
    @Column(name = "payload", columnDefinition = "jsonb", nullable = false)
    private val payload: String,
    @Column(name = "created_at", nullable = false)
    private val createdAt: OffsetDateTime,
    @Column(name = "processed", nullable = false)
    private val processed: Boolean,
)

@Component
class OutboxEngine(
    @Value("\${cdc.db.host}") private val host: String,
    @Value("\${cdc.db.port}") private val port: String,
    @Value("\${cdc.db.user}") private val user: String,
    @Value("\${cdc.db.password}") private val password: String,
    private val sink: OutboxSink,
) {
    private lateinit var engine: DebeziumEngine<ChangeEvent<String, String>>
    private val pool = Executors.newSingleThreadExecutor()

    @PostConstruct
    fun start() {
        val config = Configuration.create()
            .with("name", "mailorder-outbox")
            .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
            .with("offset.storage", FileOffsetBackingStore::class.java.name)
            .with("offset.storage.file.filename", "./offsets.dat")
            .with("offset.flush.interval.ms", "60000")
            .with("database.hostname", host)
            .with("database.port", port)
            .with("database.user", user)
            .with("database.password", password)
            .with("database.dbname", "mailorder")
            .with("plugin.name", "pgoutput")
            .with("schema.include.list", "public")
            .with("table.include.list", "public.outbox")
            .with("topic.prefix", "mailorder-events")
            .with("transforms", "outbox")
            .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
            .with("transforms.outbox.route.by.field", "event_type")
            .with("transforms.outbox.table.field.event.id", "id")
            .with("transforms.outbox.table.field.event.key", "id")
            .with("transforms.outbox.table.field.event.payload", "payload")
            .with("transforms.outbox.table.field.event.timestamp", "created_at")
            .with("transforms.outbox.table.expand.json.payload", "true")
            .build()

        engine = DebeziumEngine.create(Json::class.java)
            .using(config.asProperties())
            .notifying { record -> sink.publish(record.destination(), record.key(), record.value()) }
            .build()
        pool.execute(engine)
    }

    @PreDestroy
    fun stop() {
        if (::engine.isInitialized) engine.close()
        pool.shutdown()
    }
}
