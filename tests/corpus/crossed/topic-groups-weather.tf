locals {
  stations = ["coast", "inland"]
}

resource "kafka-connect_connector" "weather" {
  name = "weather-stations"

  config = {
    "name"                                 = "weather-stations"
    "connector.class"                      = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                            = "1"
    "database.hostname"                    = var.mysql_host
    "database.port"                        = "3306"
    "database.user"                        = "$${file:/etc/connect/weather.properties:user}"
    "database.password"                    = "$${file:/etc/connect/weather.properties:password}"
    "database.server.id"                   = "77120"
    "topic.prefix"                         = "weather"
    "database.include.list"                = "weather"
    "table.include.list"                   = join(",", [for s in local.stations : "weather.reading_${s}"])
    "schema.history.internal.kafka.topic"  = "weather.history"
    "schema.history.internal.kafka.bootstrap.servers" = var.brokers

    # many partitions for the readings only, the rest as the broker has it
    "topic.creation.groups"                      = "readings"
    "topic.creation.readings.include"            = "weather\\.weather\\.reading_.*"
    "topic.creation.readings.partitions"         = "24"
    "topic.creation.readings.replication.factor" = "3"
    "topic.creation.readings.cleanup.policy"     = "delete"
  }
}
