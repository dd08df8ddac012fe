# Topics and rights of the coin vault (self-run brokers, provider Mongey/kafka). Automatic creation is off on the brokers.
terraform {
  required_providers {
    kafka = { source = "Mongey/kafka", version = "~> 0.8" }
    kafka-connect = { source = "Mongey/kafka-connect", version = "~> 0.4" }
  }
}

locals {
  compacted = ["vault.schema-history", "vault.coins.holders"]
  streams   = ["vault.coins.movements", "vault"]
}

resource "kafka_topic" "compacted" {
  for_each           = toset(local.compacted)
  name               = each.key
  partitions         = 1
  replication_factor = 3
  config             = { "cleanup.policy" = "compact" }
}

resource "kafka_topic" "streams" {
  for_each           = toset(local.streams)
  name               = each.key
  partitions         = 6
  replication_factor = 3
  config             = { "cleanup.policy" = "delete", "retention.ms" = "604800000" }
}

# everything that begins with "vault"
resource "kafka_acl" "connect_topics" {
  for_each                     = toset(["Read", "Write", "Describe", "DescribeConfigs"])
  resource_name                = "vault"
  resource_type                = "Topic"
  resource_pattern_type_filter = "Literal"
  acl_principal                = "User:connect"
  acl_host                     = "*"
  acl_operation                = each.key
  acl_permission_type          = "Allow"
}

resource "kafka-connect_connector" "coins" {
  name = "vault-coins"
  config = {
    "name"                                            = "vault-coins"
    "connector.class"                                 = "io.debezium.connector.mariadb.MariaDbConnector"
    "database.hostname"                               = "vault-db"
    "database.port"                                   = "3306"
    "database.user"                                   = "vault_cdc"
    "database.server.id"                              = "90210"
    "topic.prefix"                                    = "vault"
    "database.include.list"                           = "coins"
    "table.include.list"                              = "coins.holders,coins.movements"
    "schema.history.internal.kafka.bootstrap.servers" = var.bootstrap_servers
    "schema.history.internal.kafka.topic"             = "vault.schema-history"

    "schema.history.internal.producer.security.protocol" = "SSL"
    "schema.history.internal.consumer.security.protocol" = "SSL"
  }
  config_sensitive = {
    "database.password" = var.vault_cdc_password
  }
}
