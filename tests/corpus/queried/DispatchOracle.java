package org.example.reactor.databases;

import io.debezium.config.Configuration;

/**
 * Oracle source of the reactor (debezium-embedded 3.4, Oracle Free 23).
 *
 * The container database is FREE; the schema DISPATCH with its tables is in the pluggable
 * database FREEPDB1. The user c##reactor is a common user with the LogMiner grants.
 */
public final class DispatchOracle implements RelationalSource {

    @Override
    public Configuration connectorConfig(SourceSettings settings) {
        return Configuration.create()
                .with("name", "dispatch-" + settings.id())
                .with("connector.class", "io.debezium.connector.oracle.OracleConnector")
                .with("database.hostname", settings.host())
                .with("database.port", settings.port())
                .with("database.user", "c##reactor")
                .with("database.password", settings.password())
                .with("database.dbname", "FREE")
                .with("database.connection.adapter", "logminer")
                .with("log.mining.strategy", "online_catalog")
                .with("topic.prefix", settings.id())
                .with("table.include.list", "DISPATCH.JOB,DISPATCH.VEHICLE")
                .with("snapshot.mode", "initial")
                .with("offset.storage", "org.example.reactor.StateStoreOffsets")
                .with("offset.flush.interval.ms", 5000)
                .with("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory")
                .with("schema.history.internal.file.filename", settings.dataDir() + "/ddl.dat")
                .with("decimal.handling.mode", "double")
                .build();
    }
}
