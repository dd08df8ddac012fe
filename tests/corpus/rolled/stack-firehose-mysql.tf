provider "aws" {
  region = "us-east-1"
}

# network
resource "aws_vpc" "bus_vpc" {
  cidr_block           = "10.2.0.0/16"
  enable_dns_hostnames = true
  enable_dns_support   = true
}

resource "aws_subnet" "bus_a" {
  vpc_id            = aws_vpc.bus_vpc.id
  cidr_block        = "10.2.1.0/24"
  availability_zone = "us-east-1a"
}

resource "aws_subnet" "bus_b" {
  vpc_id            = aws_vpc.bus_vpc.id
  cidr_block        = "10.2.2.0/24"
  availability_zone = "us-east-1b"
}

resource "aws_subnet" "bus_c" {
  vpc_id            = aws_vpc.bus_vpc.id
  cidr_block        = "10.2.3.0/24"
  availability_zone = "us-east-1c"
}

resource "aws_security_group" "bus_sg" {
  name   = "bus-security-group"
  vpc_id = aws_vpc.bus_vpc.id

  ingress {
    from_port   = 9092
    to_port     = 9092
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

# storage
resource "aws_s3_bucket" "bus_store" {
  bucket = "bus-store-${random_string.tail.result}"
}

resource "random_string" "tail" {
  length  = 8
  special = false
  upper   = false
}

# brokers
resource "aws_msk_cluster" "bus" {
  cluster_name           = "bus"
  kafka_version          = "2.8.1"
  number_of_broker_nodes = 3

  broker_node_group_info {
    instance_type   = "kafka.t3.small"
    client_subnets  = [aws_subnet.bus_a.id, aws_subnet.bus_b.id, aws_subnet.bus_c.id]
    security_groups = [aws_security_group.bus_sg.id]
  }

  open_monitoring {
    prometheus {
      jmx_exporter {
        enabled_in_broker = true
      }
      node_exporter {
        enabled_in_broker = true
      }
    }
  }
}

# delivery to S3
resource "aws_kinesis_firehose_delivery_stream" "bus_firehose" {
  name        = "bus-firehose"
  destination = "s3"

  s3_configuration {
    role_arn   = aws_iam_role.delivery_role.arn
    bucket_arn = aws_s3_bucket.bus_store.arn
    prefix     = "delivered/"
  }
}

# plugin
resource "aws_mskconnect_custom_plugin" "mysql_plugin" {
  name         = "mysql-plugin"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.bus_store.arn
      file_key   = "debezium.zip"
    }
  }
}

# connector
resource "aws_mskconnect_connector" "mysql_connector" {
  name = "mysql-capture"

  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                      = "1"
    "database.hostname"              = "localhost"
    "database.port"                  = "3306"
    "database.user"                  = "debezium"
    "database.password"              = "dbz"
    "database.server.id"             = "1"
    "database.server.name"           = "mysql-node-1"
    "database.whitelist"             = "depot"
    "database.history.kafka.topic"   = "schema-changes.depot"
    "database.history.kafka.bootstrap.servers" = aws_msk_cluster.bus.bootstrap_brokers
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.bus.bootstrap_brokers

      vpc {
        security_groups = [aws_security_group.bus_sg.id]
        subnets        = [aws_subnet.bus_a.id, aws_subnet.bus_b.id, aws_subnet.bus_c.id]
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
      arn      = aws_mskconnect_custom_plugin.mysql_plugin.arn
      revision = aws_mskconnect_custom_plugin.mysql_plugin.latest_revision
    }
  }

  service_execution_role_arn = aws_iam_role.worker_role.arn
}

resource "aws_iam_role" "worker_role" {
  name = "bus-worker-role"

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
}
