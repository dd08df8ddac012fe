# Fully managed source. The older class is deprecated; this one sends the before state too,
# which the Flink jobs need for updates and deletes.
resource "confluent_connector" "marina_cdc" {
  count = var.with_connector ? 1 : 0

  environment {
    id = var.env_id
  }
  kafka_cluster {
    id = var.cluster_id
  }

  config_sensitive = {
    "database.password" = var.cdc_password
  }

  config_nonsensitive = {
    "name"                     = "${var.stem}-marina-cdc"
    "connector.class"          = "PostgresCdcSourceV2"
    "kafka.auth.mode"          = "SERVICE_ACCOUNT"
    "kafka.service.account.id" = var.sa_id

    "database.hostname"  = var.pg_host
    "database.port"      = tostring(var.pg_port)
    "database.user"      = var.cdc_user
    "database.dbname"    = var.pg_db
    "database.sslmode"   = "disable"
    "table.include.list" = var.tables

    "publication.name"            = "dbz_pub_${replace(var.stem, "-", "_")}"
    "publication.autocreate.mode" = "filtered"
    "slot.name"                   = "dbz_slot_${replace(var.stem, "-", "_")}"
    "slot.drop.on.stop"           = "false"
    "snapshot.mode"               = "initial"
    "snapshot.isolation.mode"     = "READ_COMMITTED"

    "tasks.max"          = "1"
    "output.data.format" = "AVRO"
    "topic.prefix"       = "marina"

    "decimal.handling.mode" = "double"
    "time.precision.mode"   = "connect"
    "tombstones.on.delete"  = "true"
    "heartbeat.interval.ms" = "90000"
    "max.batch.size"        = "1024"
    "poll.interval.ms"      = "3000"
    "errors.tolerance"      = "none"
    "skipped.operations"    = "t"
  }

  depends_on = [null_resource.pg_reachable]
}
