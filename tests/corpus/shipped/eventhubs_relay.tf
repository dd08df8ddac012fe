locals {
  # Few hubs: the tables of a domain share one, the table's name is in the event.
  domain_tables = {
    people  = ["members", "member_addresses"]
    library = ["books", "copies"]
    lending = ["loans", "reservations"]
  }
  domain_hubs = {
    for domain in keys(local.domain_tables) : domain => "library.domain.${domain}"
  }
  hubs = merge(local.domain_hubs, {
    heartbeat   = "library.heartbeat.v1"
    transaction = "library.transaction.v1"
  })
  table_include_list = join(",", [
    for table in sort(flatten(values(local.domain_tables))) : "member_app.${table}"
  ])
  kafka_jaas = format(
    "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$ConnectionString\" password=\"%s\";",
    azurerm_eventhub_namespace_authorization_rule.relay_send.primary_connection_string,
  )
}

resource "azurerm_eventhub_namespace" "relay" {
  name                = "${var.name_prefix}-relay"
  location            = data.azurerm_resource_group.relay.location
  resource_group_name = data.azurerm_resource_group.relay.name
  sku                 = "Standard"
  capacity            = 1
}

resource "azurerm_eventhub" "topics" {
  for_each          = local.hubs
  name              = each.value
  namespace_id      = azurerm_eventhub_namespace.relay.id
  partition_count   = 1
  message_retention = 1
}

resource "azurerm_eventhub_namespace_authorization_rule" "relay_send" {
  name                = "relay-send"
  namespace_name      = azurerm_eventhub_namespace.relay.name
  resource_group_name = data.azurerm_resource_group.relay.name
  send                = true
}

resource "azurerm_container_group" "relay" {
  name                = "aci-relay"
  location            = data.azurerm_resource_group.relay.location
  resource_group_name = data.azurerm_resource_group.relay.name
  ip_address_type     = "None"
  os_type             = "Linux"
  restart_policy      = "Always"

  container {
    name   = "debezium-server"
    image  = var.debezium_image
    cpu    = "1.0"
    memory = "1.5"

    environment_variables = {
      JAVA_OPTS_APPEND                                         = "-Xms256m -Xmx768m"
      DEBEZIUM_SINK_TYPE                                       = "kafka"
      DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS           = "${azurerm_eventhub_namespace.relay.name}.servicebus.windows.net:9093"
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
      DEBEZIUM_SOURCE_SLOT_NAME                                = "library_relay_cloud"
      DEBEZIUM_SOURCE_SLOT_DROP_ON_STOP                        = "false"
      DEBEZIUM_SOURCE_PUBLICATION_NAME                         = "library_relay_publication"
      DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE              = "disabled"
      DEBEZIUM_SOURCE_SCHEMA_INCLUDE_LIST                      = "member_app"
      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST                       = local.table_include_list
      DEBEZIUM_SOURCE_COLUMN_EXCLUDE_LIST                      = "member_app.members.password_hash"
      DEBEZIUM_SOURCE_SNAPSHOT_MODE                            = "when_needed"
      DEBEZIUM_SOURCE_PROVIDE_TRANSACTION_METADATA             = "true"
      DEBEZIUM_SOURCE_HEARTBEAT_INTERVAL_MS                    = "10000"
      DEBEZIUM_SOURCE_TOPIC_HEARTBEAT_NAME                     = "library.heartbeat.v1"
      DEBEZIUM_SOURCE_TOPIC_TRANSACTION                        = "transaction.v1"
      DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE                     = "false"
      DEBEZIUM_SOURCE_DECIMAL_HANDLING_MODE                    = "string"
      DEBEZIUM_SOURCE_OFFSET_STORAGE                           = "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_URL                  = "jdbc:postgresql://${var.postgres_host}:${var.postgres_port}/${var.postgres_database}?sslmode=require&currentSchema=relay_control"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_USER                 = var.postgres_cdc_user
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_OFFSET_TABLE_NAME    = "debezium_offset_storage"
      DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS                 = "1000"
      # The names of the transforms are in lower case on purpose: that is what becomes of a variable's name.
      DEBEZIUM_TRANSFORMS                                      = "routepeople,routelibrary,routelending"
      DEBEZIUM_TRANSFORMS_ROUTEPEOPLE_TYPE                     = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_ROUTEPEOPLE_TOPIC_REGEX              = "library\\.member_app\\.(members|member_addresses)"
      DEBEZIUM_TRANSFORMS_ROUTEPEOPLE_TOPIC_REPLACEMENT        = local.domain_hubs.people
      DEBEZIUM_TRANSFORMS_ROUTELIBRARY_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_ROUTELIBRARY_TOPIC_REGEX             = "library\\.member_app\\.(books|copies)"
      DEBEZIUM_TRANSFORMS_ROUTELIBRARY_TOPIC_REPLACEMENT       = local.domain_hubs.library
      DEBEZIUM_TRANSFORMS_ROUTELENDING_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_ROUTELENDING_TOPIC_REGEX             = "library\\.member_app\\.(loans|reservations)"
      DEBEZIUM_TRANSFORMS_ROUTELENDING_TOPIC_REPLACEMENT       = local.domain_hubs.lending
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
