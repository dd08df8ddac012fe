resource "aws_mskconnect_connector" "rides_outbox" {
  name                 = "${var.environment}-rides-outbox"
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
    "database.hostname"           = aws_rds_cluster.rides.endpoint
    "database.port"               = "5432"
    "database.user"               = "rides_cdc"
    "database.password"           = "$${secretsmanager:${aws_secretsmanager_secret.rides_cdc.name}:password}"
    "database.dbname"             = "rides"
    "topic.prefix"                = "rides"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "rides_outbox"
    "publication.name"            = "rides_outbox"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.outbox_event"
    "snapshot.mode"               = "initial"
    "heartbeat.interval.ms"       = "10000"
    "heartbeat.action.query"      = "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)"

    "topic.creation.default.replication.factor" = "3"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.field.event.key"             = "ride_id"
    "transforms.outbox.table.fields.additional.placement" = "event_type:header:eventType"
    "transforms.outbox.route.by.field"                    = "aggregate_type"
    "transforms.outbox.route.topic.regex"                 = "(.*)"
    "transforms.outbox.route.topic.replacement"           = "rides.$${routedByValue}"

    "key.converter"                = "org.apache.kafka.connect.storage.StringConverter"
    "key.converter.schemas.enable" = "false"
    "value.converter"              = "org.apache.kafka.connect.storage.StringConverter"
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

  kafka_cluster_client_authentication {
    authentication_type = "IAM"
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = "TLS"
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_pg.arn
      revision = aws_mskconnect_custom_plugin.debezium_pg.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
