resource "aiven_kafka_connector" "bookings_source" {
  project        = var.project
  service_name   = aiven_kafka_connect.kc.service_name
  connector_name = "bookings-source"

  config = {
    "name"                        = "bookings-source",
    "topic.prefix"                = "bookings",
    "transforms"                  = "flatten",
    "transforms.flatten.type"     = "org.apache.kafka.connect.transforms.Flatten$Value",
    "transforms.flatten.delimiter" = "_",
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname"           = aiven_pg.pg.service_host,
    "database.port"               = aiven_pg.pg.service_port,
    "database.user"               = aiven_pg.pg.service_username,
    "database.password"           = aiven_pg.pg.service_password,
    "database.dbname"             = "defaultdb",
    "database.sslmode"            = "require",
    "tasks.max"                   = "1",
    "plugin.name"                 = "pgoutput",
    "slot.name"                   = "cdc",
    "publication.name"            = "cdc",
    "publication.autocreate.mode" = "all_tables",
    "table.include.list"          = "public.bookings",
    "snapshot.mode"               = "never",
    "tombstones.on.delete"        = "false",
    "poll.interval.ms"            = "500",
    "key.converter"               = "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable" = "false",
    "value.converter"             = "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable" = "false",
    "decimal.format"              = "BASE64",
    "output.data.format"          = "JSON",
    "database.trustServerCertificate" = "true"
  }
}
