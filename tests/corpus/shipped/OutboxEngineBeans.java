package org.example.community.infra.cdc;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.concurrent.Executors;

/**
 * 내장 Debezium 엔진. PostgreSQL의 outbox 테이블을 읽는다.
 *
 * 인스턴스는 하나만 띄운다(replicas=1). 늘려야 하면 Kafka Connect로 옮긴다.
 */
@Configuration
@ConditionalOnProperty(name = "cdc.enabled", havingValue = "true")
public class OutboxEngineBeans {

    private final CdcProperties properties;
    private final OutboxEventHandler handler;

    public OutboxEngineBeans(CdcProperties properties, OutboxEventHandler handler) {
        this.properties = properties;
        this.handler = handler;
    }

    @Bean
    public io.debezium.config.Configuration outboxEngineConfiguration() {
        return io.debezium.config.Configuration.create()
                // 엔진
                .with("name", properties.getEngineName())
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", properties.getOffsetFile())
                .with("offset.flush.interval.ms", "1000")

                // 데이터베이스
                .with("database.hostname", properties.getDatabase().getHostname())
                .with("database.port", properties.getDatabase().getPort())
                .with("database.user", properties.getDatabase().getUsername())
                .with("database.password", properties.getDatabase().getPassword())
                .with("database.dbname", properties.getDatabase().getName())
                .with("topic.prefix", properties.getDatabase().getLogicalName())

                // PostgreSQL
                .with("plugin.name", "pgoutput")
                .with("publication.name", "community_outbox_publication")
                // publication.autocreate.mode는 뺐음: publication은 손으로 만든다
                .with("slot.name", "community_outbox_slot")

                // 필터
                .with("schema.include.list", properties.getDatabase().getSchemaIncludeList())
                .with("table.include.list", properties.getDatabase().getTableIncludeList())

                // Outbox Event Router
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.expand.json.payload", "true")
                .with("transforms.outbox.table.field.event.id", "id")
                .with("transforms.outbox.table.field.event.key", "aggregateid")
                .with("transforms.outbox.table.field.event.type", "type")
                .with("transforms.outbox.table.field.event.payload", "payload")
                .with("transforms.outbox.table.fields.additional.placement", "type:envelope:eventType,aggregateid:envelope:aggregateId")
                .with("transforms.outbox.route.topic.replacement", "community.event.${routedByValue}")

                // 첫 적재
                .with("snapshot.mode", "initial")

                .build();
    }

    @Bean(destroyMethod = "close")
    public DebeziumEngine<ChangeEvent<String, String>> outboxEngine(
            io.debezium.config.Configuration outboxEngineConfiguration
    ) {
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(outboxEngineConfiguration.asProperties())
                .notifying(record -> {
                    if (record.value() != null) {
                        handler.handle(record.key(), record.value());
                    }
                })
                .build();
        Executors.newSingleThreadExecutor().execute(engine);
        return engine;
    }
}
