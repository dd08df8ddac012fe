# MSK Connect: events of the clearing ledger
locals {
  prefix = "clearing-${var.stage}"
}

resource "aws_mskconnect_connector" "clearing_outbox" {
  name                 = "${local.prefix}-outbox"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = aws_rds_cluster.clearing.endpoint
    "database.port"               = "5432"
    "database.user"               = "clearing_cdc"
    "database.password"           = "$${secretManager:${local.prefix}-cdc:password}"
    "database.dbname"             = "clearing"
    "topic.prefix"                = local.prefix
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "clearing_outbox"
    "publication.name"            = "clearing_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "ledger.outbox"
    "key.converter"               = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"             = "org.apache.kafka.connect.storage.StringConverter"
    "transforms"                  = "outbox"
    "transforms.outbox.type"      = "io.debezium.transforms.outbox.EventRouter"

    "transforms.outbox.route.topic.replacement"           = "clearing.${routedByValue}"
    "transforms.outbox.table.fields.additional.placement" = "type:header:eventType"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.private_subnets
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

  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.secrets.arn
    revision = aws_mskconnect_worker_configuration.secrets.latest_revision
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
