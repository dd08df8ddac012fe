package org.example.records.sync;

import io.debezium.config.Configuration;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.util.Properties;
import org.apache.kafka.connect.source.SourceRecord;

/** Feeds the search index from the binlog of the application's own database. */
public class BinlogReplicationTask {

	private final Properties app;

	public BinlogReplicationTask(Properties app) {
		this.app = app;
	}

	Properties settings() {
		String url = app.getProperty("connection.url");
		String user = app.getProperty("replica.user");
		String password = app.getProperty("replica.password");
		String connector = url.startsWith("jdbc:mariadb:") ? "io.debezium.connector.mariadb.MariaDbConnector"
		        : "io.debezium.connector.mysql.MySqlConnector";
		// replication URLs name several hosts, the first one is the primary
		String[] address = url.substring(url.indexOf("//") + 2).split("/")[0].split(",")[0].split(":");

		Properties props = Configuration.create()
		        .with("name", "records-engine")
		        .with("connector.class", connector)
		        .with("offset.storage", "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore")
		        .with("offset.storage.jdbc.table.name", "sync_position")
		        .with("offset.storage.jdbc.connection.url", url)
		        .with("offset.storage.jdbc.connection.user", user)
		        .with("offset.storage.jdbc.connection.password", password)
		        .with("offset.flush.interval.ms", "30000")
		        .with("database.hostname", address[0])
		        .with("database.port", address.length > 1 ? address[1] : "3306")
		        .with("database.user", user)
		        .with("database.password", password)
		        .with("database.server.id", "90871234")
		        .with("topic.prefix", "records")
		        .with("snapshot.mode", "no_data")
		        .with("database.include.list", "records")
		        .with("table.exclude.list", ".*\\.sync_position,.*\\.sync_ddl")
		        .with("schema.history.internal", "io.debezium.storage.jdbc.history.JdbcSchemaHistory")
		        .with("schema.history.internal.jdbc.table.name", "sync_ddl")
		        .with("schema.history.internal.jdbc.connection.url", url)
		        .with("schema.history.internal.jdbc.connection.user", user)
		        .with("schema.history.internal.jdbc.connection.password", password)
		        // the default column is too long for utf8mb4
		        .with("schema.history.internal.jdbc.table.ddl",
		            "CREATE TABLE %s (id VARCHAR(255) NOT NULL, history_data MEDIUMTEXT, history_data_seq INTEGER, "
		                    + "record_insert_ts TIMESTAMP NOT NULL, record_insert_seq INTEGER NOT NULL)")
		        .with("provide.transaction.metadata", "true")
		        .build().asProperties();
		for (String key : app.stringPropertyNames()) {
			if (key.startsWith("replica.engine.")) {
				props.put(key.substring("replica.engine.".length()), app.getProperty(key));
			}
		}
		return props;
	}

	DebeziumEngine<RecordChangeEvent<SourceRecord>> engine(Index index) {
		return DebeziumEngine.create(ChangeEventFormat.of(Connect.class)).using(settings()).notifying(index).build();
	}
}
