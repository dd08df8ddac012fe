terraform {
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "0.3.0"
    }
  }
}

provider "kafka-connect" {
  url = "http://crane-connect:8083"
}

# new operators and new cranes only, one flat record each
resource "kafka-connect_connector" "crane_stream" {
  name = "crane-stream"

  config = {
    "slot.name"                                = "crane_stream"
    "name"                                     = "crane-stream"
    "connector.class"                          = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                                = "1"
    "database.hostname"                        = "crane-postgres"
    "database.port"                            = "5432"
    "database.user"                            = "postgres"
    "database.password"                        = "root"
    "database.dbname"                          = "crane_db"
    "database.server.name"                     = "crane_db"
    "plugin.name"                              = "pgoutput"
    "table.include.list"                       = "yard.operators, yard.cranes"
    "topic.prefix"                             = "crane-stream-topic"
    "database.history.kafka.bootstrap.servers" = "kafka=9092"
    "database.history.kafka.topic"             = "ddl_of_yard"
    "value.converter"                          = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable"           = "false"
    "key.converter"                            = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"             = "false"
    "transforms"                               = "unwrap, onlynew, plainkey"
    "transforms.unwrap.type"                   = "io.debezium.transforms.ExtractNewRecordState"
    "transforms.unwrap.add.fields"             = "op"
    "transforms.onlynew.type"                  = "io.debezium.transforms.Filter"
    "transforms.onlynew.language"              = "jsr223.groovy"
    "transforms.onlynew.condition"             = "value.__op == 'c'"
    "transforms.plainkey.type"                 = "org.apache.kafka.connect.transforms.ExtractField$Key"
    "transforms.plainkey.field"                = "id"
    "decimal.handling.mode"                    = "string"
  }
}
