package flowdesk.sources

import java.util.Properties

final case class BinlogSource(
  connectorId: String, host: String, port: Int, username: String, password: String,
  serverId: Long, database: String, table: String, maxBatchSize: Int, pollIntervalMillis: Long)

final case class StateStore(jdbcUrl: String, username: String, password: String, flushMillis: Long)

/** MySQL source node on Debezium 3.6: offsets and schema history live in a JDBC store. */
object BinlogSourceNode {

  private val OffsetDdl =
    "CREATE TABLE %s (id VARCHAR(36) NOT NULL, offset_key VARCHAR(1255), offset_val VARCHAR(1255), " +
      "record_insert_ts TIMESTAMP NOT NULL, record_insert_seq INTEGER NOT NULL)"

  private[sources] def connectorProperties(source: BinlogSource, state: StateStore): Properties = {
    val properties = new Properties()
    Vector(
      "name" -> source.connectorId,
      "connector.class" -> "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname" -> source.host,
      "database.port" -> source.port.toString,
      "database.user" -> source.username,
      "database.password" -> source.password,
      "driver.allowPublicKeyRetrieval" -> "true",
      "driver.forceConnectionTimeZoneToSession" -> "true",
      "database.connectionTimeZone" -> "UTC",
      "database.server.id" -> source.serverId.toString,
      "topic.prefix" -> source.connectorId,
      "database.include.list" -> source.database,
      "table.include.list" -> s"${source.database}.${source.table}",
      "snapshot.mode" -> "initial",
      "snapshot.locking.mode" -> "none",
      "record.processing.order" -> "ORDERED",
      "record.processing.threads" -> "1",
      "offset.flush.interval.ms" -> state.flushMillis.toString,
      "decimal.handling.mode" -> "string",
      "include.schema.changes" -> "false",
      "tombstones.on.delete" -> "false",
      "max.batch.size" -> source.maxBatchSize.toString,
      "poll.interval.ms" -> source.pollIntervalMillis.toString,
      "offset.storage" -> "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore",
      "offset.storage.jdbc.connection.url" -> state.jdbcUrl,
      "offset.storage.jdbc.connection.user" -> state.username,
      "offset.storage.jdbc.connection.password" -> state.password,
      "offset.storage.jdbc.table.name" -> "flowdesk_offsets",
      "offset.storage.jdbc.table.ddl" -> OffsetDdl,
      "schema.history.internal" -> "io.debezium.storage.jdbc.history.JdbcSchemaHistory",
      "schema.history.internal.jdbc.connection.url" -> state.jdbcUrl,
      "schema.history.internal.jdbc.connection.user" -> state.username,
      "schema.history.internal.jdbc.connection.password" -> state.password,
      "schema.history.internal.jdbc.table.name" -> "flowdesk_history"
    ).foreach { case (key, value) => properties.setProperty(key, value) }
    properties
  }
}
