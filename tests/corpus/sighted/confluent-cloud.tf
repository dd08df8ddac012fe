# The shop's PostgreSQL to Confluent Cloud. Mail addresses are masked on the way.

resource "confluent_service_account" "cdc" {
  display_name = "cdc-${var.stage}"
  description  = "runs the managed source"
}

resource "time_sleep" "wait_for_feeder" {
  depends_on      = [module.postgres, aws_ecs_service.feeder]
  create_duration = "45s"
}

resource "confluent_connector" "shop_cdc" {
  environment {
    id = confluent_environment.this.id
  }
  kafka_cluster {
    id = confluent_kafka_cluster.this.id
  }

  config_sensitive = {
    "database.password" = var.pg_password
  }

  config_nonsensitive = {
    "name"                            = "shop_cdc_0"
    "connector.class"                 = "PostgresCdcSourceV2"
    "kafka.auth.mode"                 = "SERVICE_ACCOUNT"
    "kafka.service.account.id"        = confluent_service_account.cdc.id
    "database.hostname"               = module.postgres.public_ip
    "database.port"                   = module.postgres.port
    "database.user"                   = var.pg_user
    "database.dbname"                 = "shop"
    "topic.prefix"                    = var.prefix
    "plugin.name"                     = "pgoutput"
    "after.state.only"                = "true"
    "output.key.format"               = "AVRO"
    "output.data.format"              = "AVRO"
    "tasks.max"                       = "1"
    "transforms"                      = "mask"
    "transforms.mask.type"            = "org.apache.kafka.connect.transforms.MaskField$Value"
    "transforms.mask.fields"          = "mail"
  }

  depends_on = [
    confluent_kafka_acl.cdc_create,
    confluent_kafka_acl.cdc_write,
    time_sleep.wait_for_feeder,
  ]
}
