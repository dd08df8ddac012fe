package org.example.sync;

import java.nio.file.Path;
import java.util.Properties;

/** Settings of the engine that feeds one foreign MySQL schema into our database. */
final class SyncEngineSettings {

    private SyncEngineSettings() {
    }

    /**
     * @param mode "always" rebuilds the tables' definitions after the list of tables was changed, otherwise "initial"
     */
    static Properties of(ForeignServer server, Path stateDir, String mode) {
        Properties props = new Properties();
        props.setProperty("name", "sync-" + server.id());
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        props.setProperty("offset.storage.file.filename", stateDir.resolve(server.id() + ".offsets").toString());
        props.setProperty("offset.flush.interval.ms", "20000");
        props.setProperty("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
        props.setProperty("schema.history.internal.file.filename", stateDir.resolve(server.id() + ".history").toString());
        props.setProperty("schema.history.internal.store.only.captured.tables.ddl", "true");
        props.setProperty("database.hostname", server.host());
        props.setProperty("database.port", Integer.toString(server.port()));
        props.setProperty("database.user", server.user());
        props.setProperty("database.password", server.password());
        props.setProperty("database.server.id", Integer.toString(server.replicaId()));
        props.setProperty("database.include.list", server.schema());
        props.setProperty("table.include.list", String.join(",", server.qualifiedTables()));
        props.setProperty("topic.prefix", server.id());
        props.setProperty("snapshot.mode", mode);
        props.setProperty("include.schema.changes", "true");
        props.setProperty("tombstones.on.delete", "false");
        props.setProperty("decimal.handling.mode", "string");
        return props;
    }
}
