# Debezium Server on Container Instances, PostgreSQL to Event Hubs. One hub for each domain.
locals {
  domains = {
    people  = ["members", "addresses"]
    goods   = ["stores", "articles", "article_variants"]
    billing = ["payments"]
  }
  hubs = { for d in keys(local.domains) : d => "retail.domain.${d}" }
  all_hubs = merge(local.hubs, {
    heartbeat   = "retail.heartbeat.v1"
    transaction = "retail.transaction.v1"
  })
  tables = join(",", [for t in sort(flatten(values(local.domains))) : "store_app.${t}"])
  jaas = format(
    "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$ConnectionString\" password=\"%s\";",
    azurerm_eventhub_namespace_authorization_rule.sender.primary_connection_string,
  )
}

resource "azurerm_eventhub" "hub" {
  for_each          = local.all_hubs
  name              = each.value
  namespace_id      = azurerm_eventhub_namespace.retail.id
  partition_count   = 1
  message_retention = 1
}

resource "azurerm_container_group" "server" {
  name                = "aci-retail-cdc"
  location            = var.location
  resource_group_name = var.resource_group
  ip_address_type     = "None"
  os_type             = "Linux"
  restart_policy      = "Always"

  container {
    name   = "debezium-server"
    image  = var.server_image
    cpu    = "1.0"
    memory = "1.5"

    environment_variables = {
      DEBEZIUM_SINK_TYPE                                   = "kafka"
      DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS       = "${azurerm_eventhub_namespace.retail.name}.servicebus.windows.net:9093"
      DEBEZIUM_SINK_KAFKA_PRODUCER_SECURITY_PROTOCOL       = "SASL_SSL"
      DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_MECHANISM          = "PLAIN"
      DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER          = "org.apache.kafka.common.serialization.StringSerializer"
      DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER        = "org.apache.kafka.common.serialization.StringSerializer"
      DEBEZIUM_SINK_KAFKA_PRODUCER_ENABLE_IDEMPOTENCE      = "false"
      DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE                   = "false"
      DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE                 = "false"
      DEBEZIUM_SOURCE_CONNECTOR_CLASS                      = "io.debezium.connector.postgresql.PostgresConnector"
      DEBEZIUM_SOURCE_DATABASE_HOSTNAME                    = var.pg_host
      DEBEZIUM_SOURCE_DATABASE_PORT                        = tostring(var.pg_port)
      DEBEZIUM_SOURCE_DATABASE_USER                        = var.pg_cdc_user
      DEBEZIUM_SOURCE_DATABASE_DBNAME                      = var.pg_database
      DEBEZIUM_SOURCE_DATABASE_SSLMODE                     = "require"
      DEBEZIUM_SOURCE_TOPIC_PREFIX                         = "retail"
      DEBEZIUM_SOURCE_PLUGIN_NAME                          = "pgoutput"
      DEBEZIUM_SOURCE_SLOT_NAME                            = "retail_cloud"
      DEBEZIUM_SOURCE_PUBLICATION_NAME                     = "retail_cloud_pub"
      DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE          = "disabled" # made by the migration job
      DEBEZIUM_SOURCE_SCHEMA_INCLUDE_LIST                  = "store_app"
      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST                   = local.tables
      DEBEZIUM_SOURCE_COLUMN_EXCLUDE_LIST                  = "store_app.members.pw_hash"
      DEBEZIUM_SOURCE_SNAPSHOT_MODE                        = "when_needed"
      DEBEZIUM_SOURCE_PROVIDE_TRANSACTION_METADATA         = "true"
      DEBEZIUM_SOURCE_HEARTBEAT_INTERVAL_MS                = "10000"
      DEBEZIUM_SOURCE_TOPIC_HEARTBEAT_NAME                 = "retail.heartbeat.v1"
      DEBEZIUM_SOURCE_TOPIC_TRANSACTION                    = "transaction.v1"
      DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE                 = "false"
      DEBEZIUM_SOURCE_OFFSET_STORAGE                       = "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_URL              = "jdbc:postgresql://${var.pg_host}:${var.pg_port}/${var.pg_database}?sslmode=require&currentSchema=cdc_state"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_USER             = var.pg_cdc_user
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_OFFSET_TABLE_NAME = "server_offsets"
      # names of variables end up in lower case, so do the names of the transforms
      DEBEZIUM_TRANSFORMS                                  = "topeople,togoods,tobilling"
      DEBEZIUM_TRANSFORMS_TOPEOPLE_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_TOPEOPLE_TOPIC_REGEX             = "retail\\.store_app\\.(members|addresses)"
      DEBEZIUM_TRANSFORMS_TOPEOPLE_TOPIC_REPLACEMENT       = local.hubs.people
      DEBEZIUM_TRANSFORMS_TOGOODS_TYPE                     = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_TOGOODS_TOPIC_REGEX              = "retail\\.store_app\\.(stores|articles|article_variants)"
      DEBEZIUM_TRANSFORMS_TOGOODS_TOPIC_REPLACEMENT        = local.hubs.goods
      DEBEZIUM_TRANSFORMS_TOBILLING_TYPE                   = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_TOBILLING_TOPIC_REGEX            = "retail\\.store_app\\.payments"
      DEBEZIUM_TRANSFORMS_TOBILLING_TOPIC_REPLACEMENT      = local.hubs.billing
    }

    secure_environment_variables = {
      DEBEZIUM_SOURCE_DATABASE_PASSWORD             = var.pg_cdc_password
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_PASSWORD  = var.pg_cdc_password
      DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_JAAS_CONFIG = local.jaas
    }
  }
}
