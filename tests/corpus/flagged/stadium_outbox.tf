locals {
  stadium_outbox = {
    "connector.class"             = "io.debezium.connector.mysql.MySqlConnector"
    "database.hostname"           = aws_db_instance.stadium.address
    "database.port"               = tostring(aws_db_instance.stadium.port)
    "database.user"               = "stadium_cdc"
    "database.server.id"          = "31007"
    "topic.prefix"                = "stadium"
    "table.include.list"          = "stadium.outbox,stadium.seat"
    "include.schema.changes"      = "false"
    "schema.history.internal.kafka.bootstrap.servers" = var.bootstrap_brokers
    "schema.history.internal.kafka.topic"             = "stadium.schema-history"

    # only the outbox table is routed, the seats are published as they are
    "transforms"                                      = "outbox"
    "transforms.outbox.type"                          = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.predicate"                     = "isOutbox"
    "transforms.outbox.table.expand.json.payload"     = "true"
    "transforms.outbox.route.topic.replacement"       = "stadium.$${routedByValue}"
    "predicates.isOutbox.type"                        = "org.apache.kafka.connect.transforms.predicates.TopicNameMatches"
    "predicates.isOutbox.pattern"                     = "stadium\\.stadium\\.outbox"

    "key.converter"                  = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
  }
}

module "stadium_outbox" {
  source               = "./modules/msk-connector"
  name                 = "stadium-outbox"
  kafkaconnect_version = "3.7.x"
  worker_configuration = aws_mskconnect_worker_configuration.secrets_provider.arn
  plugin               = aws_mskconnect_custom_plugin.debezium_mysql_3_6.arn
  connector_configuration = merge(local.stadium_outbox, {
    "tasks.max"         = "1"
    "database.password" = "$${secretsmanager:stadium/cdc:password}"
  })
}
