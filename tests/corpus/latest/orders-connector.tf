provider "kafka-connect" {
  url = var.connect_url
}

resource "kafka-connect_connector" "orders_outbox" {
  name = "orders-outbox"

  config = {
    "name"                        = "orders-outbox"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "plugin.name"                 = "pgoutput"
    "database.hostname"           = var.orders_db_host
    "database.port"               = "5432"
    "database.user"               = var.orders_cdc_user
    "database.dbname"             = "orders"
    "topic.prefix"                = "orders"
    "slot.name"                   = "Orders-Outbox"
    "publication.name"            = "orders_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.outbox"
    "snapshot.mode"               = "initial"
    "heartbeat.interval.ms"       = "60000"
    "heartbeat.action.query"      = "UPDATE infra.heartbeat SET beat = now()"

    "transforms"                                                  = "outbox"
    "transforms.outbox.type"                                      = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.field.event.key"                     = "aggregate_id"
    "transforms.outbox.route.by.field"                            = "aggregate_type"
    "transforms.outbox.route.topic.replacement"                   = "orders.${routedByValue}"
    "transforms.outbox.table.fields.additional.placement"         = "event_type:header:eventType"

    "key.converter"   = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
  }

  config_sensitive = {
    "database.password" = var.orders_cdc_password
  }
}
