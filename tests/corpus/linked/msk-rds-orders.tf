variable "cdc_password" {
  type      = string
  sensitive = true
}

resource "aws_db_parameter_group" "orders" {
  name   = "orders-pg16-logical"
  family = "postgres16"

  parameter {
    name         = "rds.logical_replication"
    value        = "1"
    apply_method = "pending-reboot"
  }
}

resource "aws_db_instance" "orders" {
  identifier             = "orders"
  engine                 = "postgres"
  engine_version         = "16.4"
  instance_class         = "db.t4g.medium"
  allocated_storage      = 50
  db_name                = "orders"
  username               = "orders_admin"
  password               = var.cdc_password
  db_subnet_group_name   = aws_db_subnet_group.data.name
  vpc_security_group_ids = [aws_security_group.db.id]
  skip_final_snapshot    = true
}

resource "aws_mskconnect_custom_plugin" "debezium_pg" {
  name         = "debezium-postgres-2-7-3"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.plugins.arn
      file_key   = "debezium-connector-postgres-2.7.3.Final.zip"
    }
  }
}

resource "aws_mskconnect_connector" "orders" {
  name                 = "orders-outbox"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                            = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                                  = "1"
    "database.hostname"                          = aws_db_instance.orders.address
    "database.port"                              = "5432"
    "database.user"                              = aws_db_instance.orders.username
    "database.password"                          = var.cdc_password
    "database.dbname"                            = aws_db_instance.orders.db_name
    "topic.prefix"                               = "orders"
    "plugin.name"                                = "pgoutput"
    "slot.name"                                  = "orders_outbox"
    "publication.autocreate.mode"                = "filtered"
    "table.include.list"                         = "public.outbox"
    "transforms"                                 = "outbox"
    "transforms.outbox.type"                     = "io.debezium.transforms.outbox.EventRouter"
    "topic.creation.default.replication.factor"  = "3"
    "topic.creation.default.partitions"          = "6"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.bus.bootstrap_brokers_tls
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.private_subnets
      }
    }
  }
  kafka_cluster_client_authentication { authentication_type = "NONE" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_pg.arn
      revision = aws_mskconnect_custom_plugin.debezium_pg.latest_revision
    }
  }
  service_execution_role_arn = aws_iam_role.connect.arn
}
