resource "kafka-connect_connector" "tickets" {
  name = "tickets-mysql"

  config = {
    "connector.class"    = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"          = "1"
    "database.hostname"  = var.tickets_db_host
    "database.port"      = "3306"
    "database.user"      = "tickets_cdc"
    "database.password"  = "$${file:/etc/connect/tickets.properties:password}"
    "database.server.id" = "44120"
    "topic.prefix"       = "tickets"
    "table.include.list" = "tickets.ticket,tickets.seat_hold"
    "heartbeat.interval.ms" = "30000"

    "schema.history.internal.kafka.bootstrap.servers" = var.brokers
    "schema.history.internal.kafka.topic"             = "tickets.schema-history"

    # holds expire by the thousand; nobody needs their deletions
    "transforms"                            = "noExpiry"
    "transforms.noExpiry.type"              = "io.debezium.transforms.Filter"
    "transforms.noExpiry.language"          = "jsr223.groovy"
    "transforms.noExpiry.topic.regex"       = "tickets\\.tickets\\.seat_hold"
    "transforms.noExpiry.condition"         = "value.op != 'd'"
    "transforms.noExpiry.null.handling.mode" = "drop"

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
  }
}
