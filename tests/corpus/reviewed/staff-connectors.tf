terraform {
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "0.3.0"
    }
  }
}


provider "kafka-connect" {
  url = "http://connect:8083"
}

resource "kafka-connect_connector" "staff" {
  name = "staff-connector"

  config = {
    "slot.name" : "staff_connector",
    "name"                                     = "staff-connector"
    "connector.class"                          = "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max"                                = "1",
    "database.hostname"                        = "staff-postgres",
    "database.port"                            = "5432",
    "database.user"                            = "postgres",
    "database.password"                        = "toor",
    "database.dbname"                          = "staff_db",
    "database.server.name"                     = "staff_db",
    "table.include.list"                       = "office.employees",
    "topic.prefix"                             = "staff-topic",
    "database.history.kafka.bootstrap.servers" = "kafka=9092",
    "database.history.kafka.topic"             = "schema_changes.employees",
    "value.converter"                          = "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable"           = "false",
    "key.converter"                            = "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable"             = "false",
    "tombstones.on.delete"                     = "false",
    "transforms"                               = "unwrap, moveOpToHeader",
    "transforms.unwrap.type"                   = "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.unwrap.field"                  = "id",
    "transforms.unwrap.add.headers"            = "op",
    "transforms.moveOpToHeader.type"           = "org.apache.kafka.connect.transforms.HeaderFrom$Value",
    "transforms.moveOpToHeader.fields"         = "op",
    "transforms.moveOpToHeader.headers"        = "op",
    "transforms.moveOpToHeader.operation"      = "move"
  }
}

resource "kafka-connect_connector" "streams" {
  name = "streams-connector"

  config = {
    "slot.name" = "streams_connector",
    "name"                                     = "streams-connector",
    "connector.class"                          = "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max"                                = "1",
    "database.hostname"                        = "staff-postgres",
    "database.port"                            = "5432",
    "database.user"                            = "postgres",
    "database.password"                        = "toor",
    "database.dbname"                          = "staff_db",
    "database.server.name"                     = "staff_db",
    "table.include.list"                       = "office.employees, office.vehicles",
    "topic.prefix"                             = "streams-topic",
    "database.history.kafka.bootstrap.servers" = "kafka=9092",
    "database.history.kafka.topic"             = "schema_changes.office",
    "value.converter"                          = "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable"           = "false",
    "key.converter"                            = "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable"             = "false",
    "transforms"                               = "unwrap, filter, extractKey",
    "transforms.unwrap.type"                   = "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.add.fields"             = "op",
    "transforms.filter.type"                   = "io.debezium.transforms.Filter",
    "transforms.filter.language"               = "jsr223.groovy",
    "transforms.filter.condition"              = "value.__op == 'c'",
    "transforms.extractKey.type"               = "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.extractKey.field"              = "id",
    "decimal.handling.mode"                    = "string"
  }
}
