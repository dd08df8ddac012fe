terraform {
  required_providers {
    google        = { source = "hashicorp/google" }
    postgresql    = { source = "cyrilgdn/postgresql" }
    kafka-connect = { source = "Mongey/kafka-connect" }
  }
}

resource "google_sql_database_instance" "members" {
  name             = "members-pg"
  region           = "europe-west4"
  database_version = "POSTGRES_15"
  settings {
    tier = "db-custom-2-7680"
    database_flags {
      name  = "cloudsql.logical_decoding"
      value = "on"
    }
    ip_configuration {
      ipv4_enabled    = false
      private_network = var.network
    }
  }
}

resource "google_sql_database" "members" {
  name     = "members"
  instance = google_sql_database_instance.members.name
}

resource "random_password" "cdc" {
  length  = 24
  special = false
}

resource "postgresql_role" "cdc" {
  name        = "members_cdc"
  login       = true
  replication = true
  password    = random_password.cdc.result
}

resource "postgresql_grant" "cdc" {
  database    = google_sql_database.members.name
  role        = postgresql_role.cdc.name
  schema      = "public"
  object_type = "table"
  objects     = ["outbox"]
  privileges  = ["SELECT"]
}

resource "postgresql_publication" "outbox" {
  name     = "members_outbox"
  database = google_sql_database.members.name
  tables   = ["public.outbox"]
}

resource "postgresql_replication_slot" "outbox" {
  name     = "members_outbox"
  database = google_sql_database.members.name
  plugin   = "test_decoding"
}

resource "kafka-connect_connector" "outbox" {
  name = "members-outbox"
  config = {
    "name"                        = "members-outbox"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = google_sql_database_instance.members.private_ip_address
    "database.port"               = "5432"
    "database.user"               = postgresql_role.cdc.name
    "database.dbname"             = google_sql_database.members.name
    "topic.prefix"                = "members"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = postgresql_replication_slot.outbox.name
    "publication.name"            = postgresql_publication.outbox.name
    "publication.autocreate.mode" = "disabled"
    "table.include.list"          = "public.outbox"
    "transforms"                  = "outbox"
    "transforms.outbox.type"      = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.topic.replacement" = "members.$${routedByValue}"
  }
  config_sensitive = {
    "database.password" = random_password.cdc.result
  }
}
