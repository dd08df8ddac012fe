# Two teams, one database: appointments go to scheduling, invoices to accounting. Each team has its own
# connector so that one can be stopped without the other.
provider "kafka-connect" {
  url = "http://connect.clinic.internal:8083"
}

variable "clinic_db_password" {
  type      = string
  sensitive = true
}

locals {
  clinic_db = {
    "connector.class"            = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                  = "1"
    "plugin.name"                = "pgoutput"
    "database.hostname"          = "clinic-db.internal"
    "database.port"              = "5432"
    "database.dbname"            = "clinic"
    "database.user"              = "cdc_clinic"
    "publication.name"           = "clinic_cdc"
    "publication.autocreate.mode" = "disabled"
  }
}

resource "kafka-connect_connector" "scheduling" {
  name = "clinic-scheduling"
  config = merge(local.clinic_db, {
    "name"               = "clinic-scheduling"
    "topic.prefix"       = "scheduling"
    "table.include.list" = "public.appointment,public.room"
  })
  config_sensitive = { "database.password" = var.clinic_db_password }
}

resource "kafka-connect_connector" "accounting" {
  name = "clinic-accounting"
  config = merge(local.clinic_db, {
    "name"               = "clinic-accounting"
    "topic.prefix"       = "accounting"
    "table.include.list" = "public.invoice,public.invoice_line"
  })
  config_sensitive = { "database.password" = var.clinic_db_password }
}
