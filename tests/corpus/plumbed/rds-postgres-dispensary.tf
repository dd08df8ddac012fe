# Dispensary: Postgres on RDS and the outbox connector on MSK Connect
resource "aws_db_parameter_group" "cdc" {
  name   = "dispensary-pg16-cdc"
  family = "postgres16"

  parameter {
    name         = "rds.logical_replication"
    value        = "1"
    apply_method = "pending-reboot"
  }

  parameter {
    name  = "wal_sender_timeout"
    value = "0"
  }
}

resource "aws_db_instance" "dispensary" {
  identifier                  = "dispensary"
  engine                      = "postgres"
  engine_version              = "16.4"
  instance_class              = "db.t4g.medium"
  allocated_storage           = 50
  db_name                     = "dispensary"
  username                    = "dispensary_admin"
  manage_master_user_password = true
  db_subnet_group_name        = var.db_subnet_group
  vpc_security_group_ids      = [var.db_security_group]
  backup_retention_period     = 7
  skip_final_snapshot         = true
}

resource "aws_mskconnect_worker_configuration" "this" {
  name                    = "dispensary-worker"
  properties_file_content = <<-EOT
    key.converter=org.apache.kafka.connect.storage.StringConverter
    value.converter=org.apache.kafka.connect.storage.StringConverter
    config.providers=secretsmanager
    config.providers.secretsmanager.class=com.amazonaws.kafka.config.providers.SecretsManagerConfigProvider
    config.providers.secretsmanager.param.region=eu-north-1
  EOT
}

resource "aws_mskconnect_connector" "outbox" {
  name                       = "dispensary-outbox"
  kafkaconnect_version       = "3.7.x"
  service_execution_role_arn = var.connect_role_arn

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                          = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                                = "1"
    "database.hostname"                        = aws_db_instance.dispensary.address
    "database.port"                            = "5432"
    "database.user"                            = "$${secretsmanager:dispensary/cdc:username}"
    "database.password"                        = "$${secretsmanager:dispensary/cdc:password}"
    "database.dbname"                          = aws_db_instance.dispensary.db_name
    "topic.prefix"                             = "dispensary"
    "plugin.name"                              = "pgoutput"
    "slot.name"                                = "dispensary_outbox"
    "publication.name"                         = "dispensary_outbox"
    "publication.autocreate.mode"              = "disabled"
    "table.include.list"                       = "public.outbox"
    "transforms"                               = "outbox"
    "transforms.outbox.type"                   = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.topic.replacement" = "dispensary.$${routedByValue}"
    "topic.creation.default.partitions"        = "6"
    "topic.creation.default.replication.factor" = "3"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = var.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [var.connect_security_group]
        subnets         = var.private_subnets
      }
    }
  }
  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  plugin {
    custom_plugin {
      arn      = var.debezium_postgres_plugin_arn
      revision = 1
    }
  }
  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.this.arn
    revision = aws_mskconnect_worker_configuration.this.latest_revision
  }
}
