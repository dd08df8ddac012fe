resource "aws_mskconnect_connector" "outbox" {
  name = "${var.project}-outbox"

  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"       = "1"

    "database.hostname" = aws_rds_cluster.main.endpoint
    "database.port"     = aws_rds_cluster.main.port
    "database.user"     = "$${secretsmanager:${aws_secretsmanager_secret.db.name}:username}"
    "database.password" = "$${secretsmanager:${aws_secretsmanager_secret.db.name}:password}"
    "database.dbname"   = aws_rds_cluster.main.database_name
    "database.sslmode"  = "require"

    "slot.name"                   = "relay_slot"
    "publication.name"            = "relay_pub"
    "publication.autocreate.mode" = "filtered"
    "slot.drop.on.stop"           = "false"

    "topic.prefix"        = "aurora"
    "schema.include.list" = "public"
    "table.include.list"  = "public.outbox"

    "snapshot.mode"                = "no_data"
    "tombstones.on.delete"         = "false"
    "provide.transaction.metadata" = "true"
    "heartbeat.interval.ms"        = "10000"
    "heartbeat.topics.prefix"      = "__debezium-heartbeat"

    "errors.tolerance"  = "all"
    "errors.log.enable" = "true"

    "errors.deadletterqueue.topic.name"             = "_dlq.relay.aurora"
    "errors.deadletterqueue.context.headers.enable" = "true"

    "transforms"                                          = "outbox"
    "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.expand.json.payload"         = "true"
    "transforms.outbox.table.field.event.id"              = "id"
    "transforms.outbox.table.field.event.key"             = "aggregate_id"
    "transforms.outbox.table.field.event.payload"         = "payload"
    "transforms.outbox.route.by.field"                    = "aggregate_type"
    "transforms.outbox.table.fields.additional.placement" = "trace_id:header,tenant_id:header"

    "topic.creation.default.partitions"         = "3"
    "topic.creation.default.replication.factor" = "2"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam

      vpc {
        subnets         = [data.aws_subnet.a.id, data.aws_subnet.b.id]
        security_groups = [aws_security_group.msk.id]
      }
    }
  }

  kafka_cluster_client_authentication { authentication_type = "IAM" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }

  tags = { Project = var.project }
}
