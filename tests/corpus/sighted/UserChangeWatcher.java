package org.example.cdc;

import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.annotation.PostConstruct;
import javax.annotation.PreDestroy;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.stereotype.Component;

/** Several instances, one of them holds the lock and watches the table of the users. */
@Component
public class UserChangeWatcher {

    private final RedissonClient redisson;
    private DebeziumEngine<ChangeEvent<String, String>> engine;
    private RLock lock;

    public UserChangeWatcher(RedissonClient redisson) {
        this.redisson = redisson;
    }

    @PostConstruct
    public void init() {
        lock = redisson.getLock("user-change-lock");
        Thread thread = new Thread(() -> {
            while (true) {
                try {
                    if (!lock.tryLock(5, TimeUnit.SECONDS)) {
                        continue;
                    }
                    engine = DebeziumEngine.create(Json.class)
                            .using(getConfiguration("").asProperties())
                            .notifying(change -> System.out.println("user: " + change.value()))
                            .build();
                    Executors.newSingleThreadExecutor(r -> new Thread(r, "user-change-engine")).execute(engine);
                    break;
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    public static Configuration getConfiguration(String jobId) {
        return Configuration.create()
                .with("name", "user-change" + jobId)
                .with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", "D:/state/position" + jobId + ".dat")
                .with("offset.flush.interval.ms", 45000)
                .with("snapshot.mode", "when_needed")
                .with("snapshot.locking.mode", "minimal")
                .with("snapshot.include.collection.list", "All tables specified in table.include.list")
                // https://debezium.io/documentation/reference/2.1/connectors/mysql.html
                .with("database.hostname", "10.1.7.20")
                .with("database.port", 3306)
                .with("database.user", "root")
                .with("database.password", "root")
                .with("database.server.id", jobId)
                .with("topic.prefix", "user-change" + jobId)
                .with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
                .with("schema.history.internal.file.filename", "D:/state/ddl" + jobId + ".dat")
                .with("database.include.list", "account")
                .with("table.include.list", "account.user")
                .with("include.schema.changes", true)
                .with("max.batch.size", 512)
                .with("max.queue.size", 4096)
                .with("poll.interval.ms", 200)
                .with("snapshot.fetch.size", 512)
                .build();
    }

    @PreDestroy
    public void close() throws IOException {
        if (engine != null) {
            engine.close();
        }
        if (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }
}
