terraform {
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "~> 0.4"
    }
  }
}

variable "db_host" { type = string }

provider "kafka-connect" {
  url = "http://connect.internal:8083"
}

# "$${" is the escape of Terraform for a literal "${"
resource "kafka-connect_connector" "voucher_outbox" {
  name = "voucher-outbox"

  config = {
    "name"                        = "voucher-outbox"
    "connector.class"             = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = var.db_host
    "database.port"               = "3306"
    "database.user"               = "$${secretsmanager:prod/voucher/debezium:username}"
    "database.password"           = "$${secretsmanager:prod/voucher/debezium:password}"
    "database.server.id"          = "420017"
    "database.include.list"       = "voucher"
    "table.include.list"          = "voucher\\.outbox"
    "topic.prefix"                = "voucher"
    "include.schema.changes"      = "false"
    "schema.history.internal.kafka.bootstrap.servers" = "kafka:9092"
    "schema.history.internal.kafka.topic"             = "schema-history.voucher"
    "transforms"                  = "outbox"
    "transforms.outbox.type"      = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.topic.replacement" = "voucher.$${routedByValue}"
    "key.converter"               = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"             = "org.apache.kafka.connect.storage.StringConverter"
  }
}
