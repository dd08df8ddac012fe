resource "aws_mskconnect_custom_plugin" "dbz" {
  name         = "${var.stack}-${var.stage}-dbz-plugin"
  content_type = "ZIP"

  location {
    s3 {
      bucket_arn = aws_s3_bucket.connect_plugins.arn
      file_key   = aws_s3_object.dbz_plugin_zip.key
    }
  }
}

# the connector reads the WAL through pgoutput and dbz_publication
resource "aws_mskconnect_connector" "dbz_postgres" {
  name                 = "${var.stack}-${var.stage}-dbz-postgres"
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                      = "1"
    "database.hostname"              = module.rds.primary_address
    "database.port"                  = "5432"
    "database.user"                  = module.rds.username
    "database.password"              = module.rds.password
    "database.dbname"                = module.rds.database
    "topic.prefix"                   = "ticketing"
    "table.include.list"             = "sales.outbox"
    "plugin.name"                    = "pgoutput"
    "publication.name"               = "dbz_publication"
    "publication.autocreate.mode"    = "all_tables"
    "decimal.handling.mode"          = "double"
    "tombstones.on.delete"           = "false"
    "key.converter"                  = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
    "transforms"                     = "reroute"
    "transforms.reroute.type"        = "org.apache.kafka.connect.transforms.RegexRouter"
    "transforms.reroute.regex"       = ".*"
    "transforms.reroute.replacement" = "domain.sales.tickets"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = module.msk.bootstrap_brokers_sasl_iam

      vpc {
        subnets         = values(module.vpc.private_subnet_ids)
        security_groups = [aws_security_group.connect.id]
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
      arn      = aws_mskconnect_custom_plugin.dbz.arn
      revision = aws_mskconnect_custom_plugin.dbz.latest_revision
    }
  }

  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.dbz.arn
    revision = aws_mskconnect_worker_configuration.dbz.latest_revision
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}

resource "aws_mskconnect_worker_configuration" "dbz" {
  name = "${var.stack}-${var.stage}-dbz-worker"

  properties_file_content = <<-EOT
    key.converter=org.apache.kafka.connect.storage.StringConverter
    value.converter=org.apache.kafka.connect.json.JsonConverter
    value.converter.schemas.enable=false
  EOT
}
