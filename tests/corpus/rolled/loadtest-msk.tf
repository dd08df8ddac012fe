locals {
  capture_settings = {
    connectorConfiguration = {
      "connector.class"      = "io.debezium.connector.postgresql.PostgresConnector"
      "tasks.max"            = "1"
      "database.hostname"    = aws_db_instance.pg.address
      "database.port"        = tostring(aws_db_instance.pg.port)
      "database.user"        = "postgres"
      "database.password"    = "postgres"
      "database.dbname"      = aws_db_instance.pg.db_name
      "database.server.name" = "loadtest-pg"
      "schema.include.list"  = "public" # change where needed
      "plugin.name"          = "pgoutput"
      "topic.prefix"         = "capture.loadtest.pg"

      # Later additions
      "signal.data.collection"                    = "public.capture_signal"
      "topic.creation.enable"                     = "true"
      "topic.creation.default.replication.factor" = "3"
      "topic.creation.default.partitions"         = "1"

      # History topic
      "schema.history.internal.kafka.topic"             = "schema-changes.loadtest"
      "schema.history.internal.kafka.bootstrap.servers" = aws_msk_cluster.bus.bootstrap_brokers_tls

      # How the history clients log in
      "schema.history.internal.consumer.security.protocol"                  = "SASL_SSL"
      "schema.history.internal.consumer.sasl.mechanism"                     = "AWS_MSK_IAM"
      "schema.history.internal.consumer.sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
      "schema.history.internal.consumer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"

      "schema.history.internal.producer.security.protocol"                  = "SASL_SSL"
      "schema.history.internal.producer.sasl.mechanism"                     = "AWS_MSK_IAM"
      "schema.history.internal.producer.sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
      "schema.history.internal.producer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"

      "include.schema.changes" = "true"
    }

    connectorName = "loadtest-capture-pg-connector"

    capacity = {
      provisionedCapacity = {
        mcuCount    = 8
        workerCount = 1
      }
    }

    kafkaConnectVersion     = "2.7.1"
    serviceExecutionRoleArn = aws_iam_role.capture_role.arn

    kafkaClusterEncryptionInTransit = {
      encryptionType = "TLS"
    }

    kafkaClusterClientAuthentication = {
      authenticationType = "IAM"
    }
  }
}

# must exist before the connector
resource "aws_cloudwatch_log_group" "capture_logs" {
  name              = "/aws/kafkaconnect/loadtest-capture-pg"
  retention_in_days = 14
}

resource "aws_mskconnect_custom_plugin" "capture" {
  name         = "loadtest-capture-pg-plugin"
  content_type = "ZIP"

  location {
    s3 {
      bucket_arn = "arn:aws:s3:::loadtest-capture-pg-plugin"
      file_key   = "connector.zip"
    }
  }
}

resource "aws_mskconnect_connector" "capture" {
  name = "loadtest-capture-pg"

  kafkaconnect_version = local.capture_settings.kafkaConnectVersion

  capacity {
    provisioned_capacity {
      mcu_count    = local.capture_settings.capacity.provisionedCapacity.mcuCount
      worker_count = local.capture_settings.capacity.provisionedCapacity.workerCount
    }
  }

  connector_configuration = local.capture_settings.connectorConfiguration

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.bus.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.bus.id, aws_security_group.capture.id]
        subnets         = module.net.private_subnets
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = local.capture_settings.kafkaClusterClientAuthentication.authenticationType
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = local.capture_settings.kafkaClusterEncryptionInTransit.encryptionType
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.capture.arn
      revision = aws_mskconnect_custom_plugin.capture.latest_revision
    }
  }

  service_execution_role_arn = local.capture_settings.serviceExecutionRoleArn

  log_delivery {
    worker_log_delivery {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.capture_logs.name
      }
    }
  }

  depends_on = [
    aws_cloudwatch_log_group.capture_logs,
    aws_mskconnect_custom_plugin.capture
  ]
}

resource "aws_iam_role" "capture_role" {
  name = "capture-role"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Action    = "sts:AssumeRole"
        Effect    = "Allow"
        Principal = { Service = "kafkaconnect.amazonaws.com" }
      }
    ]
  })
}
