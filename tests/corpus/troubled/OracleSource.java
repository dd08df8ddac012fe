package org.example.reactivator;

import java.util.Objects;

import io.debezium.config.Configuration;

/**
 * Review question: "no database.pdb.name, does LogMiner see anything then?" -- Our databases are not multi-tenant,
 * the option is left out on purpose. Debezium 3.4, embedded engine.
 */
public final class OracleSource implements RelationalSource {

    private final Settings settings;

    public OracleSource(Settings settings) {
        this.settings = Objects.requireNonNull(settings);
    }

    @Override
    public Configuration createConnectorConfig() {
        return Configuration.create()
                .with("name", "oracle-" + settings.id())
                .with("connector.class", "io.debezium.connector.oracle.OracleConnector")
                .with("topic.prefix", settings.id())
                .with("database.hostname", settings.host())
                .with("database.port", settings.port())
                .with("database.user", settings.user())
                .with("database.password", settings.password())
                .with("database.dbname", settings.database())
                .with("database.connection.adapter", "logminer")
                .with("log.mining.strategy", "online_catalog")
                .with("log.mining.batch.size.default", "1000")
                .with("snapshot.mode", "no_data")
                .with("table.include.list", String.join(",", settings.tables()))
                .with("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename", settings.dataDir() + "/offsets.dat")
                .with("offset.flush.interval.ms", 5000)
                .with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
                .with("schema.history.internal.file.filename", settings.dataDir() + "/history.dat")
                .with("decimal.handling.mode", "double")
                .with("time.precision.mode", "adaptive")
                .with("tombstones.on.delete", "false")
                .build();
    }

    @Override
    public String tableId(String schema, String table) {
        return schema.toUpperCase() + "." + table.toUpperCase();
    }
}
