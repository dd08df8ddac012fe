# Post-mortem 2025-03: "replication slot is active for PID 90413" after the provider had replaced the database node.
# Root cause on the side of the provider: the old node's walsender lived on until wal_sender_timeout; the task was
# restarted by hand. The configuration was (and is) right, only the automatic restart has been added since.
resource "aiven_kafka_connector" "harbour" {
  project        = var.project
  service_name   = aiven_kafka_connect.cdc.service_name
  connector_name = "harbour-berths"

  config = {
    "name"                        = "harbour-berths"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "_aiven.restart.on.failure"   = "true"
    "database.hostname"           = aiven_pg.harbour.service_host
    "database.port"               = tostring(aiven_pg.harbour.service_port)
    "database.user"               = aiven_pg_user.cdc.username
    "database.password"           = aiven_pg_user.cdc.password
    "database.dbname"             = "harbour"
    "database.sslmode"            = "require"
    "topic.prefix"                = "harbour"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "harbour_berths"
    "publication.name"            = "harbour_berths"
    "publication.autocreate.mode" = "disabled"
    "table.include.list"          = "public.berth,public.call"
    "slot.max.retries"            = "20"
    "slot.retry.delay.ms"         = "15000"
    "heartbeat.interval.ms"       = "30000"
    "heartbeat.action.query"      = "insert into public.cdc_pulse (id, at) values (1, now()) on conflict (id) do update set at = excluded.at"
  }
}

resource "aiven_pg_user" "cdc" {
  project              = var.project
  service_name         = aiven_pg.harbour.service_name
  username             = "harbour_cdc"
  pg_allow_replication = true
}
