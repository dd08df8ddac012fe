# managed CDC of the e-sports league
resource "confluent_connector" "league_cdc" {
  environment {
    id = var.env_id
  }
  kafka_cluster {
    id = var.cluster_id
  }
  config_sensitive = {}
  config_nonsensitive = {
    "after.state.only"                       = "false"
    "connector.class"                        = "PostgresCdcSourceV2"
    "name"                                   = "LeagueCdc_0"
    "database.dbname"                        = "league"
    "database.hostname"                      = var.league_host
    "database.password"                      = "postgres-pw"
    "database.port"                          = "5432"
    "database.sslmode"                       = "disable"
    "database.user"                          = "postgres-user"
    "decimal.handling.mode"                  = "precise"
    "event.processing.failure.handling.mode" = "fail"
    "field.name.adjustment.mode"             = "none"
    "heartbeat.interval.ms"                  = "0"
    "json.output.decimal.format"             = "BASE64"
    "kafka.auth.mode"                        = "SERVICE_ACCOUNT"
    "kafka.service.account.id"               = var.account_id
    "output.data.format"                     = "AVRO"
    "output.key.format"                      = "AVRO"
    "publication.autocreate.mode"            = "all_tables"
    "publication.name"                       = "dbz_publication"
    "schema.context.name"                    = "default"
    "schema.name.adjustment.mode"            = "none"
    "slot.name"                              = "debezium"
    "snapshot.mode"                          = "initial"
    "tasks.max"                              = "1"
    "time.precision.mode"                    = "adaptive"
    "tombstones.on.delete"                   = "true"
    "topic.prefix"                           = "league"
  }
  lifecycle {
    prevent_destroy = false
  }
}
