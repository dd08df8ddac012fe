# First table of the readings database to MSK (IAM). The plug-in archive holds the connector
# and aws-msk-iam-auth in one directory, not a zip within a zip.
resource "aws_mskconnect_connector" "readings" {
  name                       = "readings-${var.stage}"
  kafkaconnect_version       = "3.7.x"
  service_execution_role_arn = aws_iam_role.connect.arn

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

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"       = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"             = "1"
    "database.hostname"     = aws_rds_cluster.readings.endpoint
    "database.port"         = "3306"
    "database.user"         = "$${secretManager:${aws_secretsmanager_secret.cdc.name}:username}"
    "database.password"     = "$${secretManager:${aws_secretsmanager_secret.cdc.name}:password}"
    "database.server.id"    = "100301"
    "topic.prefix"          = "readings1"
    "database.include.list" = "meter"
    "table.include.list"    = "meter.reading"
    "snapshot.mode"         = "when_needed"
    "snapshot.locking.mode" = "none"

    "schema.history.internal.kafka.topic"                                = "schemahistory.readings1"
    "schema.history.internal.kafka.bootstrap.servers"                    = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
    "schema.history.internal.producer.security.protocol"                 = "SASL_SSL"
    "schema.history.internal.producer.sasl.mechanism"                    = "AWS_MSK_IAM"
    "schema.history.internal.producer.sasl.jaas.config"                  = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.producer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    "schema.history.internal.consumer.security.protocol"                 = "SASL_SSL"
    "schema.history.internal.consumer.sasl.mechanism"                    = "AWS_MSK_IAM"
    "schema.history.internal.consumer.sasl.jaas.config"                  = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.consumer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_mysql.arn
      revision = aws_mskconnect_custom_plugin.debezium_mysql.latest_revision
    }
  }

  # worker_configuration: config.providers=secretManager, converters
  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.secrets.arn
    revision = aws_mskconnect_worker_configuration.secrets.latest_revision
  }
}
