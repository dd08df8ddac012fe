# MSK Connect source for an Oracle database outside of this stack (LogMiner).

locals {
  # The schema history client does not inherit the worker's IAM settings.
  history_iam = {
    for pair in setproduct(["producer", "consumer"], local.msk_iam_props) :
    "schema.history.internal.${pair[0]}.${pair[1][0]}" => pair[1][1]
  }

  msk_iam_props = [
    ["security.protocol", "SASL_SSL"],
    ["sasl.mechanism", "AWS_MSK_IAM"],
    ["sasl.jaas.config", "software.amazon.msk.auth.iam.IAMLoginModule required;"],
    ["sasl.client.callback.handler.class", "software.amazon.msk.auth.iam.IAMClientCallbackHandler"],
  ]

  # must be absent, not empty, for a database without PDBs
  oracle_pdb = var.oracle_pdb_name != "" ? { "database.pdb.name" = var.oracle_pdb_name } : {}

  converters = {
    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
  }

  oracle_config = merge(
    local.history_iam,
    local.oracle_pdb,
    local.converters,
    {
      "connector.class"             = "io.debezium.connector.oracle.OracleConnector"
      "tasks.max"                   = tostring(var.oracle_tasks_max)
      "database.hostname"           = var.oracle_db_host
      "database.port"               = tostring(var.oracle_db_port)
      "database.user"               = var.oracle_db_user
      "database.password"           = var.oracle_db_password
      "database.dbname"             = var.oracle_db_name
      "database.connection.adapter" = var.oracle_connection_adapter
      "topic.prefix"                = var.oracle_topic_prefix
      "table.include.list"          = var.oracle_table_include_list
      "snapshot.mode"               = var.oracle_snapshot_mode
      "heartbeat.interval.ms"       = tostring(var.heartbeat_interval_ms)
      "decimal.handling.mode"       = "double"
      "time.precision.mode"         = "connect"
      "max.queue.size"              = "200000"
      "max.batch.size"              = "20000"
      "poll.interval.ms"            = "100"

      # DDL history, required for Oracle
      "schema.history.internal.kafka.bootstrap.servers" = module.msk.bootstrap_brokers_iam
      "schema.history.internal.kafka.topic"             = var.oracle_schema_history_topic

      # left over from the PostgreSQL source, inert here
      "slot.name"                   = var.oracle_slot_name
      "publication.autocreate.mode" = "all_tables"

      "transforms"                             = "unwrap"
      "transforms.unwrap.type"                 = "io.debezium.transforms.ExtractNewRecordState"
      "transforms.unwrap.add.headers"          = "op,ts_ms,source.ts_ms"
      "transforms.unwrap.drop.tombstones"      = "false"
      "transforms.unwrap.delete.handling.mode" = "drop"
    }
  )
}

module "oracle_source" {
  source                  = "./modules/msk-connector"
  name                    = "registry-oracle-source"
  connector_configuration = local.oracle_config
}
