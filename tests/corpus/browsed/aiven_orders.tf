resource "aiven_kafka_connect" "kc" {
  project      = var.project
  cloud_name   = var.cloud
  plan         = var.plan
  service_name = "kc"
}

resource "aiven_kafka_connector" "tickets" {
  project        = var.project
  service_name   = aiven_kafka_connect.kc.service_name
  connector_name = "tickets"

  config = {
    "name"                       = "tickets"
    "topics"                     = aiven_kafka_topic.ticket.topic_name
    "connector.class"            = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"          = aiven_pg.pg.service_host
    "database.port"              = aiven_pg.pg.service_port
    "database.password"          = aiven_pg.pg.service_password
    "database.user"              = aiven_pg.pg.service_username
    "database.server.name"       = "tickets"
    "database.dbname"            = "defaultdb"
    "database.ssl.mode"          = "require"
    "include.schema.changes"     = false
    "include.query"              = true
    "table.include.list"         = "public.tickets"
    "plugin.name"                = "wal2json"
    "decimal.handling.mode"      = "double"
    "_aiven.restart.on.failure"  = "true"
    "key.converter"              = "io.confluent.connect.avro.AvroConverter"
    "key.converter.schema.registry.url"             = aiven_kafka.prod.kafka[0].schema_registry_uri
    "key.converter.basic.auth.credentials.source"   = "URL"
    "value.converter"            = "io.confluent.connect.avro.AvroConverter"
    "value.converter.schema.registry.url"           = aiven_kafka.prod.kafka[0].schema_registry_uri
    "value.converter.basic.auth.credentials.source" = "URL"
  }
}
