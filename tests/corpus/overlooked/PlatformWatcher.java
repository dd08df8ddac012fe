package org.acme.platform.watch;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;

/** Follows the outbox of the control plane, and hands each event to the reconcilers. */
@Startup
@ApplicationScoped
public class PlatformWatcher {

    private final WatchConfig watch;
    private final OutboxConsumer consumer;
    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private DebeziumEngine<?> engine;

    public PlatformWatcher(WatchConfig watch, OutboxConsumer consumer) {
        this.watch = watch;
        this.consumer = consumer;
    }

    @PostConstruct
    void start() {
        Properties props = new Properties();
        props.setProperty("name", "platform");
        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        props.setProperty("topic.prefix", "platform");
        props.setProperty("plugin.name", "pgoutput");
        props.setProperty("database.hostname", watch.db().host());
        props.setProperty("database.port", String.valueOf(watch.db().port()));
        props.setProperty("database.user", watch.db().user());
        props.setProperty("database.password", watch.db().password());
        props.setProperty("database.dbname", watch.db().name());
        props.setProperty("include.schema.changes", "false");
        props.setProperty("table.include.list", "public.events");
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.table.fields.additional.placement",
                "aggregatetype:envelope,aggregateid:envelope,type:envelope");

        // where the position is kept: a JDBC store in production, a file on the laptop
        props.setProperty("offset.storage", watch.offset().storage());
        for (Map.Entry<String, String> e : watch.offset().settings().entrySet()) {
            props.setProperty("offset.storage." + e.getKey(), e.getValue());
        }

        engine = DebeziumEngine.create(Connect.class)
                .using(props)
                .notifying(consumer)
                .build();
        pool.execute(engine);
    }

    void stop(@Observes ShutdownEvent ev) throws Exception {
        if (engine != null) {
            engine.close();
            pool.shutdown();
            pool.awaitTermination(10, TimeUnit.SECONDS);
        }
    }
}
