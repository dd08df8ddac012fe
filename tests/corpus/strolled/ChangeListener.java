package org.example.netfn.lifecycle.infrastructure.cdc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs Debezium inside the application and forwards the rows of two tables to Kafka:
 * those of {@code journal} to one topic, those of {@code outbox} to the topic that the
 * column {@code target} names. Only used with {@code netfn.publisher=cdc}.
 */
@Component
@ConditionalOnProperty(name = "netfn.publisher", havingValue = "cdc")
public class ChangeListener {

    private static final Logger log = LoggerFactory.getLogger(ChangeListener.class);

    private static final String JOURNAL = "journal";
    private static final String OUTBOX = "outbox";

    private final ChangeProperties properties;
    private final MessagePublisher publisher;
    private final ObjectMapper mapper = new ObjectMapper();

    private DebeziumEngine<ChangeEvent<String, String>> engine;
    private ExecutorService executor;

    public ChangeListener(ChangeProperties properties, MessagePublisher publisher) {
        this.properties = properties;
        this.publisher = publisher;
    }

    @PostConstruct
    public void start() {
        if (!properties.isEnabled()) {
            return;
        }
        ChangeProperties.Database db = properties.getDatabase();
        Properties config = new Properties();
        config.setProperty("name", properties.getConnectorName());
        config.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        config.setProperty("database.hostname", db.getHostname());
        config.setProperty("database.port", String.valueOf(db.getPort()));
        config.setProperty("database.user", db.getUsername());
        config.setProperty("database.password", db.getPassword());
        config.setProperty("database.dbname", db.getDbname());
        config.setProperty("table.include.list", properties.getTables());
        config.setProperty("plugin.name", "pgoutput");
        config.setProperty("slot.name", "netfn_cdc_slot");
        config.setProperty("publication.name", "netfn_cdc_pub");
        config.setProperty("snapshot.mode", "initial");

        engine = DebeziumEngine.create(Json.class)
                .using(config)
                .notifying(this::onChange)
                .build();

        executor = Executors.newSingleThreadExecutor(r -> {
            Thread t = new Thread(r, "cdc");
            t.setDaemon(false);
            return t;
        });
        executor.submit(engine);
        log.info("Listening to {}", properties.getTables());
    }

    @PreDestroy
    public void stop() {
        if (engine != null) {
            try {
                engine.close();
            } catch (Exception e) {
                log.warn("Engine did not close: {}", e.getMessage());
            }
            engine = null;
        }
        if (executor != null && !executor.isShutdown()) {
            executor.shutdown();
            executor = null;
        }
    }

    void onChange(ChangeEvent<String, String> event) {
        if (event == null || event.value() == null) {
            return;
        }
        try {
            String value = event.value();
            JsonNode root = mapper.readTree(value);
            JsonNode source = root.path("source");
            if (source.isMissingNode()) {
                log.warn("No 'source' in the change: {}", value.length() > 200 ? value.substring(0, 200) + "..." : value);
                return;
            }
            String table = source.path("table").asText("");
            JsonNode after = root.path("after");
            if (after.isMissingNode()) {
                return;
            }

            String topic;
            String key;
            if (JOURNAL.equals(table)) {
                topic = properties.getJournalTopic();
                key = after.path("id").asText();
            } else if (OUTBOX.equals(table)) {
                String target = after.path("target").asText("");
                topic = target.isEmpty() ? "outbox.unknown" : target;
                key = after.path("id").asText();
            } else {
                return;
            }

            publisher.publish(topic, key, value);
        } catch (Exception e) {
            log.error("Change not handled: {}", e.getMessage(), e);
        }
    }
}
