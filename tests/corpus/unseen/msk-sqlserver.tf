resource "aws_mskconnect_custom_plugin" "sqlserver" {
  name         = "billing-debezium-sqlserver"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.plugins.arn
      file_key   = "debezium-connector-sqlserver-2.7.2.Final.zip"
    }
  }
}

resource "aws_mskconnect_connector" "sqlserver" {
  name                 = "billing-sqlserver"
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                                 = "io.debezium.connector.sqlserver.SqlServerConnector"
    "tasks.max"                                       = "3"
    "bootstrap.servers"                               = data.aws_msk_cluster.billing.bootstrap_brokers_sasl_iam
    "database.hostname"                               = aws_db_instance.billing.address
    "database.port"                                   = aws_db_instance.billing.port
    "database.user"                                   = aws_db_instance.billing.username
    "database.password"                               = local.billing_db_password
    "database.names"                                  = "billing"
    "database.encrypt"                                = "false"
    "topic.prefix"                                    = "billing"
    "table.include.list"                              = "dbo.invoice"
    "schema.history.internal.kafka.bootstrap.servers" = data.aws_msk_cluster.billing.bootstrap_brokers_sasl_iam
    "schema.history.internal.kafka.topic"             = "schema-changes.billing"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = data.aws_msk_cluster.billing.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = data.aws_subnets.private.ids
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
      arn      = aws_mskconnect_custom_plugin.sqlserver.arn
      revision = aws_mskconnect_custom_plugin.sqlserver.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
