package org.example.vessels;

import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Service;

@Service
public class VesselChangeProducer {

    private final DebeziumEngine<ChangeEvent<String, String>> engine;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    public VesselChangeProducer(KafkaTemplate<String, String> kafka) {
        Configuration config = Configuration.create()
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("connector.storage.file.filename", "/var/lib/vessels/offset.dat")
                .with("offset.flush.interval.ms", 5000)
                .with("name", "vessels")
                .with("database.hostname", "localhost")
                .with("database.port", 5432)
                .with("database.user", "postgres"/* "vessel_cdc" */)
                .with("database.password", "postgres")
                .with("database.dbname", "vessels_dev")
                .with("plugin.name", "pgoutput")
                .with("table.whitelist", "public.vessel_calls")
                .with("topic.prefix", "vessels__")
                .build();

        engine = DebeziumEngine.create(Json.class)
                .using(config.asProperties())
                .notifying(event -> kafka.send("vessel-calls", event.key(), event.value()))
                .build();
        executor.execute(engine);
    }
}
