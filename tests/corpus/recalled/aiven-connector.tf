resource "aiven_kafka_connector" "members_outbox" {
  project        = var.project
  service_name   = aiven_kafka_connect.main.service_name
  connector_name = "members-outbox"

  config = {
    "name"                        = "members-outbox"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = aiven_pg.members.service_host
    "database.port"               = aiven_pg.members.service_port
    "database.user"               = aiven_pg.members.service_username
    "database.password"           = aiven_pg.members.service_password
    "database.dbname"             = "defaultdb"
    "database.sslmode"            = "require"
    "database.server.name"        = "members"
    "topic.prefix"                = "members"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "members_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.outbox"
    "heartbeat.interval.ms"       = "10000"
    "tombstones.on.delete"        = "false"
    "key.converter"               = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"             = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter.schemas.enable" = "false"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.field.event.key"             = "aggregate_id"
    "transforms.outbox.table.fields.additional.placement" = "event_type:header:event_type"
    "transforms.outbox.route.by.field"                    = "aggregate_type"
    "transforms.outbox.route.topic.replacement"           = "members.$1"
  }
}
