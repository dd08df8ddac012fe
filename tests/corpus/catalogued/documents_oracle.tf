terraform {
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "~> 0.4"
    }
  }
}

variable "oracle_password" {
  type      = string
  sensitive = true
}

resource "kafka-connect_connector" "documents" {
  name = "documents-oracle"

  config = {
    "name"            = "documents-oracle"
    "connector.class" = "io.debezium.connector.oracle.OracleConnector"
    "tasks.max"       = "1"

    "database.hostname" = "documents-db.internal"
    "database.port"     = "1521"
    "database.user"     = "C##DBZ"
    "database.dbname"   = "DOCCDB"
    "database.pdb.name" = "DOCPDB"
    "topic.prefix"      = "documents"

    # scans are CLOBs, so LOB mining has to be on
    "table.include.list"  = "DOCS.SCAN,DOCS.SCAN_PAGE"
    "lob.enabled"         = "true"
    "log.mining.strategy" = "hybrid"
    "snapshot.mode"       = "no_data"

    "schema.history.internal.kafka.bootstrap.servers" = "kafka:9092"
    "schema.history.internal.kafka.topic"             = "documents.history"
  }

  config_sensitive = {
    "database.password" = var.oracle_password
  }
}
