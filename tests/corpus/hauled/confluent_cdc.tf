# Managed connectors: the CDC source and two sinks back into the same database.
resource "confluent_connector" "machines_source" {
  environment {
    id = confluent_environment.plant.id
  }
  kafka_cluster {
    id = confluent_kafka_cluster.plant.id
  }

  config_sensitive = {
    "database.password" = var.pg_password
  }

  config_nonsensitive = {
    "connector.class"             = "PostgresCdcSourceV2"
    "name"                        = "${var.project}-machines"
    "kafka.auth.mode"             = "SERVICE_ACCOUNT"
    "kafka.service.account.id"    = confluent_service_account.connect.id
    "tasks.max"                   = "1"
    "database.hostname"           = aws_db_instance.plant.address
    "database.port"               = aws_db_instance.plant.port
    "database.user"               = var.pg_user
    "database.dbname"             = var.pg_database
    "database.sslmode"            = var.pg_sslmode
    "plugin.name"                 = "pgoutput"
    "topic.prefix"                = var.cdc_prefix
    "output.data.format"          = var.value_format # AVRO, JSON_SR, PROTOBUF, JSON
    "output.key.format"           = var.key_format
    "slot.name"                   = "plant_cdc"
    "publication.name"            = "plant_pub"
    "publication.autocreate.mode" = "all_tables"
    "snapshot.mode"               = "initial"
    "after.state.only"            = "true"
    "table.include.list"          = var.cdc_tables
  }

  depends_on = [confluent_kafka_acl.cdc_create, null_resource.seed]
}

resource "confluent_connector" "readings_sink" {
  environment {
    id = confluent_environment.plant.id
  }
  kafka_cluster {
    id = confluent_kafka_cluster.plant.id
  }

  config_sensitive = {
    "connection.password" = var.pg_password
  }

  config_nonsensitive = {
    "connector.class"          = "PostgresSink"
    "name"                     = "${var.project}-readings"
    "kafka.auth.mode"          = "SERVICE_ACCOUNT"
    "kafka.service.account.id" = confluent_service_account.connect.id
    "tasks.max"                = "1"
    "connection.host"          = aws_db_instance.plant.address
    "connection.port"          = aws_db_instance.plant.port
    "connection.user"          = var.pg_user
    "db.name"                  = var.pg_database
    "ssl.mode"                 = var.pg_sslmode
    "topics"                   = var.readings_topics
    "input.data.format"        = var.value_format
    "input.key.format"         = var.key_format
    "insert.mode"              = "INSERT"
    "auto.create"              = "true"
  }
}

resource "confluent_connector" "state_sink" {
  environment {
    id = confluent_environment.plant.id
  }
  kafka_cluster {
    id = confluent_kafka_cluster.plant.id
  }

  config_sensitive = {
    "connection.password" = var.pg_password
  }

  config_nonsensitive = {
    "connector.class"          = "PostgresSink"
    "name"                     = "${var.project}-state"
    "kafka.auth.mode"          = "SERVICE_ACCOUNT"
    "kafka.service.account.id" = confluent_service_account.connect.id
    "tasks.max"                = "1"
    "connection.host"          = aws_db_instance.plant.address
    "connection.port"          = aws_db_instance.plant.port
    "connection.user"          = var.pg_user
    "db.name"                  = var.pg_database
    "ssl.mode"                 = var.pg_sslmode
    "topics"                   = var.state_topics
    "input.data.format"        = var.value_format
    "input.key.format"         = var.key_format
    "insert.mode"              = "UPSERT"
    "pk.mode"                  = var.state_pk_mode
    "pk.fields"                = var.state_pk_fields
  }
}
