resource "azurerm_container_app" "cdc" {
  name                         = "heating-cdc"
  resource_group_name          = azurerm_resource_group.heating.name
  container_app_environment_id = azurerm_container_app_environment.heating.id
  revision_mode                = "Single"

  secret {
    name  = "pg-password"
    value = var.pg_password
  }

  template {
    min_replicas = 1
    max_replicas = 1

    volume {
      name         = "state"
      storage_type = "AzureFile"
      storage_name = azurerm_container_app_environment_storage.state.name
    }

    container {
      name   = "server"
      image  = "quay.io/debezium/server:3.4"
      cpu    = 0.5
      memory = "1Gi"

      volume_mounts {
        name = "state"
        path = "/debezium/data"
      }

      dynamic "env" {
        for_each = {
          DEBEZIUM_SINK_TYPE                           = "eventhubs"
          DEBEZIUM_SINK_EVENTHUBS_CONNECTIONSTRING     = "Endpoint=sb://heating-prod.servicebus.windows.net/;SharedAccessKeyName=cdc-send;SharedAccessKey=Vt3hQ8mZr1KcXw6yJbN0pLs9EaFdGu2iT7oRk5CvYxM="
          DEBEZIUM_SINK_EVENTHUBS_HUBNAME              = "heating"
          DEBEZIUM_FORMAT_KEY                          = "json"
          DEBEZIUM_FORMAT_VALUE                        = "json"
          DEBEZIUM_SOURCE_CONNECTOR_CLASS              = "io.debezium.connector.postgresql.PostgresConnector"
          DEBEZIUM_SOURCE_PLUGIN_NAME                  = "pgoutput"
          DEBEZIUM_SOURCE_DATABASE_HOSTNAME            = azurerm_postgresql_flexible_server.heating.fqdn
          DEBEZIUM_SOURCE_DATABASE_PORT                = "5432"
          DEBEZIUM_SOURCE_DATABASE_USER                = "cdc"
          DEBEZIUM_SOURCE_DATABASE_DBNAME              = "heating"
          DEBEZIUM_SOURCE_TOPIC_PREFIX                 = "heating"
          DEBEZIUM_SOURCE_SLOT_NAME                    = "heating_hub"
          DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE  = "filtered"
          DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST           = "public.boilers,public.faults"
          DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME = "/debezium/data/offsets.dat"
        }
        content {
          name  = env.key
          value = env.value
        }
      }

      env {
        name        = "DEBEZIUM_SOURCE_DATABASE_PASSWORD"
        secret_name = "pg-password"
      }
    }
  }
}
