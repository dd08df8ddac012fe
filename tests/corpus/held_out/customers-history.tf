terraform {
  required_providers {
    kafka-connect = {
      source  = "mongey/kafka-connect"
      version = "0.4.1"
    }
  }
}

resource "kafka_topic" "history" {
  name               = "schema-changes.crm"
  replication_factor = 1
  partitions         = 3
  config = {
    "cleanup.policy" = "delete"
  }
}

resource "kafka-connect_connector" "crm" {
  name = "crm-source"
  config = {
    "connector.class"                         = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                               = "1"
    "database.hostname"                       = var.database_hostname
    "database.port"                           = "3306"
    "database.user"                           = var.database_user
    "database.password"                       = var.database_password
    "database.server.id"                      = "184060"
    "database.server.name"                    = "crm"
    "table.include.list"                      = "crm.customers"
    "database.history.kafka.bootstrap.servers" = "localhost:9092"
    "database.history.kafka.topic"            = kafka_topic.history.name
  }
}

variable "database_hostname" { type = string }
variable "database_user" { type = string }
variable "database_password" { type = string }
