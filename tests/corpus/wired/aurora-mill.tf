# Saw mill: Aurora PostgreSQL 16, its parameters, and the connector (role and publication come from Flyway, the password from the rotation of the secret).
resource "aws_rds_cluster_parameter_group" "mill" {
  name   = "mill-pg16"
  family = "aurora-postgresql16"

  # wal_level itself can not be set on Aurora; this makes it "logical" after the restart
  parameter {
    name         = "rds.logical_replication"
    value        = "1"
    apply_method = "pending-reboot"
  }

  parameter {
    name         = "max_replication_slots"
    value        = "10"
    apply_method = "pending-reboot"
  }
}

resource "aws_rds_cluster" "mill" {
  cluster_identifier              = "mill"
  engine                          = "aurora-postgresql"
  engine_version                  = "16.6"
  database_name                   = "mill"
  master_username                 = "mill_owner"
  manage_master_user_password     = true
  db_cluster_parameter_group_name = aws_rds_cluster_parameter_group.mill.name
  iam_database_authentication_enabled = false
}

# V12__cdc_role.sql:    CREATE ROLE mill_cdc LOGIN; GRANT rds_replication TO mill_cdc; GRANT SELECT ON ALL TABLES IN SCHEMA public TO mill_cdc;
# V13__publication.sql: CREATE PUBLICATION mill_pub FOR TABLE public.boards, public.stacks;

resource "aws_mskconnect_connector" "mill" {
  name                 = "mill-boards"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                           = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                                 = "1"
    "plugin.name"                               = "pgoutput"
    "database.hostname"                         = aws_rds_cluster.mill.endpoint
    "database.port"                             = "5432"
    "database.user"                             = "mill_cdc"
    "database.password"                         = "$${secretManager:mill/cdc:password}"
    "database.dbname"                           = "mill"
    "database.sslmode"                          = "require"
    "topic.prefix"                              = "mill"
    "table.include.list"                        = "public.boards,public.stacks"
    "slot.name"                                 = "mill_slot"
    "publication.name"                          = "mill_pub"
    "publication.autocreate.mode"               = "disabled"
    "topic.creation.default.partitions"         = "6"
    "topic.creation.default.replication.factor" = "3"
  }

  # worker "msk-base": config.providers=secretManager and the class of its provider
  worker_configuration {
    arn      = data.aws_mskconnect_worker_configuration.msk_base.arn
    revision = data.aws_mskconnect_worker_configuration.msk_base.latest_revision
  }

  plugin {
    custom_plugin {
      arn      = data.aws_mskconnect_custom_plugin.debezium.arn
      revision = data.aws_mskconnect_custom_plugin.debezium.latest_revision
    }
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = data.aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.private_subnets
      }
    }
  }
  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }
  service_execution_role_arn = aws_iam_role.connect.arn
}
