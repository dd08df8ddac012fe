data "aws_availability_zones" "usable" {
  state = "available"
}

locals {
  stem = "trial-msk-connect"
}

variable "db_hostname" {
  description = "Host of the Postgres server. The default is a stand-in."
  type        = string
  default     = "pg.example.internal"
}

variable "db_port" {
  description = "Port of the Postgres server."
  type        = number
  default     = 5432
}

variable "db_user" {
  description = "Role that reads the log."
  type        = string
  default     = "debezium"
}

variable "db_password" {
  description = "Password of that role. Give the real one as TF_VAR_db_password."
  type        = string
  sensitive   = true
  default     = "replace-me"
}

variable "db_name" {
  description = "Database."
  type        = string
  default     = "maindb"
}

variable "db_server_name" {
  description = "Logical name of the server."
  type        = string
  default     = "pg-server"
}

variable "prefix" {
  description = "How the topic names begin."
  type        = string
  default     = "pg"
}

variable "decoder" {
  description = "Output plugin of the logical decoding."
  type        = string
  default     = "pgoutput"
}

resource "aws_vpc" "net" {
  cidr_block           = "10.1.0.0/16"
  enable_dns_hostnames = true
  enable_dns_support   = true
}

resource "aws_subnet" "zone_a" {
  vpc_id            = aws_vpc.net.id
  cidr_block        = "10.1.1.0/24"
  availability_zone = data.aws_availability_zones.usable.names[0]
}

resource "aws_subnet" "zone_b" {
  vpc_id            = aws_vpc.net.id
  cidr_block        = "10.1.2.0/24"
  availability_zone = data.aws_availability_zones.usable.names[1]
}

resource "aws_subnet" "zone_c" {
  vpc_id            = aws_vpc.net.id
  cidr_block        = "10.1.3.0/24"
  availability_zone = data.aws_availability_zones.usable.names[2]
}

resource "aws_security_group" "brokers" {
  name        = "${local.stem}-sg"
  description = "Brokers and workers among themselves"
  vpc_id      = aws_vpc.net.id

  ingress {
    from_port = 9092
    to_port   = 9092
    protocol  = "tcp"
    self      = true
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_iam_role" "worker" {
  name = "${local.stem}-worker"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect    = "Allow"
        Principal = { Service = "kafkaconnect.amazonaws.com" }
        Action    = "sts:AssumeRole"
      }
    ]
  })
}

resource "aws_s3_bucket" "jars" {
  bucket_prefix = "trial-msk-jars-"
}

resource "aws_s3_object" "archive" {
  bucket       = aws_s3_bucket.jars.id
  key          = "debezium.zip"
  source       = "${path.module}/debezium.zip"
  source_hash  = filemd5("${path.module}/debezium.zip")
  content_type = "application/zip"
}

resource "aws_msk_cluster" "net" {
  cluster_name           = local.stem
  kafka_version          = "3.5.1"
  number_of_broker_nodes = 3

  broker_node_group_info {
    instance_type   = "kafka.t3.small"
    client_subnets  = [aws_subnet.zone_a.id, aws_subnet.zone_b.id, aws_subnet.zone_c.id]
    security_groups = [aws_security_group.brokers.id]
  }

  client_authentication {
    unauthenticated = true
  }

  encryption_info {
    encryption_in_transit {
      client_broker = "PLAINTEXT"
      in_cluster    = true
    }
  }
}

resource "aws_mskconnect_custom_plugin" "archive" {
  name         = "${local.stem}-plugin"
  content_type = "ZIP"

  location {
    s3 {
      bucket_arn = aws_s3_bucket.jars.arn
      file_key   = "debezium.zip"
    }
  }

  depends_on = [aws_s3_object.archive]
}

resource "aws_mskconnect_connector" "reader" {
  name                       = "${local.stem}-reader"
  kafkaconnect_version       = "2.7.1"
  service_execution_role_arn = aws_iam_role.worker.arn

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"    = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"          = "1"
    "database.hostname"  = var.db_hostname
    "database.port"      = tostring(var.db_port)
    "database.user"      = var.db_user
    "database.password"  = var.db_password
    "database.dbname"    = var.db_name
    "database.server.name" = var.db_server_name
    "topic.prefix"       = var.prefix
    "plugin.name"        = var.decoder
    "slot.name"          = "debezium"
    "publication.name"   = "dbz_publication"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.net.bootstrap_brokers

      vpc {
        security_groups = [aws_security_group.brokers.id]
        subnets         = [aws_subnet.zone_a.id, aws_subnet.zone_b.id, aws_subnet.zone_c.id]
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
      arn      = aws_mskconnect_custom_plugin.archive.arn
      revision = aws_mskconnect_custom_plugin.archive.latest_revision
    }
  }
}
