package org.example.forum.cdc;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.testcontainers.containers.PostgreSQLContainer;

import java.util.concurrent.Executors;

/** Engine for tests: in place of the real handler, a recording one gets the events. */
@TestConfiguration
public class ForumCdcTestConfig {

    @Bean
    public io.debezium.config.Configuration testEngineConfiguration() {
        PostgreSQLContainer<?> pg = SharedPostgres.instance();

        return io.debezium.config.Configuration.create()
                .with("name", "test-forum-outbox")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore")
                .with("offset.flush.interval.ms", "1000")

                .with("database.hostname", pg.getHost())
                .with("database.port", pg.getFirstMappedPort())
                .with("database.user", pg.getUsername())
                .with("database.password", pg.getPassword())
                .with("database.dbname", pg.getDatabaseName())
                .with("topic.prefix", "test-forum")

                .with("plugin.name", "pgoutput")
                // the publication is made by the migration
                .with("publication.name", "forum_outbox_publication")
                .with("slot.name", "test_forum_outbox_slot")

                .with("schema.include.list", "public")
                .with("table.include.list", "public.outbox_events")

                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.expand.json.payload", "true")
                .with("transforms.outbox.table.field.event.id", "id")
                .with("transforms.outbox.table.field.event.key", "aggregateid")
                .with("transforms.outbox.table.field.event.payload", "payload")
                // no event timestamp: a bare INT64 column is not accepted
                .with("transforms.outbox.route.by.field", "aggregatetype")
                .with("transforms.outbox.route.topic.replacement", "forum.${routedByValue}")
                .with("transforms.outbox.table.fields.additional.placement", "type:envelope:eventType,aggregateid:envelope:aggregateId")

                .with("snapshot.mode", "initial")
                .build();
    }

    @Bean(destroyMethod = "close")
    @Primary
    public DebeziumEngine<ChangeEvent<String, String>> testEngine(
            io.debezium.config.Configuration testEngineConfiguration, RecordingHandler handler) {
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(testEngineConfiguration.asProperties())
                .notifying(event -> {
                    if (event.value() != null) {
                        handler.handle(event.key(), event.value());
                    }
                })
                .build();
        Executors.newSingleThreadExecutor().execute(engine);
        return engine;
    }
}
