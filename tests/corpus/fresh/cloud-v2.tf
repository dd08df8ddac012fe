resource "confluent_connector" "policies_cdc" {
  environment { id = confluent_environment.policies.id }
  kafka_cluster { id = confluent_kafka_cluster.main.id }

  config_sensitive = {
    "database.password" = var.postgres_password
  }

  config_nonsensitive = {
    "connector.class"          = "PostgresCdcSourceV2"
    "name"                     = "${var.project_name}-PostgresCdcSourceV2"
    "kafka.auth.mode"          = "SERVICE_ACCOUNT"
    "kafka.service.account.id" = confluent_service_account.connect.id
    "tasks.max" = "1"

    # database
    "database.hostname" = aws_db_instance.policies.address
    "database.port"     = aws_db_instance.policies.port
    "database.user"     = var.postgres_user
    "database.dbname"   = var.postgres_db_name
    "database.sslmode"  = var.postgres_sslmode   # "require", "verify-ca", "verify-full"

    # capture
    "plugin.name"        = "pgoutput"
    "topic.prefix"       = var.cdc_topic_prefix
    "output.data.format" = var.cdc_output_value_format  # "AVRO" | "JSON"
    "output.key.format"  = var.cdc_output_key_format
    "slot.name"          = "policies2"
    "publication.name"   = "policies_publication2"
    "publication.autocreate.mode" = "all_tables"
    "auto.create"        = "true"
    "auto.evolve"        = "true"

    "snapshot.mode" = "initial"
    "after.state.only" = "true"
    "table.include.list" = var.cdc_table_include_list
  }

  depends_on = [
    confluent_kafka_acl.cdc_describe_cluster,
    aws_db_instance.policies
  ]
}
