package org.example.graph.source;

import io.debezium.config.Configuration;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.debezium.engine.spi.OffsetCommitPolicy;
import java.util.Properties;
import org.example.graph.sdk.ChangePublisher;
import org.example.graph.sdk.SourceConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the changes of a relational database into changes of a graph. The strategy knows what differs between databases. */
public class GraphChangeSource {

    private static final Logger LOG = LoggerFactory.getLogger(GraphChangeSource.class);

    private final DatabaseStrategy strategy;
    private DebeziumEngine<?> engine;

    public GraphChangeSource(DatabaseStrategy strategy) {
        this.strategy = strategy;
    }

    Configuration configuration() {
        String id = SourceConfig.instanceId().replace("-", "_");
        // The strategy brings connector.class and what only its database needs (the slot, the id of the server).
        return strategy.connector(Configuration.create())
                .with(strategy.databaseOption(), SourceConfig.required("database"))
                .with(strategy.tableListOption(), SourceConfig.required("tables"))
                .with("database.hostname", SourceConfig.required("host"))
                .with("database.port", SourceConfig.required("port"))
                .with("database.user", SourceConfig.required("user"))
                .with("database.password", SourceConfig.secret("password"))
                // our own class for times
                .with("converters", "times")
                .with("times.type", "org.example.graph.source.TimesConverter")
                .with("time.precision.mode", "adaptive_time_microseconds")
                .with("decimal.handling.mode", "double")
                .with("name", id)
                .with("topic.prefix", id)
                // positions go to the state store of the host, the history is thrown away
                .with("offset.storage", "org.example.graph.source.StateStoreOffsets")
                .with("offset.flush.interval.ms", 4000)
                .with("schema.history.internal", "org.example.graph.source.ForgetfulHistory")
                .with("tombstones.on.delete", false)
                .with("errors.max.retries", "5")
                .build();
    }

    public void start(ChangePublisher publisher) {
        Properties props = configuration().asProperties();
        engine = DebeziumEngine.create(Json.class)
                .using(props)
                .using(OffsetCommitPolicy.always())
                .using((success, message, error) -> {
                    if (!success && error != null) {
                        LOG.error("engine ended: {}", message, error);
                        SourceConfig.terminate(error);
                    }
                })
                .notifying(new GraphChangeConsumer(publisher, strategy))
                .build();
        engine.run();
    }
}
