# Claims: topics are declared here, the brokers do not make any on their own
resource "aws_msk_configuration" "claims" {
  name           = "claims"
  kafka_versions = ["3.8.x"]
  server_properties = <<-PROPERTIES
    auto.create.topics.enable=false
    default.replication.factor=3
    min.insync.replicas=2
  PROPERTIES
}

resource "kafka_topic" "events" {
  for_each           = toset(["claim", "payout", "policy"])
  name               = "claims.events.${each.key}"
  partitions         = 12
  replication_factor = 3
  config = {
    "retention.ms" = "1209600000"
  }
}

resource "postgresql_publication" "outbox" {
  name     = "claims_outbox"
  database = "claims"
  tables   = ["public.outbox"]

  publish_param = ["insert"]
}

# workers of our own on EKS, image with Debezium 3.0; topic.creation.enable is left at its default
resource "kafka-connect_connector" "claims_outbox" {
  name = "claims-outbox"

  config = {
    "name"                        = "claims-outbox"
    "connector.class"             = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"                   = "1"
    "database.hostname"           = var.claims_db_host
    "database.port"               = "5432"
    "database.user"               = "claims_cdc"
    "database.dbname"             = "claims"
    "topic.prefix"                = "claims"
    "plugin.name"                 = "pgoutput"
    "slot.name"                   = "claims_outbox"
    "publication.name"            = postgresql_publication.outbox.name
    "publication.autocreate.mode" = "disabled"
    "table.include.list"          = "public.outbox"

    "transforms"                                = "outbox"
    "transforms.outbox.type"                    = "io.debezium.transforms.outbox.EventRouter"
    "transforms.outbox.route.topic.replacement" = "claims.event.$${routedByValue}"

    "key.converter"   = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter" = "org.apache.kafka.connect.storage.StringConverter"
  }

  config_sensitive = {
    "database.password" = var.claims_cdc_password
  }
}
