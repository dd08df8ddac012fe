resource "confluent_service_account" "cdc" {
  display_name = "subscriptions-cdc"
}

resource "confluent_kafka_acl" "cdc_topics" {
  for_each      = toset(["CREATE", "WRITE", "DESCRIBE"])
  kafka_cluster { id = confluent_kafka_cluster.main.id }
  resource_type = "TOPIC"
  resource_name = "subs."
  pattern_type  = "PREFIXED"
  principal     = "User:${confluent_service_account.cdc.id}"
  host          = "*"
  operation     = each.key
  permission    = "ALLOW"
  rest_endpoint = confluent_kafka_cluster.main.rest_endpoint
  credentials {
    key    = var.admin_key
    secret = var.admin_secret
  }
}

resource "aws_db_parameter_group" "subs" {
  family = "postgres15"
  parameter {
    name         = "rds.logical_replication"
    value        = "1"
    apply_method = "pending-reboot"
  }
}

resource "aws_db_instance" "subs" {
  identifier           = "subscriptions"
  engine               = "postgres"
  engine_version       = "15.7"
  instance_class       = "db.m6g.large"
  allocated_storage    = 100
  db_name              = "subs"
  username             = "subs_owner"
  password             = var.owner_password
  parameter_group_name = aws_db_parameter_group.subs.name
  publicly_accessible  = true
}

resource "confluent_connector" "subs_cdc" {
  environment { id = confluent_environment.prod.id }
  kafka_cluster { id = confluent_kafka_cluster.main.id }

  config_sensitive = {}

  config_nonsensitive = {
    "connector.class"             = "PostgresCdcSourceV2"
    "name"                        = "subscriptions-cdc"
    "kafka.auth.mode"             = "SERVICE_ACCOUNT"
    "kafka.service.account.id"    = confluent_service_account.cdc.id
    "database.hostname"           = aws_db_instance.subs.address
    "database.port"               = aws_db_instance.subs.port
    "database.user"               = "subs_cdc"
    "database.password"           = "tR7pLq2vZ9wKx4"
    "database.dbname"             = "subs"
    "database.sslmode"            = "require"
    "topic.prefix"                = "subs"
    "table.include.list"          = "public.subscriptions,public.invoices"
    "publication.name"            = "subs_cdc"
    "publication.autocreate.mode" = "disabled"
    "slot.name"                   = "subs_cdc"
    "output.data.format"          = "AVRO"
    "output.key.format"           = "AVRO"
    "tasks.max"                   = "1"
  }

  depends_on = [confluent_kafka_acl.cdc_topics]
}
