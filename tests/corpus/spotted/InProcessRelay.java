package org.example.savings.infra.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Debezium inside the application, without Kafka Connect. */
public class InProcessRelay {

    private final DebeziumEngine<ChangeEvent<String, String>> engine;
    private final Executor thread;
    private final ObjectMapper mapper = new ObjectMapper();

    public InProcessRelay() {
        Configuration config = Configuration.create()
                /* engine */
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "/var/lib/savings/position.dat")
                .with("offset.flush.interval.ms", 1000)
                /* connector */
                .with("name", "savings-relay")
                .with("database.hostname", "savings-pg")
                .with("database.dbname", "savings")
                .with("database.port", 5432)
                .with("database.user", "postgres")
                .with("database.password", "postgres")
                .with("topic.prefix", "savings")
                .with("table.include.list", "public.occurrence")
                .with("plugin.name", "pgoutput")
                /* router */
                .with("transforms", "occ")
                .with("transforms.occ.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.occ.table.field.event.id", "occurrence_id")
                .with("transforms.occ.table.field.event.key", "account_id")
                .with("transforms.occ.route.by.field", "account_kind")
                .with("transforms.occ.table.fields.additional.placement",
                        "private:header,source:header:holder_id:header,kind::header")
                .build();
        this.engine = DebeziumEngine.create(Json.class)
                .using(config.asProperties())
                .notifying(this::handle)
                .build();
        this.thread = Executors.newSingleThreadExecutor();
        this.thread.execute(engine);
    }

    @SuppressWarnings("unchecked")
    private void handle(ChangeEvent<String, String> event) {
        try {
            Map<String, Object> value = mapper.readValue(event.value(), Map.class);
            Map<String, Object> row = (Map<String, Object>) ((Map<String, Object>) value.get("payload")).get("after");
            Publisher.send("savings.occurrences", (String) row.get("occurrence_id"), mapper.writeValueAsString(row));
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }
}
