terraform {
  backend "s3" {
    # filled in by the entry script of the container
  }
}

# Accounts of the identity service: PostgreSQL -> Kafka
resource "kafka-connect_connector" "identity-accounts-source" {
  name = "identity-accounts-source"

  config = {
    "name"               = "identity-accounts-source"
    "connector.class"    = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"  = var.pg_host
    "database.port"      = "5432"
    "database.user"      = var.cdc_user
    "database.password"  = var.cdc_password
    "database.dbname"    = "identity"
    "topic.prefix"       = "accounts"
    "plugin.name"        = "pgoutput"
    "slot.name"          = "debezium_accounts_slot"
    "publication.name"   = "debezium_accounts_pub"
    "table.include.list" = "public.accounts"

    # for more reliability
    "database.server.id"     = "1"
    "database.server.name"   = "identity-db"
    "decimal.handling.mode"  = "string"
    "include.schema.changes" = "false"
    "transforms"             = "unwrap"
    "transforms.unwrap.type" = "io.debezium.transforms.ExtractNewRecordState"
  }
}
