resource "confluent_connector" "membership_outbox" {
  environment {
    id = var.environment_id
  }
  kafka_cluster {
    id = var.cluster_id
  }

  config_sensitive = {
    "database.password" = var.membership_db_password
  }

  config_nonsensitive = {
    "connector.class"          = "PostgresCdcSourceV2"
    "name"                     = "membership-outbox"
    "kafka.auth.mode"          = "SERVICE_ACCOUNT"
    "kafka.service.account.id" = var.service_account_id
    "database.hostname"        = var.membership_db_host
    "database.port"            = "5432"
    "database.user"            = "membership_cdc"
    "database.dbname"          = "membership"
    "database.sslmode"         = "require"
    "slot.name"                = "membership_outbox"
    "publication.name"         = "membership_outbox"
    "topic.prefix"             = "membership"
    "table.include.list"       = "public.outbox"
    "after.state.only"         = "false"
    "output.data.format"       = "JSON"
    "output.key.format"        = "STRING"
    "tasks.max"                = "1"

    "transforms"             = "outbox"
    "transforms.outbox.type" = "io.debezium.transforms.outbox.EventRouter"
    # $$ : not for Terraform
    "transforms.outbox.route.topic.replacement"    = "membership.$${routedByValue}.v2"
    "transforms.outbox.table.expand.json.payload"  = "true"
    "transforms.outbox.table.field.event.key"      = "member_id"
  }
}
