resource "aws_mskconnect_connector" "wallet_cdc" {
  name                 = "wallet-cdc-prod"
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                                 = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                                       = "1"
    "database.hostname"                               = aws_rds_cluster.wallet.endpoint
    "database.port"                                   = "3306"
    "database.user"                                   = "wallet_cdc"
    "database.password"                               = "vR7-mQx2Lw94_tZb"
    "database.server.id"                              = "880143"
    "database.include.list"                           = "wallet"
    "topic.prefix"                                    = "wallet"
    "schema.history.internal.kafka.topic"             = "wallet.ddl"
    "schema.history.internal.kafka.bootstrap.servers" = aws_msk_cluster.events.bootstrap_brokers_sasl_iam
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.events.bootstrap_brokers_sasl_iam
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
