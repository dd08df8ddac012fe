# Reads from the secondary of the availability group
resource "kafka-connect_connector" "pension" {
  name = "pension-cdc"
  config = {
    "name"                                            = "pension-cdc"
    "connector.class"                                 = "io.debezium.connector.sqlserver.SqlServerConnector"
    "tasks.max"                                       = "1"
    "database.hostname"                               = "pension-ag-listener"
    "database.port"                                   = "1433"
    "database.user"                                   = var.pension_user
    "database.names"                                  = "Pension"
    "driver.applicationIntent"                        = "ReadOnly"
    "driver.multiSubnetFailover"                      = "true"
    "driver.trustServerCertificate"                   = "true"
    "snapshot.isolation.mode"                         = "snapshot"
    "snapshot.locking.mode"                           = "none"
    "topic.prefix"                                    = "pension"
    "table.include.list"                              = "dbo.Contract,dbo.Payment"
    "schema.history.internal.kafka.bootstrap.servers" = var.bootstrap
    "schema.history.internal.kafka.topic"             = "pension.history"
  }
  config_sensitive = {
    "database.password" = var.pension_password
  }
}
