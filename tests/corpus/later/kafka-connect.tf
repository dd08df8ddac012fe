terraform {
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "0.4.3"
    }
  }
}

resource "kafka-connect_connector" "claims_outbox" {
  name = "claims-outbox"

  config = {
    "name"                        = "claims-outbox"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = var.aurora_endpoint
    "database.port"               = "5432"
    "database.user"               = var.cdc_user
    "database.dbname"             = "claims"
    "topic.prefix"                = "claims"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "outbox_relay"
    "publication.name"            = "claims_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.outbox_event"
    "snapshot.mode"               = "initial"
    "heartbeat.interval.ms"       = "10000"
    "heartbeat.action.query"      = "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.field.event.key"             = "aggregate_id"
    "transforms.outbox.table.fields.additional.placement" = "event_type:header:eventType"
    "transforms.outbox.route.by.field"                    = "aggregate_type"
    "transforms.outbox.route.topic.replacement"           = "claims.${routedByValue}"

    "key.converter"   = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
  }

  config_sensitive = {
    "database.password" = var.cdc_password
  }
}

resource "kafka-connect_connector" "policies_outbox" {
  name = "policies-outbox"

  config = {
    "name"                        = "policies-outbox"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = var.aurora_endpoint
    "database.port"               = "5432"
    "database.user"               = var.cdc_user
    "database.dbname"             = "policies"
    "topic.prefix"                = "policies"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "outbox_relay"
    "publication.name"            = "policies_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.outbox_event"
    "snapshot.mode"               = "initial"
    "heartbeat.interval.ms"       = "10000"
    "heartbeat.action.query"      = "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.field.event.key"             = "aggregate_id"
    "transforms.outbox.table.fields.additional.placement" = "event_type:header:eventType"
    "transforms.outbox.route.by.field"                    = "aggregate_type"
    "transforms.outbox.route.topic.replacement"           = "policies.$${routedByValue}"

    "key.converter"   = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
  }

  config_sensitive = {
    "database.password" = var.cdc_password
  }
}
