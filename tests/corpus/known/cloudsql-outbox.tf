locals {
  outbox = {
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"           = var.db_host
    "database.port"               = tostring(var.db_port)
    "database.user"               = var.db_user
    "database.dbname"             = var.db_name
    "topic.prefix"                = "billing"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "debezium"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.outbox_events"
    "snapshot.mode"               = "initial"
    "heartbeat.interval.ms"       = "5000"
    "transforms"                  = "outbox"
    "transforms.outbox.type"      = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.by.field"          = "aggregate_type"
    "transforms.outbox.table.field.event.key"   = "aggregate_id"
    "transforms.outbox.route.topic.replacement" = "billing.outbox.event.$${routedByValue}"
    "transforms.outbox.table.fields.additional.placement" = "event_type:header:eventType"
    "key.converter"               = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"             = "org.apache.kafka.connect.storage.StringConverter"
  }
}

resource "kafka-connect_connector" "outbox" {
  name   = "billing-outbox"
  config = local.outbox
  config_sensitive = {
    "database.password" = var.db_password
  }
}
