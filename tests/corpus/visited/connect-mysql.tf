# provider docs: registry.terraform.io, Mongey/kafka-connect
terraform {
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "0.3.0"
    }
  }
}

provider "kafka-connect" {
  url = "http://localhost:8083"
}

resource "kafka-connect_connector" "mysql_cdc" {
  name = "MysqlCdc"

  config = {
    "name"            = "MysqlCdc"
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"

    "database.user" = "root"
    "database.server.id" = "1"
    "database.hostname" = "mysql"
    "database.include.list" = "shipping"
    "topic.prefix" = "cdc"
    "tasks.max" = "1"
    "schema.history.internal.kafka.topic" = "__schemahistory.shipping"
    "include.schema.changes" = "true"

    # when the broker runs in docker
    # "schema.history.internal.kafka.bootstrap.servers" = "kafka:9092"

    # managed cluster
    "schema.history.internal.kafka.bootstrap.servers" = var.BROKERS
    "schema.history.internal.consumer.security.protocol" = "SASL_SSL"
    "schema.history.internal.consumer.sasl.mechanism" = "PLAIN"
    "schema.history.internal.consumer.sasl.jaas.config" = "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"${var.BROKER_KEY}\" password=\"${var.BROKER_SECRET}\";"
    "schema.history.internal.producer.security.protocol" = "SASL_SSL"
    "schema.history.internal.producer.sasl.mechanism" = "PLAIN"
    "schema.history.internal.producer.sasl.jaas.config" = "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"${var.BROKER_KEY}\" password=\"${var.BROKER_SECRET}\";"
  }

  config_sensitive = {
    "database.password" = "secret"
  }
}
