resource "aiven_kafka" "depot" {
  project      = var.project
  cloud_name   = var.cloud
  plan         = var.plan
  service_name = "${var.stem}-kafka"

  kafka_user_config {
    kafka_connect   = true
    schema_registry = true
    kafka {
      auto_create_topics_enable = true
    }
  }
}

# Source: depots and their stock
resource "aiven_kafka_connector" "depot_source" {
  project        = var.project
  service_name   = aiven_kafka.depot.service_name
  connector_name = "depot-source"

  config = {
    "name"                 = "depot-source"
    "connector.class"      = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"            = "1"
    "database.server.name" = aiven_pg.depot.service_name
    "database.hostname"    = aiven_pg.depot.service_host
    "database.port"        = aiven_pg.depot.service_port
    "database.user"        = aiven_pg.depot.service_username
    "database.password"    = aiven_pg.depot.service_password
    "database.dbname"      = "defaultdb"
    "plugin.name"          = "pgoutput"
    "database.sslmode"     = "require"
    "publication.name"     = "depot_publication"
    "slot.name"            = "depot"
    "key.converter"        = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"      = "org.apache.kafka.connect.json.JsonConverter"
  }
}

resource "aiven_service_integration" "depot_metrics" {
  project                  = var.project
  integration_type         = "metrics"
  source_service_name      = aiven_kafka.depot.service_name
  destination_service_name = aiven_m3db.metrics.service_name
}
