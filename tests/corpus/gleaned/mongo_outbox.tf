resource "kubernetes_job" "register_outbox" {
  metadata {
    name      = "register-todo-outbox"
    namespace = local.ns
  }

  spec {
    template {
      metadata {}
      spec {
        restart_policy = "OnFailure"
        container {
          name    = "register"
          image   = "curlimages/curl:8.5.0"
          command = ["/bin/sh", "-c"]
          args = [<<-EOT
            until curl -sf http://connect:8083/connectors; do sleep 5; done

            curl -X PUT http://connect:8083/connectors/todo-outbox/config \
              -H "Content-Type: application/json" \
              -d '{
                "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
                "tasks.max": "1",
                "mongodb.connection.string": "${var.mongo_uri}",
                "mongodb.user": "${var.mongo_user}",
                "mongodb.password": "${var.mongo_password}",
                "collection.include.list": "${var.mongo_db}.outbox",
                "topic.prefix": "todo-service",

                "capture.mode": "change_streams_update_full",
                "snapshot.mode": "initial",

                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "false",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "value.converter.schemas.enable": "false",

                "transforms": "outbox",
                "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.table.field.event.id": "_id",
                "transforms.outbox.table.field.event.key": "aggregate_id",
                "transforms.outbox.table.field.event.type": "event_type",
                "transforms.outbox.table.field.event.payload": "payload",
                "transforms.outbox.table.field.event.timestamp": "created_at",
                "transforms.outbox.route.by.field": "aggregate_type",
                "transforms.outbox.route.topic.replacement": "events.$${routedByValue}",

                "tombstones.on.delete": "false",
                "provide.transaction.metadata": "false",

                "errors.tolerance": "all",
                "errors.log.enable": "true",
                "errors.log.include.messages": "true"
              }'
            EOT
          ]
        }
      }
    }
    backoff_limit = 4
  }
  wait_for_completion = false
}

# the same as a file, for registering by hand
resource "kubernetes_config_map" "todo_outbox" {
  metadata {
    name      = "todo-outbox"
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

        "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
        "key.converter.schemas.enable"   = "false"
        "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter.schemas.enable" = "false"

        "transforms"                                    = "outbox"
        "transforms.outbox.type"                        = "io.debezium.transforms.outbox.EventRouter"
        "transforms.outbox.table.field.event.id"        = "_id"
        "transforms.outbox.table.field.event.key"       = "aggregate_id"
        "transforms.outbox.table.field.event.type"      = "event_type"
        "transforms.outbox.table.field.event.payload"   = "payload"
        "transforms.outbox.table.field.event.timestamp" = "created_at"
        "transforms.outbox.route.by.field"              = "aggregate_type"
        "transforms.outbox.route.topic.replacement"     = "events.$${routedByValue}"

        "tombstones.on.delete"         = "false"
        "provide.transaction.metadata" = "false"

        "errors.tolerance"            = "all"
        "errors.log.enable"           = "true"
        "errors.log.include.messages" = "true"
      }
    })
  }
}
