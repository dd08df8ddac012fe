# terraform apply: "missing required field, CreateConnectorInput.KafkaCluster.ApacheKafkaCluster.BootstrapServers".
# But the field is set, see below. Provider 4.30, Debezium 2.4.

resource "aws_msk_cluster" "events" {
  cluster_name           = "events"
  kafka_version          = "3.5.1"
  number_of_broker_nodes = 3

  broker_node_group_info {
    instance_type   = "kafka.t3.small"
    client_subnets  = var.subnets
    security_groups = [aws_security_group.msk.id]
  }

  encryption_info {
    encryption_in_transit {
      client_broker = "PLAINTEXT"
      in_cluster    = true
    }
  }
}

resource "aws_mskconnect_connector" "claims" {
  name                 = "claims-source"
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = aws_db_instance.claims.address
    "database.port"               = "5432"
    "database.user"               = "debezium"
    "database.password"           = var.debezium_password
    "database.dbname"             = "claims"
    "topic.prefix"                = "claims"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "claims_msk"
    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.claims"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.events.bootstrap_brokers_tls
      vpc {
        security_groups = [aws_security_group.msk.id]
        subnets         = var.subnets
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "NONE"
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
