locals {
  # Ten hubs at most: one hub per domain, the table stays in source.table
  domain_tables = {
    member  = ["members", "member_addresses"]
    catalog = ["shelves", "titles"]
    lending = ["loans", "loan_items"]
    fees    = ["fees"]
  }
  data_hubs = {
    for domain in keys(local.domain_tables) : domain => "library.domain.${domain}"
  }
  hubs = merge(local.data_hubs, {
    heartbeat   = "library.heartbeat.v1"
    transaction = "library.transaction.v1"
  })
  source_tables = sort(flatten(values(local.domain_tables)))
  table_include_list = join(",", [
    for table in local.source_tables : "lib.${table}"
  ])
  kafka_jaas = format(
    "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$ConnectionString\" password=\"%s\";",
    azurerm_eventhub_namespace_authorization_rule.debezium_send.primary_connection_string,
  )
}

resource "azurerm_eventhub" "topics" {
  for_each = local.hubs

  name              = each.value
  namespace_id      = azurerm_eventhub_namespace.cdc.id
  partition_count   = 1
  message_retention = 1
}

resource "azurerm_container_group" "debezium" {
  name                = "aci-debezium-${random_id.source_epoch.hex}"
  location            = data.azurerm_resource_group.cdc.location
  resource_group_name = data.azurerm_resource_group.cdc.name
  ip_address_type     = "None"
  os_type             = "Linux"
  restart_policy      = "Always"

  container {
    name   = "debezium-server"
    image  = var.debezium_image
    cpu    = "1.0"
    memory = "1.5"

    environment_variables = {
      DEBEZIUM_SINK_TYPE                                       = "kafka"
      DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS           = "${azurerm_eventhub_namespace.cdc.name}.servicebus.windows.net:9093"
      DEBEZIUM_SINK_KAFKA_PRODUCER_SECURITY_PROTOCOL           = "SASL_SSL"
      DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_MECHANISM              = "PLAIN"
      DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER              = "org.apache.kafka.common.serialization.StringSerializer"
      DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER            = "org.apache.kafka.common.serialization.StringSerializer"
      DEBEZIUM_SINK_KAFKA_PRODUCER_ACKS                        = "all"
      DEBEZIUM_SINK_KAFKA_PRODUCER_ENABLE_IDEMPOTENCE          = "false"
      DEBEZIUM_SINK_KAFKA_WAIT_MESSAGE_DELIVERY_TIMEOUT_MS     = "60000"
      DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE                       = "false"
      DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE                     = "false"
      DEBEZIUM_SOURCE_CONNECTOR_CLASS                          = "io.debezium.connector.postgresql.PostgresConnector"
      DEBEZIUM_SOURCE_DATABASE_HOSTNAME                        = var.postgres_host
      DEBEZIUM_SOURCE_DATABASE_PORT                            = tostring(var.postgres_port)
      DEBEZIUM_SOURCE_DATABASE_USER                            = var.postgres_cdc_user
      DEBEZIUM_SOURCE_DATABASE_DBNAME                          = var.postgres_database
      DEBEZIUM_SOURCE_DATABASE_SSLMODE                         = "require"
      DEBEZIUM_SOURCE_TOPIC_PREFIX                             = "library"
      DEBEZIUM_SOURCE_PLUGIN_NAME                              = "pgoutput"
      DEBEZIUM_SOURCE_SLOT_NAME                                = "library_cdc_cloud"
      DEBEZIUM_SOURCE_SLOT_DROP_ON_STOP                        = "false"
      DEBEZIUM_SOURCE_PUBLICATION_NAME                         = "library_cdc_publication"
      DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE              = "disabled"
      DEBEZIUM_SOURCE_SCHEMA_INCLUDE_LIST                      = "lib"
      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST                       = local.table_include_list
      DEBEZIUM_SOURCE_COLUMN_EXCLUDE_LIST                      = "lib.members.pin_hash"
      DEBEZIUM_SOURCE_SNAPSHOT_MODE                            = "when_needed"
      DEBEZIUM_SOURCE_PROVIDE_TRANSACTION_METADATA             = "true"
      DEBEZIUM_SOURCE_HEARTBEAT_INTERVAL_MS                    = "10000"
      DEBEZIUM_SOURCE_TOPIC_HEARTBEAT_NAME                     = "library.heartbeat.v1"
      DEBEZIUM_SOURCE_TOPIC_TRANSACTION                        = "transaction.v1"
      DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE                     = "false"
      DEBEZIUM_SOURCE_DECIMAL_HANDLING_MODE                    = "string"
      DEBEZIUM_SOURCE_BINARY_HANDLING_MODE                     = "base64"
      DEBEZIUM_SOURCE_OFFSET_STORAGE                           = "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_URL                  = "jdbc:postgresql://${var.postgres_host}:${var.postgres_port}/${var.postgres_database}?sslmode=require&currentSchema=cdc_control"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_USER                 = var.postgres_cdc_user
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_OFFSET_TABLE_NAME    = "debezium_offset_storage"
      DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS                 = "1000"
      # Names of environment variables become lower case: so must the names of the transforms
      DEBEZIUM_TRANSFORMS                                      = "routemember,routecatalog,routelending,routefees"
      DEBEZIUM_TRANSFORMS_ROUTEMEMBER_TYPE                     = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_ROUTEMEMBER_TOPIC_REGEX              = "library\\.lib\\.(members|member_addresses)"
      DEBEZIUM_TRANSFORMS_ROUTEMEMBER_TOPIC_REPLACEMENT        = local.data_hubs.member
      DEBEZIUM_TRANSFORMS_ROUTEMEMBER_KEY_ENFORCE_UNIQUENESS   = "true"
      DEBEZIUM_TRANSFORMS_ROUTECATALOG_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_ROUTECATALOG_TOPIC_REGEX             = "library\\.lib\\.(shelves|titles)"
      DEBEZIUM_TRANSFORMS_ROUTECATALOG_TOPIC_REPLACEMENT       = local.data_hubs.catalog
      DEBEZIUM_TRANSFORMS_ROUTECATALOG_KEY_ENFORCE_UNIQUENESS  = "true"
      DEBEZIUM_TRANSFORMS_ROUTELENDING_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_ROUTELENDING_TOPIC_REGEX             = "library\\.lib\\.(loans|loan_items)"
      DEBEZIUM_TRANSFORMS_ROUTELENDING_TOPIC_REPLACEMENT       = local.data_hubs.lending
      DEBEZIUM_TRANSFORMS_ROUTELENDING_KEY_ENFORCE_UNIQUENESS  = "true"
      DEBEZIUM_TRANSFORMS_ROUTEFEES_TYPE                       = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_ROUTEFEES_TOPIC_REGEX                = "library\\.lib\\.fees"
      DEBEZIUM_TRANSFORMS_ROUTEFEES_TOPIC_REPLACEMENT          = local.data_hubs.fees
      DEBEZIUM_TRANSFORMS_ROUTEFEES_KEY_ENFORCE_UNIQUENESS     = "true"
      QUARKUS_LOG_CONSOLE_JSON_ENABLED                         = "true"
    }

    secure_environment_variables = {
      DEBEZIUM_SOURCE_DATABASE_PASSWORD             = var.postgres_cdc_password
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_PASSWORD  = var.postgres_cdc_password
      DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_JAAS_CONFIG = local.kafka_jaas
    }
  }

  depends_on = [azurerm_eventhub.topics]
}
