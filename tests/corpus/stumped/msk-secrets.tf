# UnknownHostException: secretsmanager.us-west-2... -- turned out to be the subnets (no route to the endpoint). Debezium 1.9.7.

resource "aws_mskconnect_worker_configuration" "secrets" {
  name                    = "json-with-secrets"
  properties_file_content = <<-EOT
    key.converter=org.apache.kafka.connect.json.JsonConverter
    value.converter=org.apache.kafka.connect.json.JsonConverter
    config.providers=secretManager
    config.providers.secretManager.class=com.github.jcustenborder.kafka.config.aws.SecretsManagerConfigProvider
    config.providers.secretManager.param.aws.region=us-west-2
  EOT
}

resource "aws_mskconnect_connector" "garage" {
  name                 = "garage-source"
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
    "database.hostname"                        = aws_rds_cluster.garage.endpoint
    "database.port"                            = "3306"
    "database.user"                            = "$${secretManager:garage-cdc:username}"
    "database.password"                        = "$${secretManager:garage-cdc:password}"
    "database.server.id"                       = "41007"
    "database.server.name"                     = "garage"
    "database.include.list"                    = "garage"
    "include.schema.changes"                   = "false"
    "database.history.kafka.bootstrap.servers" = aws_msk_cluster.main.bootstrap_brokers
    "database.history.kafka.topic"             = "history.garage"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.private_subnets
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "NONE"
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = "PLAINTEXT"
  }

  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.secrets.arn
    revision = aws_mskconnect_worker_configuration.secrets.latest_revision
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_mysql.arn
      revision = aws_mskconnect_custom_plugin.debezium_mysql.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
