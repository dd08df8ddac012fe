package example.poc;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import io.quarkus.runtime.StartupEvent;
import java.io.IOException;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

@ApplicationScoped
public class PocCapture {
    private DebeziumEngine<ChangeEvent<String, String>> engine;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    void start(@Observes StartupEvent event) {
        engine = DebeziumEngine.create(Json.class)
                .using(properties())
                .notifying((records, committer) -> {
                    for (var record : records) {
                        System.out.println(record.value());
                        committer.markProcessed(record);
                    }
                    committer.markBatchFinished();
                })
                .build();
        executor.submit(engine);
    }

    private Properties properties() {
        Properties p = new Properties();
        p.setProperty("name", "poc-capture");
        p.setProperty("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        p.setProperty("tasks.max", "1");
        p.setProperty("mongodb.connection.string", "mongodb://localhost:27017");
        p.setProperty("topic.prefix", "poc");
        p.setProperty("database.include.list", "sandbox");
        p.setProperty("collection.include.list", "sandbox.items");
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("capture.mode", "change_streams");
        return p;
    }

    @PreDestroy
    void stop() throws IOException {
        engine.close();
        executor.shutdown();
    }
}
