package org.example.fleet.watch;

import io.debezium.config.Configuration;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.connector.postgresql.PostgresConnectorConfig.AutoCreateMode;
import io.debezium.embedded.Connect;
import io.debezium.embedded.EmbeddedEngineConfig;
import io.debezium.engine.DebeziumEngine;
import io.debezium.heartbeat.DatabaseHeartbeatImpl;
import io.debezium.heartbeat.Heartbeat;
import io.debezium.transforms.outbox.EventRouter;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

@ApplicationScoped
public class FleetWatcher {

    private static final String PULSE = "INSERT INTO public.pulse (id, at) VALUES (1, now()) "
            + "ON CONFLICT (id) DO UPDATE SET at = now()";

    private final WatchConfig watch;
    private final ParentConsumer consumer;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private DebeziumEngine<?> engine;

    public FleetWatcher(WatchConfig watch, ParentConsumer consumer) {
        this.watch = watch;
        this.consumer = consumer;
    }

    @PostConstruct
    public void start() {
        var db = watch.connection();
        var outbox = watch.outbox();

        Configuration.Builder builder = Configuration.create()
                .with(EmbeddedEngineConfig.ENGINE_NAME, "fleet")
                .with(EmbeddedEngineConfig.CONNECTOR_CLASS, PostgresConnector.class.getName())
                .with(PostgresConnectorConfig.TOPIC_PREFIX, "fleet")
                .with(PostgresConnectorConfig.HOSTNAME, db.host())
                .with(PostgresConnectorConfig.PORT, db.port())
                .with(PostgresConnectorConfig.USER, db.username())
                .with(PostgresConnectorConfig.PASSWORD, db.password())
                .with(PostgresConnectorConfig.DATABASE_NAME, db.database())
                .with(PostgresConnectorConfig.PLUGIN_NAME, PostgresConnectorConfig.LogicalDecoder.PGOUTPUT.getValue())
                .with(PostgresConnectorConfig.TABLE_INCLUDE_LIST, "public.%s,public.pulse".formatted(outbox.table()))
                .with(PostgresConnectorConfig.PUBLICATION_AUTOCREATE_MODE, AutoCreateMode.FILTERED)
                .with(Heartbeat.HEARTBEAT_INTERVAL_PROPERTY_NAME, watch.pulseMs())
                .with(DatabaseHeartbeatImpl.HEARTBEAT_ACTION_QUERY_PROPERTY_NAME, PULSE)
                .with("transforms", "outbox")
                .with("transforms.outbox.type", EventRouter.class.getName())
                .with("transforms.outbox.table.fields.additional.placement",
                        "aggregatetype:envelope,aggregateid:envelope,type:envelope")
                .with("transforms.outbox.predicate", "isOutboxTable")
                .with("predicates", "isOutboxTable")
                .with("predicates.isOutboxTable.type",
                        "org.apache.kafka.connect.transforms.predicates.TopicNameMatches")
                .with("predicates.isOutboxTable.pattern", ".*\\.%s".formatted(outbox.table()));

        builder.with(EmbeddedEngineConfig.OFFSET_STORAGE, watch.offset().type());
        watch.offset().settings().forEach((key, value) -> builder.with("offset.storage." + key, value));

        engine = DebeziumEngine.create(Connect.class)
                .using(builder.build().asProperties())
                .notifying(consumer)
                .build();
        executor.execute(engine);
    }
}
