terraform {
  backend "s3" {}
}

locals {
  stem = "tf-hub-${var.stage}"

  tags = merge(var.base_tags, {
    Name = "${local.stem}-msk"
  })
}

resource "aws_msk_configuration" "main" {
  name           = "${local.stem}-config"
  kafka_versions = [var.broker_version]

  server_properties = <<-EOF
    auto.create.topics.enable=true
    default.replication.factor=${var.brokers > 2 ? 3 : var.brokers}
    min.insync.replicas=${var.brokers > 2 ? 2 : 1}
    num.partitions=3
    log.retention.hours=10
  EOF
}


resource "aws_msk_cluster" "main" {
  cluster_name           = "${local.stem}-kafka"
  kafka_version          = var.broker_version
  number_of_broker_nodes = var.brokers

  configuration_info {
    arn      = aws_msk_configuration.main.arn
    revision = aws_msk_configuration.main.latest_revision
  }

  broker_node_group_info {
    instance_type   = var.size
    client_subnets  = var.subnets
    security_groups = module.sg.ids
  }

  encryption_info {
    encryption_in_transit {
      client_broker = "TLS_PLAINTEXT"
      in_cluster    = false
    }
  }

  tags = local.tags
}


resource "aws_mskconnect_custom_plugin" "pg" {
  name         = "${local.stem}-pg-plugin"
  content_type = "ZIP"

  location {
    s3 {
      bucket_arn = data.aws_s3_bucket.store.arn
      file_key   = aws_s3_object.pg_plugin.key
    }
  }
}


resource "aws_s3_object" "pg_plugin" {
  bucket = data.aws_s3_bucket.store.id
  key    = "debezium-connector-postgres.zip"
  source = var.plugin_zip
  etag   = filemd5(var.plugin_zip)
}

# role of the workers
resource "aws_iam_role" "connect" {
  name = "${local.stem}-connect-role"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Action    = "sts:AssumeRole"
        Effect    = "Allow"
        Principal = { Service = "kafkaconnect.amazonaws.com" }
      }
    ]
  })

  tags = local.tags
}


data "aws_secretsmanager_secret" "login" {
  arn = var.login_arn
}

data "aws_secretsmanager_secret_version" "replication_login" {
  secret_id = data.aws_secretsmanager_secret.login.id
}

locals {
  login = jsonencode(data.aws_secretsmanager_secret_version.replication_login.secret_string)
}

resource "aws_mskconnect_connector" "pg" {
  name = "${local.stem}-pg-source"

  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  # credentials
  connector_configuration = {
    "connector.class"                    = "io.debezium.connector.postgresql.PostgresConnector"
    "plugin.name"                        = "pgoutput"
    "publication.name"                   = "our_pub"
    "slot.name"                          = "replica_slot"
    "database.hostname"                  = login["main_host"]
    "database.port"                      = login["port"]
    "database.user"                      = login["replica_user"]
    "database.password"                  = login["password"]
    "database.dbname"                    = login["dbname"]
    "topic.prefix"                       = "blog_service"
    "key.converter"                      = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"       = "false"
    "value.converter"                    = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable"     = "false"
    "tombstones.on.delete"              = "false"
    "transforms"                         = "unwrap"
    "transforms.unwrap.type"             = "io.debezium.transforms.ExtractNewRecordState"
    "tasks.max"       = "1"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.main.bootstrap_brokers
      vpc {
        subnets         = var.subnets
        security_groups = module.sg.ids
      }
    }
  }

  kafka_cluster_client_authentication {
    authentication_type = "NONE"
  }

  kafka_cluster_encryption_in_transit {
    encryption_type = "PLAINTEXT"
  }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.pg.arn
      revision = aws_mskconnect_custom_plugin.pg.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}

data "aws_s3_bucket" "store" {
  bucket = var.store_name
}
