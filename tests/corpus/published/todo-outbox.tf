# The connector's settings as a ConfigMap; the register job mounts it.

resource "kubernetes_config_map" "todo_connector" {
  metadata {
    name      = "todo-connector"
    namespace = local.ns
  }

  data = {
    "todo-outbox.json" = jsonencode({
      name = "todo-outbox"
      config = {
        "connector.class"           = "io.debezium.connector.mongodb.MongoDbConnector"
        "tasks.max"                 = "1"
        "mongodb.connection.string" = var.mongo_uri
        "mongodb.user"              = var.mongo_user
        "mongodb.password"          = var.mongo_password
        "collection.include.list"   = "${var.mongo_db}.outbox"
        "topic.prefix"              = "todo-service"
        "capture.mode"              = "change_streams_update_full"
        "snapshot.mode"             = "initial"

        # converters
        "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
        "key.converter.schemas.enable"   = "false"
        "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter.schemas.enable" = "false"

        # outbox
        "transforms"                                    = "outbox"
        "transforms.outbox.type"                        = "io.debezium.transforms.outbox.EventRouter"
        "transforms.outbox.table.field.event.id"        = "_id"
        "transforms.outbox.table.field.event.key"       = "aggregate_id"
        "transforms.outbox.table.field.event.type"      = "event_type"
        "transforms.outbox.table.field.event.payload"   = "payload"
        "transforms.outbox.table.field.event.timestamp" = "created_at"
        "transforms.outbox.route.by.field"              = "aggregate_type"
        "transforms.outbox.route.topic.replacement"     = "events.$${routedByValue}"

        # deletes
        "tombstones.on.delete"         = "false"
        "provide.transaction.metadata" = "false"

        # errors
        "errors.tolerance"            = "all"
        "errors.log.enable"           = "true"
        "errors.log.include.messages" = "true"
      }
    })
  }
}
