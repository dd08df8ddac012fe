package org.example.postroom.debezium;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.io.IOException;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Delivers what producers write to the tables of the schema postroom. Positions are kept in the same database, one set per affinity,
 * so that a subscriber that comes back goes on where it was. Slots are tidied up when the server stops.
 */
public class PostEventServer {

    private ExecutorService executor;
    private DebeziumEngine<ChangeEvent<String, String>> engine;

    public static Properties props(String affinity, Set<String> topics, String host, String port, String user, String password,
            String dbName, int pollInterval) {
        String tables = topics.stream().map(t -> "postroom." + t).collect(Collectors.joining(","));
        Properties p = new Properties();
        p.setProperty("name", "postroom-multi");
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        p.setProperty("offset.storage", "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore");
        p.setProperty("offset.storage.jdbc.offset.table.name", "postroom.positions");
        p.setProperty("offset.storage.jdbc.url", "jdbc:postgresql://%s:%s/%s".formatted(host, port, dbName));
        p.setProperty("offset.storage.jdbc.user", user);
        p.setProperty("offset.storage.jdbc.password", password);
        p.setProperty("offset.flush.interval.ms", "1000");
        p.setProperty("poll.interval.ms", String.valueOf(pollInterval));
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("database.hostname", host);
        p.setProperty("database.port", port);
        p.setProperty("database.user", user);
        p.setProperty("database.password", password);
        p.setProperty("database.dbname", dbName);
        p.setProperty("table.include.list", tables);
        p.setProperty("topic.prefix", "postroom");
        p.setProperty("publication.autocreate.mode", "filtered");
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("slot.name", "postroom_" + affinity);
        p.setProperty("slot.drop.on.stop", "true");
        p.setProperty("offset.storage.jdbc.offset.table.ddl",
                "CREATE TABLE IF NOT EXISTS %s (affinity VARCHAR(255) NOT NULL, id VARCHAR(36) NOT NULL, offset_key VARCHAR(1255), "
                        + "offset_val VARCHAR(1255), record_insert_ts TIMESTAMP NOT NULL, record_insert_seq INTEGER NOT NULL)");
        p.setProperty("offset.storage.jdbc.offset.table.select", "SELECT id, offset_key, offset_val FROM %s WHERE affinity = '"
                + affinity + "' ORDER BY record_insert_ts, record_insert_seq");
        p.setProperty("offset.storage.jdbc.offset.table.delete", "DELETE FROM %s WHERE affinity = '" + affinity + "'");
        p.setProperty("offset.storage.jdbc.offset.table.insert",
                "INSERT INTO %s(affinity, id, offset_key, offset_val, record_insert_ts, record_insert_seq) VALUES ('" + affinity
                        + "', ?, ?, ?, ?, ?)");
        return p;
    }

    public void start(Properties props, Consumer<ChangeEvent<String, String>> consumer) {
        engine = DebeziumEngine.create(Json.class).using(props).notifying(consumer).build();
        executor = Executors.newSingleThreadExecutor();
        executor.execute(engine);
    }

    public void stop() throws IOException {
        engine.close();
        executor.shutdown();
    }
}
