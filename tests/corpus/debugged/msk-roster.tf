# plan wants to recreate the connector at every run, although nothing changed
data "aws_mskconnect_custom_plugin" "mssql" {
  name = "debezium-sqlserver-2-7-3"
}

data "aws_mskconnect_worker_configuration" "secrets" {
  name = "roster-worker" # config.providers=secretManager is set in it
}

resource "aws_mskconnect_connector" "roster" {
  count                = length(local.tenants)
  name                 = "roster-${element(local.tenants, count.index)}-src-${var.environment}"
  kafkaconnect_version = "2.7.1"

  capacity {
    autoscaling {
      mcu_count        = 1
      min_worker_count = 1
      max_worker_count = 2
      scale_in_policy {
        cpu_utilization_percentage = 20
      }
      scale_out_policy {
        cpu_utilization_percentage = 80
      }
    }
  }

  connector_configuration = {
    "connector.class"                                 = "io.debezium.connector.sqlserver.SqlServerConnector"
    "tasks.max"                                       = "1"
    "database.hostname"                               = var.mssql_host
    "database.port"                                   = "1433"
    "database.user"                                   = "$${secretManager:roster/cdc:username}"
    "database.password"                               = "$${secretManager:roster/cdc:password}"
    "database.names"                                  = "roster_${element(local.tenants, count.index)}"
    "database.encrypt"                                = "false"
    "topic.prefix"                                    = "roster.${element(local.tenants, count.index)}"
    "table.include.list"                              = "dbo.shifts,dbo.swaps"
    "schema.history.internal.kafka.bootstrap.servers" = aws_msk_cluster.bus.bootstrap_brokers
    "schema.history.internal.kafka.topic"             = "history.roster.${element(local.tenants, count.index)}"
    "snapshot.mode"                                   = "initial"
  }

  worker_configuration {
    arn      = data.aws_mskconnect_worker_configuration.secrets.arn
    revision = data.aws_mskconnect_worker_configuration.secrets.latest_revision
  }

  plugin {
    custom_plugin {
      arn      = data.aws_mskconnect_custom_plugin.mssql.arn
      revision = data.aws_mskconnect_custom_plugin.mssql.latest_revision
    }
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.bus.bootstrap_brokers
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.subnets
      }
    }
  }
  kafka_cluster_client_authentication {
    authentication_type = "NONE"
  }
  kafka_cluster_encryption_in_transit {
    encryption_type = "PLAINTEXT"
  }
  service_execution_role_arn = data.aws_iam_role.connect.arn
}
