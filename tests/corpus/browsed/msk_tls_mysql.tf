resource "aws_mskconnect_custom_plugin" "cdc" {
  name         = "cdc-mysql"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.plugins.arn
      file_key   = aws_s3_object.cdc_zip.key
    }
  }
}

resource "aws_mskconnect_connector" "shop" {
  name                       = "shop-mysql"
  kafkaconnect_version       = "3.7.x"
  service_execution_role_arn = aws_iam_role.connect.arn

  capacity {
    provisioned_capacity {
      worker_count = var.workers
      mcu_count    = 1
    }
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.this.bootstrap_brokers_tls
      vpc {
        subnets         = aws_subnet.private[*].id
        security_groups = [aws_security_group.msk.id]
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
      arn      = aws_mskconnect_custom_plugin.cdc.arn
      revision = aws_mskconnect_custom_plugin.cdc.latest_revision
    }
  }

  connector_configuration = {
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"       = "1"

    "database.hostname" = "shop-mysql.internal"
    "database.port"     = "3306"
    "database.user"     = "debezium"
    "database.password" = "debezium-password"

    "database.server.id"    = "223190"
    "database.server.name"  = "shopdb"
    "database.include.list" = "shopdb"
    "table.include.list"    = "shopdb.baskets"

    "include.schema.changes" = "true"
    "topic.prefix"           = "shopdb"

    "schema.history.internal.kafka.bootstrap.servers" = aws_msk_cluster.this.bootstrap_brokers_tls
    "schema.history.internal.kafka.topic"             = "ddl.shopdb"

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter.schemas.enable" = "false"
  }
}
