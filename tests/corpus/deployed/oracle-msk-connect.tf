# MSK Connect: Oracle (RDS) -> Kafka with Debezium. Network, database and MSK come from the stacks 10, 20 and 50.

variable "stack" {
  type        = string
  description = "name of the stack, the same as in 10-network, 20-database and 50-kafka"
}

locals {
  topic_prefix = "oracle-stock"
  tables       = "WMS.ARTICLES"
}

data "aws_region" "current" {}

data "aws_db_instance" "oracle" {
  db_instance_identifier = "oracle-${var.stack}"
}

data "aws_msk_cluster" "main" {
  cluster_name = "msk-${var.stack}"
}

resource "aws_mskconnect_worker_configuration" "debezium" {
  name                    = "debezium-worker-${var.stack}"
  properties_file_content = <<PROPERTIES
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=org.apache.kafka.connect.storage.StringConverter
config.providers=ssm
config.providers.ssm.class=com.amazonaws.kafka.config.providers.SsmParamStoreConfigProvider
config.providers.ssm.param.region=${data.aws_region.current.region}
PROPERTIES
}

resource "aws_mskconnect_connector" "oracle" {
  name                 = "oracle-cdc-${var.stack}"
  kafkaconnect_version = "3.7.x"

  capacity {
    autoscaling {
      mcu_count        = 2
      min_worker_count = 1
      max_worker_count = 3
      scale_in_policy { cpu_utilization_percentage = 20 }
      scale_out_policy { cpu_utilization_percentage = 80 }
    }
  }

  connector_configuration = {
    "connector.class"                                                     = "io.debezium.connector.oracle.OracleConnector"
    "tasks.max"                                                           = "1"
    "database.hostname"                                                   = data.aws_db_instance.oracle.address
    "database.port"                                                       = tostring(data.aws_db_instance.oracle.port)
    "database.user"                                                       = "$${ssm::/wms/cdc/user}"
    "database.password"                                                   = "$${ssm::/wms/cdc/password}"
    "database.dbname"                                                     = data.aws_db_instance.oracle.db_name
    "database.connection.adapter"                                         = "logminer"
    "topic.prefix"                                                        = local.topic_prefix
    "table.include.list"                                                  = local.tables
    "snapshot.mode"                                                       = "initial"
    "include.schema.changes"                                              = "true"
    "schema.history.internal.kafka.topic"                                 = "${local.topic_prefix}-schema-history"
    "schema.history.internal.kafka.bootstrap.servers"                     = data.aws_msk_cluster.main.bootstrap_brokers_sasl_iam
    "schema.history.internal.consumer.security.protocol"                  = "SASL_SSL"
    "schema.history.internal.consumer.sasl.mechanism"                     = "AWS_MSK_IAM"
    "schema.history.internal.consumer.sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.consumer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    "schema.history.internal.producer.security.protocol"                  = "SASL_SSL"
    "schema.history.internal.producer.sasl.mechanism"                     = "AWS_MSK_IAM"
    "schema.history.internal.producer.sasl.jaas.config"                   = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    "schema.history.internal.producer.sasl.client.callback.handler.class" = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    "key.converter"                                                       = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"                                        = "true"
    "value.converter"                                                     = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable"                                      = "true"
  }

  kafka_cluster {
    apache_kafka_cluster {
      bootstrap_servers = data.aws_msk_cluster.main.bootstrap_brokers_sasl_iam
      vpc {
        subnets         = data.aws_subnets.private.ids
        security_groups = [aws_security_group.connect.id]
      }
    }
  }

  kafka_cluster_encryption_in_transit { encryption_type = "TLS" }
  kafka_cluster_client_authentication { authentication_type = "IAM" }

  plugin {
    custom_plugin {
      arn      = aws_mskconnect_custom_plugin.debezium_oracle.arn
      revision = aws_mskconnect_custom_plugin.debezium_oracle.latest_revision
    }
  }

  worker_configuration {
    arn      = aws_mskconnect_worker_configuration.debezium.arn
    revision = aws_mskconnect_worker_configuration.debezium.latest_revision
  }

  service_execution_role_arn = aws_iam_role.connect.arn
}
