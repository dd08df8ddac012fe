resource "aws_mskconnect_connector" "energy_outbox" {
  name                 = "energy-outbox"
  kafkaconnect_version = "3.7.x"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"       = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"             = "1"
    "database.hostname"     = aws_db_instance.energy.address
    "database.port"         = "5432"
    "database.user"         = "energy_cdc"
    "database.password"     = "$${secretsmanager:energy/cdc:password}"
    "database.dbname"       = "energy"
    "plugin.name"           = "pgoutput"
    "slot.name"             = "energy_outbox"
    "publication.name"      = "energy_outbox"
    "topic.prefix"          = "energy"
    "table.include.list"    = "public.outbox"
    "key.converter"         = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"       = "io.confluent.connect.avro.AvroConverter"
    "value.converter.schema.registry.url"           = "https://psrc-4kx9d.eu-central-1.aws.confluent.cloud"
    "value.converter.basic.auth.credentials.source" = "USER_INFO"
    "value.converter.basic.auth.user.info"          = "QX7M2LTRPZ4WJ6BA:s0VhE3nqfK8uYtD1mXo5cZrGw7bPiL2aJ9vRkTnU4xSdCyQeF6gHzMlWj0pB3NtA"
    "transforms"                                    = "outbox"
    "transforms.outbox.type"                        = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.table.expand.json.payload"   = "true"
    "transforms.outbox.route.topic.replacement"     = "energy.$${routedByValue}"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        security_groups = [aws_security_group.connect.id]
        subnets         = var.subnets
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
  service_execution_role_arn = aws_iam_role.connect.arn
}
