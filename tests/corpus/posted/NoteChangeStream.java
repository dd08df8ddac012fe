package com.example.notes.sync;

import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.stereotype.Service;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

@Slf4j
@Service
@RequiredArgsConstructor
public class NoteChangeStream {

    private final SimpMessagingTemplate websocket;

    @Value("${notes.db.host}") private String host;
    @Value("${notes.db.port}") private String port;
    @Value("${notes.db.name}") private String database;
    @Value("${spring.datasource.username}") private String user;
    @Value("${spring.datasource.password}") private String password;

    private DebeziumEngine<ChangeEvent<String, String>> engine;
    private ExecutorService pool;

    @PostConstruct
    public void start() {
        Configuration config = Configuration.create()
                .with("name", "note-sync")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore")
                .with("offset.flush.interval.ms", "1000")
                .with("database.hostname", host)
                .with("database.port", port)
                .with("database.user", user)
                .with("database.password", password)
                .with("database.dbname", database)
                .with("database.server.id", "190021")
                .with("topic.prefix", "note-sync")
                .with("table.include.list", "public.notes")
                .with("plugin.name", "pgoutput")
                .build();

        engine = DebeziumEngine.create(Json.class)
                .using(config.asProperties())
                .notifying(record -> websocket.convertAndSend("/topic/notes", record.value()))
                .build();

        pool = Executors.newSingleThreadExecutor();
        pool.execute(engine);
        log.info("change stream of {} started", database);
    }

    @PreDestroy
    public void stop() throws IOException {
        if (engine != null) {
            engine.close();
        }
        if (pool != null) {
            pool.shutdown();
        }
    }
}
