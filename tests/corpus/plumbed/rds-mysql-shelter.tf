# Animal shelter, staging. MySQL 8.0 on RDS, changes go to MSK.
locals {
  plugin_zip = "debezium-connector-mysql-3.1.1.zip"
}

resource "aws_db_parameter_group" "shelter" {
  name   = "shelter-mysql80"
  family = "mysql8.0"

  parameter {
    name  = "binlog_format"
    value = "ROW"
  }
  parameter {
    name  = "binlog_row_image"
    value = "full"
  }
}

resource "aws_db_instance" "shelter" {
  identifier              = "shelter-staging"
  engine                  = "mysql"
  engine_version          = "8.0.40"
  instance_class          = "db.t4g.small"
  allocated_storage       = 20
  db_name                 = "shelter"
  username                = "shelter"
  password                = var.db_password
  parameter_group_name    = aws_db_parameter_group.shelter.name
  backup_retention_period = 0 # staging data can be loaded again, no need to pay for backups
  skip_final_snapshot     = true
}

resource "aws_mskconnect_custom_plugin" "mysql" {
  name         = "debezium-mysql-3-1"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = var.plugin_bucket_arn
      file_key   = local.plugin_zip
    }
  }
}

resource "aws_mskconnect_connector" "shelter" {
  name                       = "shelter-cdc"
  kafkaconnect_version       = "3.7.x"
  service_execution_role_arn = aws_iam_role.connect.arn

  capacity {
    provisioned_capacity {
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"           = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                 = "1"
    "database.hostname"         = aws_db_instance.shelter.address
    "database.port"             = "3306"
    "database.user"             = "shelter"
    "database.password"         = var.db_password
    "database.server.id"        = "550017"
    "database.include.list"     = "shelter"
    "topic.prefix"              = "shelter"
    "include.schema.changes"    = "false"
    "key.converter"             = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"           = "org.apache.kafka.connect.json.JsonConverter"
    "topic.creation.default.replication.factor" = "2"
    "topic.creation.default.partitions"         = "3"
    "schema.history.internal.kafka.topic"             = "shelter.schema-history"
    "schema.history.internal.kafka.bootstrap.servers" = aws_msk_cluster.bus.bootstrap_brokers_sasl_iam
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.bus.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.subnets
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
      arn      = aws_mskconnect_custom_plugin.mysql.arn
      revision = aws_mskconnect_custom_plugin.mysql.latest_revision
    }
  }
}
