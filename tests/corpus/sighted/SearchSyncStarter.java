package com.example.searchsync;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Keeps the search index up to date: one instance of the application holds the lock and runs the engine. */
@Component
public class SearchSyncStarter {

    private final SearchSyncProperties settings;
    private final LeaderLock lock;
    private final IndexWriter writer;
    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private DebeziumEngine<ChangeEvent<String, String>> engine;

    public SearchSyncStarter(SearchSyncProperties settings, LeaderLock lock, IndexWriter writer) {
        this.settings = settings;
        this.lock = lock;
        this.writer = writer;
    }

    @PostConstruct
    void start() {
        pool.submit(() -> {
            lock.await();
            engine = DebeziumEngine.create(Json.class)
                    .using(properties(writer.indexedTables()))
                    .notifying(writer::apply)
                    .build();
            engine.run();
        });
    }

    private Properties properties(Set<String> tables) {
        JdbcAddress db = JdbcAddress.parse(settings.getMysqlUrl());
        Properties props = new Properties();
        props.setProperty("name", "search-sync");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        // positions and DDL live in Redis, the pods have no disk
        props.setProperty("offset.storage", "io.debezium.storage.redis.offset.RedisOffsetBackingStore");
        props.setProperty("offset.storage.redis.address", settings.getRedisAddress());
        props.setProperty("offset.storage.redis.password", settings.getRedisPassword());
        props.setProperty("offset.flush.interval.ms", "30000");
        props.setProperty("schema.history.internal", "io.debezium.storage.redis.history.RedisSchemaHistory");
        props.setProperty("schema.history.internal.redis.address", settings.getRedisAddress());
        props.setProperty("schema.history.internal.redis.password", settings.getRedisPassword());
        props.setProperty("database.history.store.only.monitored.tables.ddl.events", "false");
        // the vendor's backup tool writes DDL that the parser does not know
        props.setProperty("database.history.skip.unparseable.ddl", "true");
        props.setProperty("database.hostname", db.host());
        props.setProperty("database.port", String.valueOf(db.port()));
        props.setProperty("database.user", settings.getMysqlUser());
        props.setProperty("database.password", settings.getMysqlPassword());
        props.setProperty("database.server.id", String.valueOf(lock.replicaId()));
        props.setProperty("database.server.name", "search-sync");
        props.setProperty("topic.prefix", "search-sync");
        // the index is filled by a batch job, only changes from now on
        props.setProperty("snapshot.mode", "never");
        props.setProperty("decimal.handling.mode", "string");
        props.setProperty("database.connectionTimeZone", "UTC");
        props.setProperty("database.include.list", db.database());
        props.setProperty("table.include.list",
                tables.stream().map(t -> db.database() + "." + t).collect(Collectors.joining(",")));
        return props;
    }

    @PreDestroy
    void stop() throws Exception {
        if (engine != null) {
            engine.close();
        }
        pool.shutdown();
    }
}
