# Change feed of the booking database
resource "kafka-connect_connector" "booking" {
  name = "booking-cdc"

  config = {
    "name"                        = "booking-cdc"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = var.booking_db_host
    "database.port"               = "5432"
    "database.user"               = var.booking_db_user
    "database.dbname"             = "booking"
    "database.include.list"       = "booking"
    "topic.prefix"                = "booking"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "booking_cdc"
    "publication.name"            = "booking_cdc"
    "publication.autocreate.mode" = "disabled"
    "table.include.list"          = "public.reservations,public.seats"
    "snapshot.mode"               = "initial"
    "heartbeat.interval.ms"       = "30000"
    "key.converter"               = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"             = "org.apache.kafka.connect.json.JsonConverter"
  }

  config_sensitive = {
    "database.password" = var.booking_db_password
  }
}
