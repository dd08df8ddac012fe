resource "aiven_kafka_connector" "rides_source" {
  project        = var.project
  service_name   = aiven_kafka_connect.connect.service_name
  connector_name = "rides-source"

  depends_on = [aiven_service_integration.connect, aiven_pg.pg]

  config = {
    "name"                        = "rides-source",
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max"                   = "1",
    "topic.prefix"                = "rides",
    "database.hostname"           = aiven_pg.pg.service_host,
    "database.port"               = aiven_pg.pg.service_port,
    "database.user"               = aiven_pg.pg.service_username,
    "database.password"           = aiven_pg.pg.service_password,
    "database.dbname"             = "defaultdb",
    "database.sslmode"            = "require",
    "plugin.name"                 = "pgoutput",
    "slot.name"                   = "rides",
    "publication.name"            = "rides",
    "publication.autocreate.mode" = "all_tables",
    "table.include.list"          = "public.trips",
    "snapshot.mode"               = "never",
    "decimal.handling.mode"       = "precise",
    "hstore.handling.mode"        = "json",
    "tombstones.on.delete"        = "false",
    "poll.interval.ms"            = "500",
    "include.schema.changes"      = "true",
    "key.converter"               = "org.apache.kafka.connect.storage.StringConverter",
    "value.converter"             = "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable" = "false",
    "transforms"                     = "flatten,router",
    "transforms.flatten.type"        = "org.apache.kafka.connect.transforms.Flatten$Value",
    "transforms.flatten.delimiter"   = ".",
    "transforms.router.type"         = "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.router.regex"        = "rides.public.(.*)",
    "transforms.router.replacement"  = "$1_changes"
  }
}

resource "aiven_kafka_connector" "rides_sink" {
  project        = var.project
  service_name   = aiven_kafka_connect.connect.service_name
  connector_name = "rides-sink"

  config = {
    "name"                           = "rides-sink",
    "connector.class"                = "com.clickhouse.kafka.connect.ClickHouseSinkConnector",
    "hostname"                       = aiven_clickhouse.ch.service_host,
    "port"                           = aiven_clickhouse.ch.service_port,
    "database"                       = "default",
    "username"                       = aiven_clickhouse.ch.service_username,
    "password"                       = aiven_clickhouse.ch.service_password,
    "ssl"                            = "true",
    "topics"                         = "trips_changes",
    "key.converter"                  = "org.apache.kafka.connect.storage.StringConverter",
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable" = "false"
  }
}
