resource "aws_mskconnect_connector" "outbox_pg" {
  name                       = "${var.project_name}-outbox-pg"
  kafkaconnect_version       = "3.7.x"
  service_execution_role_arn = aws_iam_role.msk_connect.arn

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

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_pg.arn
      revision = aws_mskconnect_custom_plugin.debezium_pg.latest_revision
    }
  }

  # le os segredos pelo provider do worker
  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.worker.arn
    revision = aws_mskconnect_worker_configuration.worker.latest_revision
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
    "plugin.name"     = "pgoutput"
    "tasks.max"       = "1"

    "database.hostname" = aws_rds_cluster.main.endpoint
    "database.port"     = aws_rds_cluster.main.port

    "database.user"     = "$${secretsmanager:${aws_secretsmanager_secret.rds.name}:username}"
    "database.password" = "$${secretsmanager:${aws_secretsmanager_secret.rds.name}:password}"
    "database.dbname"   = aws_rds_cluster.main.database_name
    "database.sslmode"  = "require"

    "slot.name"                   = "debezium_slot"
    "publication.name"            = "debezium_pub"
    "publication.autocreate.mode" = "filtered"
    "slot.drop.on.stop"           = "false"

    "topic.prefix"        = "pg"
    "schema.include.list" = "public"
    "table.include.list"  = "public.outbox"

    "snapshot.mode"                = "no_data"
    "tombstones.on.delete"         = "false"
    "provide.transaction.metadata" = "true"
    "heartbeat.interval.ms"        = "10000"
    "heartbeat.topics.prefix"      = "__debezium-heartbeat"

    "errors.tolerance"  = "all"
    "errors.log.enable" = "true"

    "errors.deadletterqueue.topic.name"             = "_dlq.outbox.aurora.pg"
    "errors.deadletterqueue.context.headers.enable" = "true"

    "transforms"                                  = "outbox"
    "transforms.outbox.type"                      = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.expand.json.payload" = "true"
    "transforms.outbox.table.field.event.id"      = "id"
    "transforms.outbox.table.field.event.key"     = "aggregate_id"
    "transforms.outbox.table.field.event.payload" = "payload"
    "transforms.outbox.route.by.field"            = "aggregate_type"

    "transforms.outbox.table.fields.additional.placement" = "trace_id:header,tenant_id:header"

    "topic.creation.default.partitions"         = "3"
    "topic.creation.default.replication.factor" = "2"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam

      vpc {
        subnets         = [data.aws_subnet.a.id, data.aws_subnet.c.id]
        security_groups = [aws_security_group.msk.id]
      }
    }
  }

  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  tags = { Project = var.project_name }
}
