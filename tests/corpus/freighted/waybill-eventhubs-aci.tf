locals {
  # Nine hubs are enough on this tier, so tables are grouped by area.
  area_tables = {
    shipper = ["consignors", "consignor_sites"]
    tariff  = ["lanes", "surcharges", "fuel_index"]
    booking = ["bookings", "booking_legs"]
    invoice = ["freight_invoices"]
  }
  area_hubs = { for area in keys(local.area_tables) : area => "freight.area.${area}" }
  all_hubs = merge(local.area_hubs, {
    heartbeat   = "freight.alive.v1"
    transaction = "freight.tx.v1"
  })
  include_tables = join(",", [for t in sort(flatten(values(local.area_tables))) : "waybill_app.${t}"])
  jaas = format(
    "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$ConnectionString\" password=\"%s\";",
    azurerm_eventhub_namespace_authorization_rule.relay_send.primary_connection_string,
  )
}

resource "azurerm_eventhub" "hubs" {
  for_each          = local.all_hubs
  name              = each.value
  namespace_id      = azurerm_eventhub_namespace.relay.id
  partition_count   = 1
  message_retention = 2
}

resource "azurerm_eventhub_namespace_authorization_rule" "relay_send" {
  name                = "relay-send"
  namespace_name      = azurerm_eventhub_namespace.relay.name
  resource_group_name = var.rg
  listen              = false
  send                = true
  manage              = false
}

resource "azurerm_container_group" "relay" {
  name                = "aci-waybill-relay"
  location            = var.location
  resource_group_name = var.rg
  ip_address_type     = "None"
  os_type             = "Linux"
  restart_policy      = "Always"

  container {
    name   = "relay"
    image  = "quay.io/debezium/server:3.6.0.Final"
    cpu    = "1.0"
    memory = "1.5"

    environment_variables = {
      DEBEZIUM_SINK_TYPE                                    = "kafka"
      DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS        = "${azurerm_eventhub_namespace.relay.name}.servicebus.windows.net:9093"
      DEBEZIUM_SINK_KAFKA_PRODUCER_SECURITY_PROTOCOL        = "SASL_SSL"
      DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_MECHANISM           = "PLAIN"
      DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER           = "org.apache.kafka.common.serialization.StringSerializer"
      DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER         = "org.apache.kafka.common.serialization.StringSerializer"
      DEBEZIUM_SINK_KAFKA_PRODUCER_ENABLE_IDEMPOTENCE       = "false"
      DEBEZIUM_SINK_KAFKA_WAIT_MESSAGE_DELIVERY_TIMEOUT_MS  = "45000"
      DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE                    = "false"
      DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE                  = "false"
      DEBEZIUM_SOURCE_CONNECTOR_CLASS                       = "io.debezium.connector.postgresql.PostgresConnector"
      DEBEZIUM_SOURCE_DATABASE_HOSTNAME                     = var.pg_host
      DEBEZIUM_SOURCE_DATABASE_PORT                         = tostring(var.pg_port)
      DEBEZIUM_SOURCE_DATABASE_USER                         = var.pg_relay_user
      DEBEZIUM_SOURCE_DATABASE_DBNAME                       = var.pg_db
      DEBEZIUM_SOURCE_DATABASE_SSLMODE                      = "require"
      DEBEZIUM_SOURCE_TOPIC_PREFIX                          = "freight"
      DEBEZIUM_SOURCE_PLUGIN_NAME                           = "pgoutput"
      DEBEZIUM_SOURCE_SLOT_NAME                             = "waybill_relay_cloud"
      DEBEZIUM_SOURCE_PUBLICATION_NAME                      = "waybill_relay_pub"
      DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE           = "disabled"
      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST                    = local.include_tables
      DEBEZIUM_SOURCE_COLUMN_EXCLUDE_LIST                   = "waybill_app.consignors.pin_hash"
      DEBEZIUM_SOURCE_SNAPSHOT_MODE                         = "when_needed"
      DEBEZIUM_SOURCE_PROVIDE_TRANSACTION_METADATA          = "true"
      DEBEZIUM_SOURCE_HEARTBEAT_INTERVAL_MS                 = "15000"
      DEBEZIUM_SOURCE_TOPIC_HEARTBEAT_NAME                  = "freight.alive.v1"
      DEBEZIUM_SOURCE_TOPIC_TRANSACTION                     = "tx.v1"
      DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE                  = "false"
      DEBEZIUM_SOURCE_OFFSET_STORAGE                        = "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_URL               = "jdbc:postgresql://${var.pg_host}:${var.pg_port}/${var.pg_db}?sslmode=require&currentSchema=relay_control"
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_USER              = var.pg_relay_user
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_OFFSET_TABLE_NAME = "relay_offsets"
      # names of transforms are lower case on purpose: variables are normalised to lower case
      DEBEZIUM_TRANSFORMS                                   = "toshipper,totariff,tobooking,toinvoice"
      DEBEZIUM_TRANSFORMS_TOSHIPPER_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_TOSHIPPER_TOPIC_REGEX             = "freight\\.waybill_app\\.(consignors|consignor_sites)"
      DEBEZIUM_TRANSFORMS_TOSHIPPER_TOPIC_REPLACEMENT       = local.area_hubs.shipper
      DEBEZIUM_TRANSFORMS_TOTARIFF_TYPE                     = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_TOTARIFF_TOPIC_REGEX              = "freight\\.waybill_app\\.(lanes|surcharges|fuel_index)"
      DEBEZIUM_TRANSFORMS_TOTARIFF_TOPIC_REPLACEMENT        = local.area_hubs.tariff
      DEBEZIUM_TRANSFORMS_TOBOOKING_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_TOBOOKING_TOPIC_REGEX             = "freight\\.waybill_app\\.(bookings|booking_legs)"
      DEBEZIUM_TRANSFORMS_TOBOOKING_TOPIC_REPLACEMENT       = local.area_hubs.booking
      DEBEZIUM_TRANSFORMS_TOINVOICE_TYPE                    = "io.debezium.transforms.ByLogicalTableRouter"
      DEBEZIUM_TRANSFORMS_TOINVOICE_TOPIC_REGEX             = "freight\\.waybill_app\\.freight_invoices"
      DEBEZIUM_TRANSFORMS_TOINVOICE_TOPIC_REPLACEMENT       = local.area_hubs.invoice
    }

    secure_environment_variables = {
      DEBEZIUM_SOURCE_DATABASE_PASSWORD             = var.pg_relay_password
      DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_PASSWORD  = var.pg_relay_password
      DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_JAAS_CONFIG = local.jaas
    }
  }

  depends_on = [azurerm_eventhub.hubs]
}
