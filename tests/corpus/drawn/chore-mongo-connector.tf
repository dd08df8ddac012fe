# Registers the connector for the outbox of the chore service.

resource "kubernetes_job" "put_connector" {
  metadata {
    name      = "put-debezium-connector"
    namespace = local.namespace
  }

  spec {
    template {
      metadata {
        labels = {
          app = "put-connector"
        }
      }

      spec {
        restart_policy = "OnFailure"

        container {
          name  = "put-connector"
          image = "curlimages/curl:latest"

          command = ["/bin/sh", "-c"]
          args = [
            <<-EOT
            until curl -s http://kafka-connect:8083/connectors; do
              echo "waiting"
              sleep 5
            done

            curl -X PUT http://kafka-connect:8083/connectors/chore-outbox-connector/config \
              -H "Content-Type: application/json" \
              -d '{
                "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
                "tasks.max": "1",

                "mongodb.connection.string": "${var.mongo_uri}",
                "mongodb.user": "${var.mongo_user}",
                "mongodb.password": "${var.mongo_password}",

                "collection.include.list": "${var.mongo_db}.outbox",
                "topic.prefix": "chore-service",

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

    backoff_limit = 5
  }

  wait_for_completion = false
}

# The same as a file, for those who post it by hand.
resource "kubernetes_config_map" "connector" {
  metadata {
    name      = "chore-connector"
    namespace = local.namespace
  }

  data = {
    "chore-outbox-connector.json" = jsonencode({
      name = "chore-outbox-connector"
      config = {
        "connector.class"           = "io.debezium.connector.mongodb.MongoDbConnector"
        "tasks.max"                 = "1"
        "mongodb.connection.string" = var.mongo_uri
        "mongodb.user"              = var.mongo_user
        "mongodb.password"          = var.mongo_password
        "collection.include.list"   = "${var.mongo_db}.outbox"
        "topic.prefix"              = "chore-service"
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
