terraform {
  backend "s3" {}
}

# pilots are owned by the crew service
resource "kafka-connect_connector" "crew_pilots_source" {
  name = "crew-pilots-source"
  config = {
    "name"               = "crew-pilots-source"
    "connector.class"    = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"  = var.pg_address
    "database.port"      = "5432"
    "database.user"      = var.cdc_login
    "database.password"  = var.cdc_secret
    "database.dbname"    = "crew"
    "topic.prefix"       = "crew"
    "plugin.name"        = "pgoutput"
    "slot.name"          = "dbz_crew_slot"
    "publication.name"   = "dbz_crew_pub"
    "table.include.list" = "public.pilots"
  }
}

# the roster service needs nothing but the ids, for its foreign keys
resource "kafka-connect_connector" "roster_pilots_sink" {
  name = "roster-pilots-sink"
  config = {
    "name"                = "roster-pilots-sink"
    "connector.class"     = "io.confluent.connect.jdbc.JdbcSinkConnector"
    "connection.url"      = "jdbc:postgresql://${var.pg_address}:5432/roster?stringtype=unspecified"
    "connection.user"     = var.cdc_login
    "connection.password" = var.cdc_secret
    "topics"              = "crew.public.pilots"
    "auto.create"         = "false"
    "insert.mode"         = "upsert"
    "pk.mode"             = "record_key"
    "pk.fields"           = "id"
    "table.name.format"   = "pilots"
    "fields.whitelist"    = "id"
    "delete.enabled"      = "true"
  }
}

resource "kafka-connect_connector" "roster_shifts_source" {
  name = "roster-shifts-source"
  config = {
    "name"               = "roster-shifts-source"
    "connector.class"    = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"  = var.pg_address
    "database.port"      = "5432"
    "database.user"      = var.cdc_login
    "database.password"  = var.cdc_secret
    "database.dbname"    = "roster"
    "topic.prefix"       = "roster"
    "plugin.name"        = "pgoutput"
    "slot.name"          = "dbz_roster_slot"
    "publication.name"   = "dbz_roster_pub"
    "table.include.list" = "public.shifts"
  }
}
