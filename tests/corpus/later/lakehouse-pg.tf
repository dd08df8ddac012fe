resource "aiven_kafka_connector" "lakehouse_source" {
  project        = var.project_name
  service_name   = aiven_kafka_connect.connect.service_name
  connector_name = "lakehouse-source"

  config = {
    "name"                   = "lakehouse-source"
    "connector.class"        = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"              = "2"
    "snapshot.mode"          = "initial"
    "database.hostname"      = sensitive(aiven_pg.shop.service_host)
    "database.port"          = sensitive(aiven_pg.shop.service_port)
    "database.user"          = sensitive(aiven_pg.shop.service_username)
    "database.password"      = sensitive(aiven_pg.shop.service_password)
    "database.dbname"        = "defaultdb"
    "database.sslmode"       = "require"
    "database.server.id"     = "7"
    "topic.prefix"           = "lakehouse"
    "plugin.name"            = "pgoutput"
    "include.schema.changes" = "false"
    "table.include.list"     = "public.orders,public.customers,public.products"
    "heartbeat.interval.ms"  = "10000"
    "transforms"             = "unwrap"
    "transforms.unwrap.type" = "io.debezium.transforms.ExtractNewRecordState"
  }

  depends_on = [aiven_kafka_connect.connect]
}
