# CDC path 2: Oracle -> LogMiner -> MSK Connect. The topics are those that path 1 already fills.
module "cdc_oracle" {
  source = "../../modules/msk-connect-source"

  APP            = var.APP
  ENV            = var.ENV
  CONNECTOR_NAME = "oracle"

  MSK_BOOTSTRAP_SERVERS = local.bootstrap
  VPC_SUBNET_IDS        = local.subnets
  EXECUTION_ROLE_ARN    = local.role_arn
  PLUGIN_S3_KEY         = var.ORACLE_PLUGIN_S3_KEY
  KAFKACONNECT_VERSION  = var.KAFKACONNECT_VERSION

  CONNECTOR_CONFIG = {
    "connector.class" = "io.debezium.connector.oracle.OracleConnector"
    "tasks.max"       = "1"

    # the CDB root for LogMiner, the PDB as the filter
    "database.hostname"    = local.ora_host
    "database.port"        = local.ora_port
    "database.user"        = "C##CDC"
    "database.password"    = data.aws_secretsmanager_secret_version.ora_cdc.secret_string
    "database.dbname"      = local.ora_sid
    "database.pdb.name"    = local.ora_pdb
    "database.url"         = "jdbc:oracle:thin:@//${local.ora_host}:${local.ora_port}/${local.ora_sid}"
    "database.server.name" = "${var.APP}_${var.ENV}_ora"
    "topic.prefix"         = "${var.APP}_${var.ENV}_ora"

    "time.precision.mode" = "connect"
    "converters"          = "flag"
    "flag.type"           = "io.debezium.connector.oracle.converters.NumberOneToBooleanConverter"
    "flag.selector"       = ".*"

    "log.mining.strategy"           = "online_catalog"
    "log.mining.sleep.time.max.ms"  = "3000"
    "log.mining.batch.size.default" = "20000"
    "log.mining.batch.size.max"     = "100000"

    "schema.history.internal.kafka.bootstrap.servers" = local.bootstrap
    "schema.history.internal.kafka.topic"             = "__ora_ddl"
    # the history has clients of its own, IAM is not handed down to them
    "schema.history.internal.consumer.security.protocol"                  = "SASL_SSL"
    "schema.history.internal.consumer.sasl.mechanism"                     = "AWS_MSK_IAM"
    "schema.history.internal.consumer.sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.consumer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    "schema.history.internal.producer.security.protocol"                  = "SASL_SSL"
    "schema.history.internal.producer.sasl.mechanism"                     = "AWS_MSK_IAM"
    "schema.history.internal.producer.sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.producer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"

    "table.include.list" = "${upper(local.ora_user)}.${upper(var.TRADES_TABLE)},${upper(local.ora_user)}.${upper(var.FEES_TABLE)}"

    # changes only, the full load is done elsewhere
    "snapshot.mode" = "schema_only"

    "transforms"                             = "unwrap,trades,fees"
    "transforms.unwrap.type"                 = "io.debezium.transforms.ExtractNewRecordState"
    "transforms.unwrap.delete.handling.mode" = "rewrite"
    "transforms.unwrap.drop.tombstones"      = "true"
    "transforms.unwrap.add.fields"           = "op,source.ts_ms"
    "transforms.trades.type"                 = "io.debezium.transforms.ByLogicalTableRouter"
    "transforms.trades.topic.regex"          = ".*${upper(var.TRADES_TABLE)}$$"
    "transforms.trades.topic.replacement"    = local.trades_topic
    "transforms.fees.type"                   = "io.debezium.transforms.ByLogicalTableRouter"
    "transforms.fees.topic.regex"            = ".*${upper(var.FEES_TABLE)}$$"
    "transforms.fees.topic.replacement"      = local.fees_topic

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
    "include.schema.changes"         = "false"
    "errors.tolerance"               = "none"
  }
}
