resource "aws_mskconnect_connector" "billing_outbox" {
  name                 = "billing-outbox"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 2
    }
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max" = "1"
    "database.hostname" = "billing-db.internal"
    "database.port" = "3306"
    "database.user" = "debezium"
    "database.password" = "$${secretsManager:billing-db:password}"
    "database.server.id" = "184054"
    "topic.prefix" = "billing"
    "database.include.list" = "billing"
    "table.include.list" = "billing.outbox"
    "snapshot.mode" = "initial"
    "include.schema.changes" = "false"
    "heartbeat.interval.ms" = "10000"
    "schema.history.internal.kafka.bootstrap.servers" = "b-1.main.abc123.c2.kafka.eu-west-1.amazonaws.com:9098,b-2.main.abc123.c2.kafka.eu-west-1.amazonaws.com:9098"
    "schema.history.internal.kafka.topic" = "schema-history.billing"
    "key.converter" = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
    "transforms" = "outbox"
    "transforms.outbox.type" = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.fields.additional.placement" = "type:header:eventType"
    "transforms.outbox.route.topic.replacement" = "billing.$${routedByValue}.events"
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
