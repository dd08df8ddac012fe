provider "kafka-connect" {
  url = "http://localhost:8083"
}

resource "time_sleep" "connect_is_up" {
  create_duration = "60s"
}

resource "kafka-connect_connector" "cargo_source" {
  name = "cargo-source"

  config = {
    "name"              = "cargo-source"
    "connector.class"   = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname" = "postgres"
    "database.port"     = "5432"
    "database.user"     = "de_user"
    "database.password" = "de_password"
    "database.dbname"   = "cargo"
    "topic.prefix"      = "cargo"
    "plugin.name"       = "pgoutput"
  }

  depends_on = [time_sleep.connect_is_up]
}
