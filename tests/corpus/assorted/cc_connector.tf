# Managed Debezium source; secrets stay in their own map so that plans do not print them

resource "confluent_connector" "loans_cdc" {
  environment {
    id = local.environment_id
  }

  kafka_cluster {
    id = local.cluster_id
  }

  config_sensitive = {
    "database.password" = local.rds_password
    "kafka.api.secret"  = confluent_api_key.cluster.secret
  }

  config_nonsensitive = {
    "connector.class" = "PostgresCdcSourceV2"
    "name"            = var.connector_name

    # key of the cluster, not of the organisation
    "kafka.auth.mode" = "KAFKA_API_KEY"
    "kafka.api.key"   = confluent_api_key.cluster.id
    "kafka.endpoint"  = confluent_kafka_cluster.main.bootstrap_endpoint
    "kafka.region"    = var.region
    "cloud.provider"  = lower(var.cloud)

    "database.hostname" = local.rds_host
    "database.port"     = local.rds_port
    "database.user"     = local.rds_username
    "database.dbname"   = local.rds_database
    "database.sslmode"  = "require"

    "table.include.list" = "public.borrowers,public.loans,public.payments"
    "topic.prefix"       = var.topic_prefix

    "output.data.format" = "AVRO"
    "output.key.format"  = "AVRO"
    "tasks.max"          = "1"
  }
}
