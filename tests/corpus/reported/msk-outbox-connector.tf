resource "aws_mskconnect_connector" "billing_outbox" {
  name                 = "billing-outbox"
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
    "database.hostname"           = aws_rds_cluster.billing.endpoint
    "database.port"               = "5432"
    "database.user"               = "debezium"
    "database.password"           = "nV4!rTq8wLz2-billing"
    "database.dbname"             = "billing"
    "topic.prefix"                = "billing"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "billing_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.outbox"
    "transforms"                  = "outbox"
    "transforms.outbox.type"      = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.topic.replacement" = "billing.$${routedByValue}"
    "key.converter"               = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"             = "org.apache.kafka.connect.storage.StringConverter"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_tls
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
      arn      = aws_mskconnect_custom_plugin.debezium_3.arn
      revision = aws_mskconnect_custom_plugin.debezium_3.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
