# terraform apply waits for a long time, then: unexpected state 'FAILED'. Message: "Failed to find any class that
# implements Connector and which name matches io.debezium.connector.postgresql.PostgresConnector".

resource "aws_s3_object" "debezium" {
  bucket = aws_s3_bucket.plugins.id
  key    = "debezium-connector-postgres-1.7.2.Final-plugin.tar.gz"
  source = "${path.module}/debezium-connector-postgres-1.7.2.Final-plugin.tar.gz"
}

resource "aws_mskconnect_custom_plugin" "debezium" {
  name         = "debezium-postgres-1-7"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.plugins.arn
      file_key   = aws_s3_object.debezium.key
    }
  }
}

resource "aws_mskconnect_connector" "tickets" {
  name                 = "tickets-cdc"
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"        = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"              = "1"
    "plugin.name"            = "pgoutput"
    "database.hostname"      = aws_db_instance.tickets.address
    "database.port"          = "5432"
    "database.user"          = "replicator"
    "database.password"      = var.replicator_password
    "database.dbname"        = "tickets"
    "database.server.name"   = "tickets"
    "table.include.list"     = "public.ticket,public.seat"
    "slot.name"              = "msk_tickets"
    "key.converter"          = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"        = "org.apache.kafka.connect.json.JsonConverter"
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium.arn
      revision = aws_mskconnect_custom_plugin.debezium.latest_revision
    }
  }
  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers_tls
      vpc {
        security_groups = [aws_security_group.msk.id]
        subnets         = var.subnets
      }
    }
  }
  kafka_cluster_client_authentication { authentication_type = "NONE" }
  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }
  service_execution_role_arn = aws_iam_role.connect.arn
}
