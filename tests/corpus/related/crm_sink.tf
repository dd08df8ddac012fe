terraform {
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "~> 0.4"
    }
  }
}

variable "mart_password" {
  type      = string
  sensitive = true
}

# Topics are crm.public.account and crm.public.contact, the tables in the mart are account and contact.
resource "kafka-connect_connector" "crm_mart" {
  name = "crm-mart"

  config = {
    "name"                           = "crm-mart"
    "connector.class"                = "io.debezium.connector.jdbc.JdbcSinkConnector"
    "topics"                         = "crm.public.account,crm.public.contact"
    "connection.url"                 = "jdbc:mysql://mart:3306/crm_mart"
    "connection.username"            = "mart_writer"
    "insert.mode"                    = "upsert"
    "primary.key.mode"               = "record_key"
    "schema.evolution"               = "basic"
    "collection.name.format"         = "$${topic}"
    "transforms"                     = "last"
    "transforms.last.type"           = "org.apache.kafka.connect.transforms.RegexRouter"
    "transforms.last.regex"          = "([^.]+$)"
    "transforms.last.replacement"    = "$1"
    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "true"
  }

  config_sensitive = {
    "connection.password" = var.mart_password
  }
}
