# Mongey/kafka-connect provider. members was created first and runs; bookings flips between RUNNING and
# FAILED: "replication slot "debezium" is active for PID 311". Each has a publication of its own, though.
locals {
  club_db = {
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = "club-pg.internal"
    "database.port"               = "5432"
    "database.user"               = var.club_cdc_user
    "database.dbname"             = "club"
    "plugin.name"                 = "pgoutput"
    "publication.autocreate.mode" = "filtered"
    "heartbeat.interval.ms"       = "20000"
  }
}

resource "kafka-connect_connector" "members" {
  name = "club-members"
  config = merge(local.club_db, {
    "name"               = "club-members"
    "topic.prefix"       = "club.members"
    "publication.name"   = "cdc_members"
    "table.include.list" = "public.member,public.member_card"
  })
  config_sensitive = { "database.password" = var.club_cdc_password }
}

resource "kafka-connect_connector" "bookings" {
  name = "club-bookings"
  config = merge(local.club_db, {
    "name"               = "club-bookings"
    "topic.prefix"       = "club.bookings"
    "publication.name"   = "cdc_bookings"
    "table.include.list" = "public.booking,public.court"
  })
  config_sensitive = { "database.password" = var.club_cdc_password }
}
