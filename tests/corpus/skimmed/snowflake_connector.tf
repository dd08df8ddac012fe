terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

resource "aws_mskconnect_connector" "clickstream_to_snowflake" {
  name = var.connector_name

  connector_configuration = {
    "connector.class"                  = "com.snowflake.kafka.connector.SnowflakeSinkConnector"
    "topics"                           = var.topic
    "tasks.max"                        = var.max_tasks
    "buffer.count.records"             = 10000
    "buffer.flush.time"                = 5
    "buffer.size.bytes"                = 20000000
    "snowflake.url.name"               = "example.snowflakecomputing.com"
    "snowflake.user.name"              = var.snowflake_user
    "snowflake.private.key"            = var.snowflake_private_key
    "snowflake.private.key.passphrase" = var.snowflake_private_key_passphrase
    "snowflake.role.name"              = var.snowflake_role
    "snowflake.ingestion.method"       = "SNOWPIPE_STREAMING"
    "snowflake.enable.schematization"  = true
    "snowflake.database.name"          = var.snowflake_database
    "snowflake.schema.name"            = var.snowflake_schema
    # prod.web.page-views.avro goes to WEB_PAGE_VIEWS
    "snowflake.topic2table.map" = "${var.topic}:${
      upper(join("_", [
        replace(split(".", var.topic)[1], "-", "_"),
        replace(split(".", var.topic)[2], "-", "_")
      ]))
    }"
    "value.converter"                     = "io.confluent.connect.avro.AvroConverter"
    "value.converter.schema.registry.url" = var.schema_registry_url
    "errors.log.enable"                   = true
    "errors.tolerance"                    = "all"
    "jmx"                                 = true
  }

  kafkaconnect_version = var.kafkaconnect_version
  capacity {
    autoscaling {
      min_worker_count = 1
      max_worker_count = var.max_workers
      mcu_count        = 1
      scale_in_policy {
        cpu_utilization_percentage = 20
      }
      scale_out_policy {
        cpu_utilization_percentage = 80
      }
    }
  }
  plugin {
    custom_plugin {
      arn      = var.plugin_arn
      revision = var.plugin_revision
    }
  }
  service_execution_role_arn = var.role_arn
}
