resource "kafka-connect_connector" "bookings_outbox" {
  name = "bookings-outbox"

  config = {
    "name"                      = "bookings-outbox"
    "connector.class"           = "io.debezium.connector.mongodb.MongoDbConnector"
    "tasks.max"                 = "1"
    "mongodb.connection.string" = "mongodb://mongo:27017/?replicaSet=rs0"
    "mongodb.user"              = "debezium"
    "topic.prefix"              = "bookings"
    "collection.include.list"   = "bookings.outbox"

    "transforms"             = "outbox"
    "transforms.outbox.type" = "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter"

    "transforms.outbox.collection.field.event.key"       = "aggregateid"
    "transforms.outbox.collection.expand.json.payload"   = "true"
    "transforms.outbox.table.fields.additional.placement" = "type:header:eventType,tenant:header"
    "transforms.outbox.route.topic.replacement"          = "bookings.$${routedByValue}"

    "key.converter"                  = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
  }

  config_sensitive = {
    "mongodb.password" = var.mongodb_password
  }
}
