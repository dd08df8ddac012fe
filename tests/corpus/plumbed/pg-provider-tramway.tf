# Everything that the connector of the tramway needs in the database is made by the provider for Postgres
terraform {
  required_providers {
    postgresql    = { source = "cyrilgdn/postgresql" }
    kafka-connect = { source = "Mongey/kafka-connect" }
  }
}

resource "postgresql_role" "cdc" {
  name        = "tram_cdc"
  login       = true
  replication = true
  password    = var.cdc_password
}

resource "postgresql_grant" "usage" {
  database    = "tramway"
  role        = postgresql_role.cdc.name
  schema      = "dispatch"
  object_type = "schema"
  privileges  = ["USAGE"]
}

resource "postgresql_grant" "outbox" {
  database    = "tramway"
  role        = postgresql_role.cdc.name
  schema      = "dispatch"
  object_type = "table"
  objects     = ["outbox"]
  privileges  = ["SELECT"]
}

resource "postgresql_publication" "outbox" {
  database = "tramway"
  name     = "tram_outbox"
  tables   = ["dispatch.outbox"]
}

resource "postgresql_replication_slot" "outbox" {
  database = "tramway"
  name     = "tram_outbox"
  plugin   = "pgoutput"
}

resource "kafka-connect_connector" "outbox" {
  name = "tram-outbox"

  config = {
    "name"                        = "tram-outbox"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"           = var.db_host
    "database.port"               = "5432"
    "database.user"               = postgresql_role.cdc.name
    "database.dbname"             = "tramway"
    "topic.prefix"                = "tram"
    "plugin.name"                 = postgresql_replication_slot.outbox.plugin
    "slot.name"                   = postgresql_replication_slot.outbox.name
    "publication.name"            = postgresql_publication.outbox.name
    "publication.autocreate.mode" = "disabled"
    "snapshot.mode"               = "no_data" # the slot has kept every change since it was made
    "table.include.list"          = "dispatch.outbox"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.fields.additional.placement" = "type:header:event-type"
    "transforms.outbox.route.topic.replacement"           = "tram.$${routedByValue}"

    "topic.creation.default.partitions"         = "3"
    "topic.creation.default.replication.factor" = "3"

    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
  }

  config_sensitive = {
    "database.password" = var.cdc_password
  }

  depends_on = [postgresql_grant.usage, postgresql_grant.outbox]
}
