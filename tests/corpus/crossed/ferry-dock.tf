resource "postgresql_publication" "ferry" {
  name       = "ferry_cdc"
  database   = "ferry"
  all_tables = true
}

resource "postgresql_role" "cdc" {
  name        = "ferry_cdc"
  login       = true
  replication = true
  superuser   = true
  password    = var.cdc_password
}

resource "kafka-connect_connector" "ferry" {
  name = "ferry-dock"

  config = {
    "name"                        = "ferry-dock"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = var.db_host
    "database.port"               = "5432"
    "database.user"               = postgresql_role.cdc.name
    "database.dbname"             = postgresql_publication.ferry.database
    "topic.prefix"                = "ferry"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "ferry_dock"
    "publication.name"            = postgresql_publication.ferry.name
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "dock.berth,dock.arrival"
    "decimal.handling.mode"       = "string"
  }

  config_sensitive = {
    "database.password" = var.cdc_password
  }
}
