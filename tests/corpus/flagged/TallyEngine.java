package org.example.tally;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.kafka.connect.source.SourceRecord;

/** Feeds the dashboards with the rows of tally.count; the offsets survive a redeployment on the mounted disk. */
public final class TallyEngine implements AutoCloseable {

    private final ExecutorService executor = Executors.newSingleThreadExecutor(r -> new Thread(r, "tally-cdc"));
    private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;

    public TallyEngine(TallyDb db, Path dataDir, Consumer<SourceRecord> consumer) {
        Properties p = new Properties();
        p.setProperty("name", "tally");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        p.setProperty("database.hostname", db.host());
        p.setProperty("database.port", Integer.toString(db.port()));
        p.setProperty("database.user", db.user());
        p.setProperty("database.password", db.password());
        p.setProperty("database.server.id", "85001");
        p.setProperty("topic.prefix", "tally");
        p.setProperty("table.include.list", "tally.count,tally.counter");
        p.setProperty("include.schema.changes", "false");

        p.setProperty("snapshot.mode", "initial");
        // the counts of former years are in the warehouse already
        p.setProperty("snapshot.select.statement.overrides", "tally.count");
        p.setProperty("snapshot.select.statement.overrides.count",
                "SELECT * FROM tally.count WHERE counted_on >= '2026-01-01'");

        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", dataDir.resolve("offsets.dat").toString());
        p.setProperty("offset.flush.interval.ms", "2000");
        p.setProperty("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory");

        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(p)
                .notifying(event -> consumer.accept(event.record()))
                .build();
    }

    public void start() {
        executor.execute(engine);
    }

    @Override
    public void close() throws Exception {
        engine.close();
        executor.shutdown();
    }
}
