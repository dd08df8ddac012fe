# "Timed out waiting for a node assignment" right after the connector is RUNNING
resource "aws_mskconnect_connector" "claims" {
  name                 = "claims-mysql"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                                                     = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                                                           = "1"
    "database.hostname"                                                   = aws_rds_cluster.claims.endpoint
    "database.port"                                                       = "3306"
    "database.user"                                                       = "msk_cdc"
    "database.password"                                                   = "$${secretManager:claims/cdc:password}"
    "database.server.id"                                                  = "40411"
    "topic.prefix"                                                        = "claims"
    "database.include.list"                                               = "claims"
    "table.include.list"                                                  = "claims.claim,claims.payout"
    "include.schema.changes"                                              = "false"
    "schema.history.internal.kafka.topic"                                 = "claims.ddl"
    "schema.history.internal.kafka.bootstrap.servers"                     = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
    "schema.history.internal.producer.security.protocol"                  = "SASL_SSL"
    "schema.history.internal.producer.sasl.mechanism"                     = "AWS_MSK_IAM"
    "schema.history.internal.producer.sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.producer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
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

  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_mysql.arn
      revision = aws_mskconnect_custom_plugin.debezium_mysql.latest_revision
    }
  }

  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.secrets.arn
    revision = aws_mskconnect_worker_configuration.secrets.latest_revision
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
