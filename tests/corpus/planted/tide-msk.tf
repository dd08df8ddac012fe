resource "aws_mskconnect_connector" "tide_tables" {
  name                 = "tide-tables-outbox"
  kafkaconnect_version = "3.7.x"

  capacity {
    autoscaling {
      mcu_count        = 1
      min_worker_count = 1
      max_worker_count = 2
      scale_in_policy { cpu_utilization_percentage = 20 }
      scale_out_policy { cpu_utilization_percentage = 80 }
    }
  }

  connector_configuration = merge(local.debezium_connection, {
    "connector.class"    = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"          = 1
    "database.hostname"  = aws_db_instance.tide.address
    "database.port"      = aws_db_instance.tide.port
    "database.user"      = "tide_cdc"
    "database.password"  = "$${secretsmanager:tide/cdc:password}"
    "database.dbname"    = "tide"
    "topic.prefix"       = "tide"
    "plugin.name"        = "pgoutput"
    "slot.name"          = "tide_tables"
    "publication.name"   = "tide_tables"
    "table.include.list" = "forecast.outbox"

    "publication.autocreate.mode" = "filtered"
    "tombstones.on.delete"        = false

    "key.converter"   = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.topic.regex"                 = "(?<area>[a-z]+)-(?<kind>[a-z]+)"
    "transforms.outbox.route.topic.replacement"           = "tide.$${area}.$${kind}"
    "transforms.outbox.table.fields.additional.placement" = "type:header:eventType"
  })

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = var.bootstrap_brokers
      vpc {
        security_groups = var.security_groups
        subnets         = var.subnets
      }
    }
  }
  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  plugin {
    custom_plugin {
      arn      = var.debezium_plugin_arn
      revision = var.debezium_plugin_revision
    }
  }
  worker_configuration {
    arn      = var.secretsmanager_worker_configuration_arn
    revision = var.secretsmanager_worker_configuration_revision
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
