# Carts into the data lake. Rows of shop.carts are deleted when an order is placed, so the table stays small.

resource "aws_mskconnect_worker_configuration" "lake" {
  name                    = "lake-worker-v3"
  properties_file_content = <<-PROPS
    key.converter=org.apache.kafka.connect.json.JsonConverter
    key.converter.schemas.enable=false
    value.converter=org.apache.kafka.connect.json.JsonConverter
    value.converter.schemas.enable=false
    config.providers=secretManager
    config.providers.secretManager.class=com.amazonaws.kafka.config.providers.SecretsManagerConfigProvider
    config.providers.secretManager.param.region=eu-north-1
  PROPS
}

locals {
  carts_source = {
    "connector.class"                            = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                                  = "1"
    "plugin.name"                                = "pgoutput"
    "database.hostname"                          = aws_db_instance.shop.address
    "database.port"                              = "5432"
    "database.dbname"                            = "shop"
    "database.user"                              = "$${secretManager:lake/cdc:username}"
    "database.password"                          = "$${secretsmanager:lake/cdc:password}"
    "topic.prefix"                               = "lake"
    "table.include.list"                         = "shop.carts"
    "publication.name"                           = "lake_pub"
    "publication.autocreate.mode"                = "disabled"
    "slot.name"                                  = "lake_slot"
    "topic.creation.default.partitions"          = "3"
    "topic.creation.default.replication.factor"  = "3"
    "transforms"                                 = "unwrap"
    "transforms.unwrap.type"                     = "io.debezium.transforms.ExtractNewRecordState"
  }

  carts_sink = {
    "connector.class"                = "io.confluent.connect.s3.S3SinkConnector"
    "tasks.max"                      = "2"
    "topics"                         = "lake.shop.carts"
    "s3.region"                      = "eu-north-1"
    "s3.bucket.name"                 = aws_s3_bucket.lake.id
    "storage.class"                  = "io.confluent.connect.s3.storage.S3Storage"
    "format.class"                   = "io.confluent.connect.s3.format.json.JsonFormat"
    "partitioner.class"              = "io.confluent.connect.storage.partitioner.DefaultPartitioner"
    "schema.compatibility"           = "NONE"
    "flush.size"                     = "5000"
    "rotate.schedule.interval.ms"    = "600000"
    "timezone"                       = "UTC"
  }
}

module "connector" {
  source   = "./modules/msk-connector"
  for_each = { carts-source = local.carts_source, carts-sink = local.carts_sink }

  name                 = each.key
  configuration        = each.value
  worker_configuration = aws_mskconnect_worker_configuration.lake.arn
  plugin_arn           = aws_mskconnect_custom_plugin.bundle.arn
}
