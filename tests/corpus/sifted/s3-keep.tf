resource "awscc_kafkaconnect_connector" "keep" {
  connector_name             = format("%s-keep-%s", var.team, time_static.built.unix)
  service_execution_role_arn = aws_iam_role.connect.arn
  kafka_connect_version      = "2.7.1"
  kafka_cluster_encryption_in_transit = {
    encryption_type = "TLS"
  }
  kafka_cluster = {
    apache_kafka_cluster = {
      bootstrap_servers = aws_msk_cluster.this.bootstrap_brokers_tls
      vpc = {
        subnets         = aws_subnet.inner[*].id
        security_groups = [aws_security_group.connect.id]
      }
    }
  }
  capacity = {
    provisioned_capacity = {
      worker_count = 2
      mcu_count    = 1
    }
  }
  kafka_cluster_client_authentication = {
    authentication_type = "NONE"
  }
  plugins = [
    {
      custom_plugin = {
        custom_plugin_arn = aws_mskconnect_custom_plugin.keep.arn,
        revision          = aws_mskconnect_custom_plugin.keep.latest_revision
      }
    }
  ]
  worker_configuration = {
    worker_configuration_arn = aws_mskconnect_worker_configuration.bytes.arn
    revision                 = aws_mskconnect_worker_configuration.bytes.latest_revision
  }
  connector_configuration = tomap({
    "connector.class"            = "io.confluent.connect.s3.S3SinkConnector",
    "format.class"               = "io.confluent.connect.s3.format.bytearray.ByteArrayFormat"
    "s3.part.retries"            = "5"
    "tasks.max"                  = "4",
    "timezone"                   = "Europe/Lisbon",
    "topics.dir"                 = "keep",
    "flush.size"                 = "2500",
    "topics.regex"               = "(.*)-keep$",
    "path.format"                = "YYYY/MM/dd",
    "s3.region"                  = "eu-west-1",
    "s3.bucket.name"             = aws_s3_bucket.keep.bucket,
    "format.bytearray.extension" = ".json",
    "timestamp.extractor"        = "Record"
    "file.delim"                 = "_"
    "schema.compatibility"       = "NONE"
    "s3.compression.type"        = "gzip"
    "store.kafka.keys"           = "false"
    "s3.retry.backoff.ms"        = "400"
    "partitioner.class"          = "io.confluent.connect.storage.partitioner.TimeBasedPartitioner"
    "storage.class"              = "io.confluent.connect.s3.storage.S3Storage"
    # "s3.ssea.name"      = "aws:kms"
  })
}
