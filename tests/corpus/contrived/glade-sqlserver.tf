# One connector for the databases of both regions, provider Mongey/kafka-connect

variable "glade_password" {
  type      = string
  sensitive = true
}

resource "kafka-connect_connector" "glade_outbox" {
  name = "glade-outbox"

  config = {
    "name"                            = "glade-outbox"
    "connector.class"                 = "io.debezium.connector.sqlserver.SqlServerConnector"
    "tasks.max"                       = "2"
    "database.hostname"               = "glade-sql.internal"
    "database.port"                   = "1433"
    "database.user"                   = "glade_cdc"
    "database.names"                  = "GladeNorth,GladeSouth"
    "driver.encrypt"                  = "true"
    "driver.trustServerCertificate"   = "true"
    "topic.prefix"                    = "glade"
    "table.include.list"              = "dbo.Outbox"
    "snapshot.mode"                   = "no_data"
    "snapshot.isolation.mode"         = "read_committed"
    "schema.history.internal.kafka.bootstrap.servers" = join(",", var.bootstrap_servers)
    "schema.history.internal.kafka.topic"             = "glade.schema-history"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.field.event.id"              = "Id"
    "transforms.outbox.table.field.event.key"             = "AggregateId"
    "transforms.outbox.table.field.event.payload"         = "Payload"
    "transforms.outbox.table.fields.additional.placement" = "EventType:header:eventType"
    "transforms.outbox.route.by.field"                    = "AggregateType"
    "transforms.outbox.route.topic.replacement"           = "glade.$${routedByValue}"

    "key.converter"   = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
  }

  config_sensitive = {
    "database.password" = var.glade_password
  }
}
