locals {
  seats_outbox = {
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"       = "1"

    "database.hostname"  = aws_db_instance.seats.address
    "database.port"      = tostring(aws_db_instance.seats.port)
    "database.user"      = "seats_cdc"
    "database.server.id" = "51877"
    "topic.prefix"       = "seats"

    "table.include.list"     = "seats[.]outbox"
    "include.schema.changes" = "false"
    "snapshot.mode"          = var.first_run ? "initial" : "no_data"

    "schema.history.internal.kafka.bootstrap.servers" = var.bootstrap_servers
    "schema.history.internal.kafka.topic"             = "seats.history"

    "key.converter"   = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"

    "transforms"                                = "outbox"
    "transforms.outbox.type"                    = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.topic.replacement" = "seats.$${routedByValue}.v1"
    # occurred_at is DATETIME(6)
    "transforms.outbox.table.field.event.timestamp" = "occurred_at"
  }
}

resource "kafka-connect_connector" "seats_outbox" {
  name   = "seats-outbox"
  config = merge(local.seats_outbox, { "name" = "seats-outbox" })
  config_sensitive = {
    "database.password" = random_password.seats_cdc.result
  }
}

resource "random_password" "seats_cdc" {
  length  = 32
  special = false
}

variable "bootstrap_servers" {
  type = string
}

variable "first_run" {
  type    = bool
  default = true
}
