resource "aiven_kafka_connect" "bridge" {
  project      = var.project
  cloud_name   = var.cloud
  plan         = var.connect_plan
  service_name = "bridge"
}

resource "aiven_service_integration" "bridge" {
  project                  = var.project
  integration_type         = "kafka_connect"
  source_service_name      = aiven_kafka.bus.service_name
  destination_service_name = aiven_kafka_connect.bridge.service_name
}

resource "aiven_kafka_connector" "orders_cdc" {
  project        = var.project
  service_name   = aiven_kafka_connect.bridge.service_name
  connector_name = "orders-cdc"

  config = {
    "name"                                          = "orders-cdc"
    "topics"                                        = aiven_kafka_topic.orders.topic_name
    "connector.class"                               = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"                             = aiven_pg.shop.service_host
    "database.port"                                 = aiven_pg.shop.service_port
    "database.password"                             = aiven_pg.shop.service_password
    "database.user"                                 = aiven_pg.shop.service_username
    "database.server.name"                          = "shop"
    "database.dbname"                               = "defaultdb"
    "database.ssl.mode"                             = "require"
    "include.schema.changes"                        = false
    "include.query"                                 = true
    "table.include.list"                            = "public.purchase"
    "plugin.name"                                   = "wal2json"
    "decimal.handling.mode"                         = "double"
    "_aiven.restart.on.failure"                     = "true"
    "key.converter"                                 = "io.confluent.connect.avro.AvroConverter"
    "key.converter.schema.registry.url"             = aiven_kafka.bus.kafka[0].schema_registry_uri
    "key.converter.basic.auth.credentials.source"   = "URL"
    "value.converter"                               = "io.confluent.connect.avro.AvroConverter"
    "value.converter.schema.registry.url"           = aiven_kafka.bus.kafka[0].schema_registry_uri
    "value.converter.basic.auth.credentials.source" = "URL"
  }

  depends_on = [aiven_service_integration.bridge]
}
