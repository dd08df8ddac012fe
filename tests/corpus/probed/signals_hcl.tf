resource "kafka-connect_connector" "roster" {
  name = "roster-mssql"

  config = {
    "name"                     = "roster-mssql"
    "connector.class"          = "io.debezium.connector.sqlserver.SqlServerConnector"
    "database.hostname"        = var.mssql_host
    "database.port"            = "1433"
    "database.user"            = var.mssql_user
    "database.names"           = "Roster"
    "database.encrypt"         = "true"
    "database.trustServerCertificate" = "true"
    "topic.prefix"             = "roster"
    "table.include.list"       = "plan.Shifts,plan.Absences,cdc_ops.Signals"
    "snapshot.isolation.mode"  = "snapshot"
    # ad hoc snapshots: by the table, and by the topic for the night team
    "signal.enabled.channels"  = "source,kafka"
    "signal.data.collection"   = "Roster.cdc_ops.Signals"
    "signal.kafka.topic"       = "roster.signals"
    "schema.history.internal.kafka.bootstrap.servers" = var.brokers
    "schema.history.internal.kafka.topic"             = "roster.schema-history"
  }

  config_sensitive = {
    "database.password" = var.mssql_password
  }
}
