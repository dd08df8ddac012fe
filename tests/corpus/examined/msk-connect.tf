resource "aws_mskconnect_custom_plugin" "debezium" {
  name         = "debezium-connector"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.plugins.arn
      file_key   = "debezium.zip"
    }
  }
}

# Connector
resource "aws_mskconnect_connector" "shop_cdc" {
  name = "shop-cdc"

  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                          = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                                = "1"
    "database.hostname"                        = "shop-db.internal"
    "database.port"                            = "3306"
    "database.user"                            = "admin"
    "database.password"                        = "sh0pAdmin!"
    "database.server.name"                     = "shop-mysql"
    "database.include.list"                    = "shop"
    "database.history.kafka.topic"             = "schema-changes.shop"
    "database.history.kafka.bootstrap.servers" = aws_msk_cluster.main.bootstrap_brokers
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers

      vpc {
        security_groups = [aws_security_group.msk.id]
        subnets         = var.subnet_ids
      }
    }
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium.arn
      revision = aws_mskconnect_custom_plugin.debezium.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.msk_connect.arn
}
