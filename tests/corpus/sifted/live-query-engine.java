package org.example.livequery;

import io.debezium.connector.mysql.MySqlConnector;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.debezium.relational.history.FileDatabaseHistory;
import java.io.IOException;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

public class LiveQueryEngine {

  private final Target target;
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private DebeziumEngine<ChangeEvent<String, String>> engine;

  public LiveQueryEngine(Target target) {
    this.target = target;
  }

  public synchronized void restart(Consumer<ChangeEvent<String, String>> sink) throws IOException {
    halt();
    String run = UUID.randomUUID().toString();
    Properties p = new Properties();
    p.setProperty("name", "livequery");
    p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    p.setProperty("offset.storage.file.filename", String.format("/tmp/lq-position-%s.bin", run));
    p.setProperty("offset.flush.interval.ms", "500");

    switch (target.kind()) {
      case postgresql:
        p.setProperty("connector.class", PostgresConnector.class.getName());
        p.setProperty("database.hostname", target.host());
        p.setProperty("database.port", Integer.toString(target.port()));
        p.setProperty("database.user", target.login());
        p.setProperty("database.password", target.secret());
        p.setProperty("database.dbname", target.schema());
        p.setProperty("database.server.name", target.label());
        break;
      case mysql:
        p.setProperty("connector.class", MySqlConnector.class.getName());
        p.setProperty("database.hostname", target.host());
        p.setProperty("database.port", Integer.toString(target.port()));
        p.setProperty("database.user", target.login());
        p.setProperty("database.password", target.secret());
        p.setProperty("database.server.id", "60311");
        p.setProperty("database.server.name", target.label());
        p.setProperty("database.history", FileDatabaseHistory.class.getName());
        p.setProperty("database.history.file.filename", String.format("/tmp/lq-ddl-%s.bin", run));
        break;
      default:
        throw new IllegalStateException("no engine for this kind of database");
    }

    engine = DebeziumEngine.create(Json.class).using(p).notifying(sink::accept).build();
    pool.execute(engine);
  }

  public synchronized void halt() throws IOException {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
