package org.example.stage.watcher;

import io.debezium.config.Configuration;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.embedded.Connect;
import io.debezium.embedded.EmbeddedEngineConfig;
import io.debezium.engine.DebeziumEngine;
import io.debezium.transforms.outbox.EventRouter;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@ApplicationScoped
@Startup
public class StageWatcher {

    private static final String OFFSET_STORAGE_PREFIX = "offset.storage.";

    private final WatcherSettings settings;
    private final StageEventConsumer consumer;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private DebeziumEngine<?> engine;

    public StageWatcher(WatcherSettings settings, StageEventConsumer consumer) {
        this.settings = settings;
        this.consumer = consumer;
    }

    @PostConstruct
    void start() {
        if (!settings.enabled()) {
            return;
        }
        var db = settings.connection();
        var outbox = settings.outbox();
        var extra = Stream.of(outbox.aggregateColumn(), outbox.aggregateIdColumn(), outbox.typeColumn())
                .map(c -> c + ":envelope")
                .collect(Collectors.joining(","));

        Configuration.Builder builder = Configuration.create()
                .with(EmbeddedEngineConfig.ENGINE_NAME, "stage")
                .with(EmbeddedEngineConfig.CONNECTOR_CLASS, PostgresConnector.class.getName())
                .with(PostgresConnectorConfig.TOPIC_PREFIX, "stage")
                .with(PostgresConnectorConfig.HOSTNAME, db.host())
                .with(PostgresConnectorConfig.PORT, db.port())
                .with(PostgresConnectorConfig.USER, db.username())
                .with(PostgresConnectorConfig.PASSWORD, db.password())
                .with(PostgresConnectorConfig.DATABASE_NAME, db.database())
                .with(PostgresConnectorConfig.PLUGIN_NAME, PostgresConnectorConfig.LogicalDecoder.PGOUTPUT.getValue())
                .with(PostgresConnectorConfig.TABLE_INCLUDE_LIST, "public.%s".formatted(outbox.table()))
                .with("transforms", "outbox")
                .with("transforms.outbox.type", EventRouter.class.getName())
                .with("transforms.outbox.table.fields.additional.placement", extra);
        offset(settings.offset()).forEach(builder::with);

        engine = DebeziumEngine.create(Connect.class)
                .using(builder.build().asProperties())
                .notifying(consumer)
                .build();
        executor.execute(engine);
    }

    private Map<String, String> offset(WatcherSettings.Offset offset) {
        Map<String, String> config = new HashMap<>();
        config.put(EmbeddedEngineConfig.OFFSET_STORAGE.name(), offset.type());
        offset.config().forEach((k, v) -> config.put(OFFSET_STORAGE_PREFIX + k, v));
        return config;
    }
}
