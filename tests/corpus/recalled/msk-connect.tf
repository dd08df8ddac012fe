resource "aws_mskconnect_custom_plugin" "debezium" {
  name         = "debezium-mysql-1-9-7"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.plugins.arn
      file_key   = "debezium-connector-mysql-1.9.7.Final.zip"
    }
  }
}

resource "aws_mskconnect_connector" "outbox" {
  name                 = "payments-outbox"
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                                       = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                                             = "1"
    "database.hostname"                                     = aws_rds_cluster.payments.endpoint
    "database.port"                                         = "3306"
    "database.user"                                         = "$${secretManager:payments/cdc:username}"
    "database.password"                                     = "$${secretManager:payments/cdc:password}"
    "database.server.id"                                    = "482113"
    "database.server.name"                                  = "payments"
    "database.include.list"                                 = "payments"
    "table.include.list"                                    = "payments.outbox_events"
    "include.schema.changes"                                = "true"
    "snapshot.mode"                                         = "schema_only"
    "database.history.kafka.topic"                          = "internal.dbhistory.payments"
    "database.history.kafka.bootstrap.servers"              = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
    "database.history.consumer.security.protocol"           = "SASL_SSL"
    "database.history.consumer.sasl.mechanism"              = "AWS_MSK_IAM"
    "database.history.consumer.sasl.jaas.config"            = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "database.history.consumer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    "database.history.producer.security.protocol"           = "SASL_SSL"
    "database.history.producer.sasl.mechanism"              = "AWS_MSK_IAM"
    "database.history.producer.sasl.jaas.config"            = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "database.history.producer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    "key.converter"                                         = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"                                       = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable"                        = "false"
    "transforms"                                            = "outbox"
    "transforms.outbox.type"                                = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.by.field"                      = "topic"
    "transforms.outbox.route.topic.replacement"             = "$${routedByValue}"
    "transforms.outbox.table.field.event.key"               = "aggregate_id"
    "transforms.outbox.table.fields.additional.placement"   = "event_type:header:eventType,trace_id:header:traceId"
    "transforms.outbox.table.expand.json.payload"           = "true"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.private_subnets
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "IAM"
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = "TLS"
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium.arn
      revision = aws_mskconnect_custom_plugin.debezium.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
