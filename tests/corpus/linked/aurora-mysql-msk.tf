resource "aws_rds_cluster_parameter_group" "pricing" {
  name   = "pricing-aurora-mysql8"
  family = "aurora-mysql8.0"
  parameter {
    name         = "binlog_format"
    value        = "ROW"
    apply_method = "pending-reboot"
  }
  parameter {
    name         = "binlog_row_image"
    value        = "full"
    apply_method = "pending-reboot"
  }
}

resource "aws_rds_cluster" "pricing" {
  cluster_identifier              = "pricing"
  engine                          = "aurora-mysql"
  engine_version                  = "8.0.mysql_aurora.3.07.1"
  database_name                   = "pricing"
  master_username                 = "admin"
  manage_master_user_password     = true
  db_cluster_parameter_group_name = aws_rds_cluster_parameter_group.pricing.name
}

resource "aws_secretsmanager_secret" "cdc" {
  name = "pricing-cdc"
}

resource "aws_mskconnect_worker_configuration" "secrets" {
  name                    = "worker-with-secrets"
  properties_file_content = <<-EOT
    key.converter=org.apache.kafka.connect.json.JsonConverter
    value.converter=org.apache.kafka.connect.json.JsonConverter
    config.providers=secretsmanager
    config.providers.secretsmanager.class=com.amazonaws.kafka.config.providers.SecretsManagerConfigProvider
    config.providers.secretsmanager.param.region=eu-central-1
  EOT
}

locals {
  iam = {
    "security.protocol"                  = "SASL_SSL"
    "sasl.mechanism"                     = "AWS_MSK_IAM"
    "sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
  }
}

resource "aws_mskconnect_connector" "pricing" {
  name                 = "pricing-mysql"
  kafkaconnect_version = "3.7.x"
  capacity {
    provisioned_capacity { worker_count = 1 }
  }
  connector_configuration = merge({
    "connector.class"                                 = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                                       = "1"
    "database.hostname"                               = aws_rds_cluster.pricing.endpoint
    "database.port"                                   = "3306"
    "database.user"                                   = "$${secretsmanager:${aws_secretsmanager_secret.cdc.name}:username}"
    "database.password"                               = "$${secretsmanager:${aws_secretsmanager_secret.cdc.name}:password}"
    "database.server.id"                              = "88001"
    "topic.prefix"                                    = "pricing"
    "database.include.list"                           = "pricing"
    "table.include.list"                              = "pricing\\.price_.*"
    "schema.history.internal.kafka.topic"             = "schema-history.pricing"
    "schema.history.internal.kafka.bootstrap.servers" = aws_msk_cluster.bus.bootstrap_brokers_sasl_iam
    "topic.creation.default.replication.factor"       = "3"
    "topic.creation.default.partitions"               = "3"
    },
    { for k, v in local.iam : "schema.history.internal.producer.${k}" => v },
    { for k, v in local.iam : "schema.history.internal.consumer.${k}" => v },
  )
  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.bus.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.subnets
      }
    }
  }
  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }
  plugin {
    custom_plugin {
      arn      = var.debezium_mysql_plugin_arn
      revision = 1
    }
  }
  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.secrets.arn
    revision = aws_mskconnect_worker_configuration.secrets.latest_revision
  }
  service_execution_role_arn = aws_iam_role.connect.arn
}
