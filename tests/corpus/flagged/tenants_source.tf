resource "kafka-connect_connector" "tenants" {
  name = "tenants-source"

  config = {
    "name"              = "tenants-source"
    "connector.class"   = "io.debezium.connector.postgresql.PostgresConnector"
    "tasks.max"         = "1"
    "database.hostname" = var.pg_host
    "database.port"     = "5432"
    "database.user"     = var.pg_user
    "database.dbname"   = "tenancy"
    "topic.prefix"      = "tenancy"
    "plugin.name"       = "pgoutput"
    "slot.name"         = "tenancy_source"

    "publication.autocreate.mode" = "filtered"
    "table.include.list"          = "public.invoice,public.seat"

    # every row of a tenant on the same partition, whatever the primary key is
    "transforms"                                         = "byTenant"
    "transforms.byTenant.type"                           = "io.debezium.transforms.partitions.PartitionRouting"
    "transforms.byTenant.partition.payload.fields"       = "tenant_id"
    "transforms.byTenant.partition.topic.num"            = "12"
    "transforms.byTenant.partition.hash.function"        = "murmur"

    "topic.creation.default.partitions"         = "12"
    "topic.creation.default.replication.factor" = "3"

    "key.converter"                  = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "key.converter.schemas.enable"   = "false"
    "value.converter.schemas.enable" = "false"
  }

  config_sensitive = {
    "database.password" = var.pg_password
  }
}
