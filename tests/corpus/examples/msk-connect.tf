data "vault_generic_secret" "db" {
  path = "secret/db"
}

module "orders_db" {
  source               = "./modules/rds"
  db_name              = "ordersdb"
  engine               = "postgres"
  engine_version       = "17.2"
  instance_class       = "db.t4g.large"
  username             = tostring(data.vault_generic_secret.db.data["username"])
  password             = tostring(data.vault_generic_secret.db.data["password"])
  parameter_group_name = "orders-pg17"
  parameters = [
    { name = "rds.logical_replication", value = "1" },
    { name = "max_replication_slots", value = "10" },
    { name = "max_wal_senders", value = "10" }
  ]
}

# publication and slot are made once the instance answers
resource "null_resource" "prepare_cdc" {
  depends_on = [module.orders_db]

  provisioner "local-exec" {
    command = <<-EOT
      sleep 60
      export PGPASSWORD='${data.vault_generic_secret.db.data["password"]}'
      psql -h ${split(":", module.orders_db.endpoint)[0]} \
           -U ${data.vault_generic_secret.db.data["username"]} \
           -d ordersdb \
           -c "CREATE PUBLICATION orders_pub FOR ALL TABLES;" \
           -c "SELECT pg_create_logical_replication_slot('debezium', 'pgoutput');"
      unset PGPASSWORD
    EOT
  }
}

resource "aws_mskconnect_custom_plugin" "debezium" {
  name         = "debezium-postgres"
  content_type = "ZIP"

  location {
    s3 {
      bucket_arn = module.plugins.arn
      file_key   = "debezium-postgres.zip"
    }
  }
}

resource "aws_mskconnect_connector" "orders_source" {
  name                 = "orders-source"
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
    "connector.class"      = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"            = "1"
    "plugin.name"          = "pgoutput"
    "publication.name"     = "orders_pub"
    "slot.name"            = "debezium"
    "database.hostname"    = "${split(":", module.orders_db.endpoint)[0]}"
    "database.port"        = 5432
    "database.dbname"      = "ordersdb"
    "database.server.name" = "orders-cdc"
    "database.user"        = tostring(data.vault_generic_secret.db.data["username"])
    "database.password"    = tostring(data.vault_generic_secret.db.data["password"])
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = module.msk.bootstrap_brokers_tls

      vpc {
        security_groups = [aws_security_group.msk.id]
        subnets         = module.vpc.public_subnets
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

  service_execution_role_arn = aws_iam_role.debezium.arn
}

resource "aws_mskconnect_connector" "archive_sink" {
  name                 = "archive-sink"
  kafkaconnect_version = "2.7.1"

  connector_configuration = {
    "connector.class" = "io.confluent.connect.s3.S3SinkConnector"
    "tasks.max"       = "1"
    "topics.regex"    = "orders-cdc.public.*"
    "s3.bucket.name"  = module.archive.bucket
    "format.class"    = "io.confluent.connect.s3.format.json.JsonFormat"
    "flush.size"      = "1000"
  }

  service_execution_role_arn = aws_iam_role.archive.arn
}
