resource "aws_mskconnect_connector" "cdc" {
  name                       = "${var.stack}-cdc"
  kafkaconnect_version       = "3.7.x"
  service_execution_role_arn = aws_iam_role.cdc.arn

  capacity {
    autoscaling {
      mcu_count        = 1
      min_worker_count = 1
      max_worker_count = 2
      scale_in_policy { cpu_utilization_percentage = 20 }
      scale_out_policy { cpu_utilization_percentage = 80 }
    }
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.pg.arn
      revision = aws_mskconnect_custom_plugin.pg.latest_revision
    }
  }

  # worker com o provedor de segredos
  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.cdc.arn
    revision = aws_mskconnect_worker_configuration.cdc.latest_revision
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
    "plugin.name"     = "pgoutput"
    "tasks.max"       = "1"

    "database.hostname" = aws_rds_cluster.main.endpoint
    "database.port"     = aws_rds_cluster.main.port
    #"database.user"    = jsondecode(data.aws_secretsmanager_secret_version.pg.secret_string)["username"]
    "database.user"     = "$${secretsmanager:${aws_secretsmanager_secret.pg.name}:username}"
    "database.password" = "$${secretsmanager:${aws_secretsmanager_secret.pg.name}:password}"
    "database.dbname"   = aws_rds_cluster.main.database_name
    "database.sslmode"  = "require"

    "slot.name"                   = "debezium_slot"
    "publication.name"            = "debezium_pub"
    "publication.autocreate.mode" = "filtered"
    "slot.drop.on.stop"           = "false"

    "topic.prefix"        = "aurora"
    "schema.include.list" = "public",
    "table.include.list"  = "public.outbox"

    "snapshot.mode"                = "no_data"
    "tombstones.on.delete"         = "false"
    "provide.transaction.metadata" = "true"
    "heartbeat.interval.ms"        = "10000"
    "heartbeat.topics.prefix"      = "__debezium-heartbeat"

    "errors.tolerance"  = "all"
    "errors.log.enable" = "true"

    "errors.deadletterqueue.topic.name"             = "_dlq.cdc.aurora"
    "errors.deadletterqueue.context.headers.enable" = "true"

    "table.include.list"                          = "public.outbox"
    "transforms"                                  = "outbox"
    "transforms.outbox.type"                      = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.expand.json.payload" = "true"
    "transforms.outbox.table.field.event.id"      = "id"
    "transforms.outbox.table.field.event.key"     = "aggregate_id"
    "transforms.outbox.table.field.event.payload" = "payload"
    "transforms.outbox.route.by.field"            = "aggregate_type"

    "transforms.outbox.table.fields.additional.placement" = "trace_id:header,account_id:header"

    "topic.creation.default.partitions"         = "3"
    "topic.creation.default.replication.factor" = "2"
    "tombstones.on.delete"                      = "false"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        subnets         = var.subnets
        security_groups = [aws_security_group.cdc.id]
      }
    }
  }
  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }
}
