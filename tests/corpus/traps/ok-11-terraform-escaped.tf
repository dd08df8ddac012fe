resource "aws_mskconnect_connector" "orders_outbox" {
  name                 = "orders-outbox"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 2
    }
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max" = "1"
    "database.hostname" = "orders-db.internal"
    "database.port" = "5432"
    "database.user" = "debezium"
    "database.password" = "$${secretsManager:orders-db:password}"
    "database.dbname" = "orders"
    "topic.prefix" = "orders"
    "plugin.name" = "pgoutput"
    "slot.name" = "orders_outbox"
    "publication.name" = "orders_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list" = "public.outbox"
    "snapshot.mode" = "initial"
    "heartbeat.interval.ms" = "10000"
    "heartbeat.action.query" = "SELECT pg_logical_emit_message(false, 'heartbeat', now()::text)"
    "message.prefix.exclude.list" = "heartbeat"
    "key.converter" = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
    "transforms" = "outbox"
    "transforms.outbox.type" = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.fields.additional.placement" = "type:header:eventType"
    "transforms.outbox.route.topic.replacement" = "orders.$${routedByValue}.events"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = aws_subnet.private[*].id
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
