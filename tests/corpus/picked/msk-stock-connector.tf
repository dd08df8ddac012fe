resource "aws_mskconnect_connector" "stock_cdc" {
  name                       = "${local.stage}-stock-cdc"
  kafkaconnect_version       = "2.7.1"
  service_execution_role_arn = aws_iam_role.connect.arn

  capacity {
    provisioned_capacity {
      worker_count = var.worker_count
      mcu_count    = 1
    }
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.this.bootstrap_brokers_tls

      vpc {
        subnets         = aws_subnet.private[*].id
        security_groups = [aws_security_group.msk.id]
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "NONE"
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

  connector_configuration = {
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"       = "1"

    "database.hostname" = "sample-mysql.internal"
    "database.port"     = "3306"
    "database.user"     = "debezium"
    "database.password" = var.stock_db_password

    "database.server.id"   = "184054"
    "database.server.name" = "stockdb"

    "database.include.list" = "stockdb"
    "table.include.list"    = "stockdb.stock_level"

    "include.schema.changes" = "true"

    "topic.prefix" = "stockdb"

    "schema.history.internal.kafka.bootstrap.servers" = aws_msk_cluster.this.bootstrap_brokers_tls
    "schema.history.internal.kafka.topic"             = "schema-changes.stockdb"

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter.schemas.enable" = "false"
  }
}
