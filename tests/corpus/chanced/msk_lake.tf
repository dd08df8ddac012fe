# PostgreSQL -> MSK -> S3

module "orders_source" {
  source               = "./modules/msk_connector"
  name                 = "orders-pg-source"
  kafkaconnect_version = "2.7.1"
  connector_configuration = {
    "connector.class"      = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname"    = split(":", module.ops_db.endpoint)[0]
    "database.port"        = "5432"
    "database.dbname"      = "opsdb"
    "database.server.name" = "ops-cdc"
    "database.user"        = tostring(data.vault_generic_secret.ops.data["username"])
    "database.password"    = tostring(data.vault_generic_secret.ops.data["password"])

    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "lake"
    "publication.name"            = "lake_pub"
    "publication.autocreate.mode" = "filtered"
    "slot.drop.on.stop"           = "false"

    "tasks.max"          = "1"
    "topic.prefix"       = "ops-cdc"
    "table.include.list" = "public.*"

    "schema.history.internal.kafka.bootstrap.servers"         = module.msk.bootstrap_brokers
    "schema.history.internal.kafka.topic"                     = "ddl.ops"
    "schema.history.internal.kafka.recovery.poll.interval.ms" = "1000"

    "heartbeat.interval.ms"  = "10000"
    "heartbeat.action.query" = "INSERT INTO pulse (state) VALUES (1) ON CONFLICT DO NOTHING"

    "snapshot.mode"         = "initial"
    "snapshot.locking.mode" = "none"

    "errors.tolerance"            = "all"
    "errors.log.enable"           = "true"
    "errors.log.include.messages" = "true"

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
  }
  bootstrap_servers = module.msk.bootstrap_brokers
  plugin_arn        = aws_mskconnect_custom_plugin.pg.arn
}

module "lake_sink" {
  source               = "./modules/msk_connector"
  name                 = "lake-s3-sink"
  kafkaconnect_version = "2.7.1"
  connector_configuration = {
    "connector.class" = "io.confluent.connect.s3.S3SinkConnector"
    "topics.regex"    = "ops-cdc\\..*"
    "tasks.max"       = "2"

    "s3.region"      = var.region
    "s3.bucket.name" = module.lake_bucket.bucket
    "format.class"   = "io.confluent.connect.s3.format.json.JsonFormat"
    "storage.class"  = "io.confluent.connect.s3.storage.S3Storage"

    "partitioner.class"     = "io.confluent.connect.storage.partitioner.TimeBasedPartitioner"
    "path.format"           = "'year'=YYYY/'month'=MM/'day'=dd"
    "partition.duration.ms" = "3600000"
    "timezone"              = "UTC"
    "locale"                = "en-US"
    "timestamp.extractor"   = "Record"
    "flush.size"            = "1000"

    "errors.tolerance"                  = "all"
    "errors.deadletterqueue.topic.name" = "dlq-lake"
    "behavior.on.null.values"           = "ignore"

    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
  }
  bootstrap_servers = module.msk.bootstrap_brokers
  plugin_arn        = aws_mskconnect_custom_plugin.s3.arn
}
