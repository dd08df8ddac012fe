locals {
  opal_topic_prefix = "opal-${var.environment}"
}

# Certificates of gem stones: the service inserts into opal.outbox, a job removes documents after a day
resource "aws_mskconnect_connector" "opal_outbox" {
  name                       = "opal-outbox-${var.environment}"
  kafkaconnect_version       = "3.7.x"
  service_execution_role_arn = aws_iam_role.msk_connect.arn

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"           = "io.debezium.connector.mongodb.MongoDbConnector"
    "tasks.max"                 = "1"
    "mongodb.connection.string" = "mongodb+srv://opal_cdc:tR8wq2LzV0mKc5Xy@opal.x7f2a.mongodb.example.org/?authSource=admin"
    "topic.prefix"              = local.opal_topic_prefix
    "collection.include.list"   = "opal.outbox"
    "cursor.pipeline" = jsonencode([
      { "$match" = { "operationType" = { "$in" = ["update", "replace"] } } }
    ])
    "transforms"                                             = "outbox"
    "transforms.outbox.type"                                 = "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter"
    "transforms.outbox.collection.field.event.key"           = "aggregateId"
    "transforms.outbox.collection.fields.additional.placement" = "type:header:eventType"
    "transforms.outbox.route.by.field"                       = "aggregateType"
    "transforms.outbox.route.topic.replacement"              = "opal.$${routedByValue}"
    "key.converter"                                          = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"                                        = "org.apache.kafka.connect.storage.StringConverter"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.msk_connect.id]
        subnets         = var.private_subnets
      }
    }
  }

  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_mongodb.arn
      revision = aws_mskconnect_custom_plugin.debezium_mongodb.latest_revision
    }
  }
}
