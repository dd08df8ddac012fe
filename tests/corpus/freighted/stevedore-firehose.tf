# Lake feed of the stevedore roster: MySQL -> MSK -> Firehose -> S3
resource "aws_kinesis_firehose_delivery_stream" "roster" {
  name        = "roster-firehose"
  destination = "extended_s3"
  extended_s3_configuration {
    role_arn   = aws_iam_role.firehose.arn
    bucket_arn = aws_s3_bucket.roster.arn
    prefix     = "roster/"
  }
}

resource "aws_mskconnect_custom_plugin" "cdc" {
  name         = "roster-cdc"
  content_type = "ZIP"
  location {
    s3 {
      bucket_arn = aws_s3_bucket.roster.arn
      file_key   = "cdc-plugin.zip"
    }
  }
}

resource "aws_mskconnect_connector" "roster_cdc" {
  name                 = "roster-cdc"
  kafkaconnect_version = "2.7.1"

  capacity {
    provisioned_capacity {
      mcu_count    = 1
      worker_count = 1
    }
  }

  connector_configuration = {
    "connector.class"                          = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max"                                = "1"
    "database.hostname"                        = "localhost"
    "database.port"                            = "3306"
    "database.user"                            = "debezium"
    "database.password"                        = "dbz"
    "database.server.id"                       = "7"
    "database.server.name"                     = "roster-mysql"
    "database.whitelist"                       = "roster"
    "database.history.kafka.topic"             = "ddl-of-roster"
    "database.history.kafka.bootstrap.servers" = aws_msk_cluster.roster.bootstrap_brokers
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = aws_msk_cluster.roster.bootstrap_brokers
      vpc {
        security_groups = [aws_security_group.roster.id]
        subnets         = aws_subnet.private[*].id
      }
    }
  }
}
