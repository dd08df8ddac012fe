# Module "connect": PostgreSQL -> MSK Serverless

resource "aws_mskconnect_custom_plugin" "debezium" {
  name         = "${var.stem}-debezium-${var.suffix}"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = var.plugin_bucket_arn
      file_key   = "plugins/debezium-postgres.zip"
    }
  }
}

resource "aws_cloudwatch_log_group" "debezium" {
  name              = "/aws/msk-connect/${var.stem}-debezium"
  retention_in_days = 5
}

resource "aws_mskconnect_connector" "postgres" {
  name                 = "${var.stem}-postgres-${var.suffix}"
  kafkaconnect_version = "3.7.1"

  capacity {
    autoscaling {
      mcu_count        = 1
      min_worker_count = 1
      max_worker_count = 2
      scale_in_policy { cpu_utilization_percentage = 20 }
      scale_out_policy { cpu_utilization_percentage = 80 }
    }
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"       = "1"

    # database
    "database.hostname"    = var.pg_host
    "database.port"        = tostring(var.pg_port)
    "database.user"        = var.pg_user
    "database.password"    = "$${secretManager:${var.pg_secret_arn}:password::}"
    "database.dbname"      = var.pg_database
    "database.server.name" = var.stem

    # replication
    "plugin.name"      = "pgoutput"
    "slot.name"        = "lake_slot"
    "publication.name" = "lake_pub"

    # history (compacted topic, made beforehand)
    "schema.history.internal.kafka.topic" = "${var.stem}.ddl"

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "true"

    "snapshot.mode"      = "initial"
    "table.include.list" = "public.guests,public.stays,public.stay_items"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = var.brokers
      vpc {
        security_groups = var.security_group_ids
        subnets         = var.subnet_ids
      }
    }
  }

  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium.arn
      revision = aws_mskconnect_custom_plugin.debezium.latest_revision
    }
  }

  service_execution_role_arn = var.role_arn

  log_delivery {
    worker_log_delivery {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.debezium.name
      }
    }
  }
}
