data "aiven_service_component" "registry" {
  project      = var.project
  service_name = aiven_kafka.roads.service_name
  component    = "schema_registry"
  route        = "dynamic"
}

data "aiven_service_component" "pg" {
  project      = var.project
  service_name = aiven_pg.roads.service_name
  component    = "pg"
  route        = "dynamic"
}

locals {
  registry_uri = "https://${data.aiven_kafka_user.admin.username}:${data.aiven_kafka_user.admin.password}@${data.aiven_service_component.registry.host}:${data.aiven_service_component.registry.port}"
}

resource "aiven_kafka_connector" "masts" {
  project        = var.project
  service_name   = aiven_kafka_connect.roads.service_name
  connector_name = "pg-masts"

  config = {
    "_aiven.restart.on.failure" : "true",
    "key.converter" : "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable" : "false",
    "value.converter" : "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url" : local.registry_uri,
    "value.converter.basic.auth.credentials.source" : "URL",
    "connector.class" : "io.debezium.connector.postgresql.PostgresConnector",
    "name" : "pg-masts",
    "slot.name" : "masts_slot",
    "publication.name" : "roads_pub",
    "database.hostname" : data.aiven_service_component.pg.host,
    "database.port" : data.aiven_service_component.pg.port,
    "database.user" : data.aiven_pg_user.admin.username,
    "database.password" : data.aiven_pg_user.admin.password,
    "database.dbname" : "defaultdb",
    "database.server.name" : "pg-masts",
    "table.whitelist" : "public.road_masts",
    "plugin.name" : "pgoutput",
    "database.sslmode" : "require",
    "transforms" : "unwrap,insertKey,extractKey",
    "transforms.unwrap.type" : "io.debezium.transforms.ExtractNewRecordState",
    "transforms.insertKey.type" : "org.apache.kafka.connect.transforms.ValueToKey",
    "transforms.insertKey.fields" : "mastid",
    "transforms.extractKey.type" : "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.extractKey.field" : "mastid",
    "include.schema.changes" : "false"
  }
  depends_on = [aiven_service_integration.connect]
}

resource "aiven_kafka_connector" "probes" {
  project        = var.project
  service_name   = aiven_kafka_connect.roads.service_name
  connector_name = "pg-probes"

  config = {
    "_aiven.restart.on.failure" : "true",
    "key.converter" : "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url" : local.registry_uri,
    "key.converter.basic.auth.credentials.source" : "URL",
    "value.converter" : "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url" : local.registry_uri,
    "value.converter.basic.auth.credentials.source" : "URL",
    "connector.class" : "io.debezium.connector.postgresql.PostgresConnector",
    "name" : "pg-probes",
    "slot.name" : "probes_slot",
    "publication.name" : "roads_pub",
    "database.hostname" : data.aiven_service_component.pg.host,
    "database.port" : data.aiven_service_component.pg.port,
    "database.user" : data.aiven_pg_user.admin.username,
    "database.password" : data.aiven_pg_user.admin.password,
    "database.dbname" : "defaultdb",
    "database.server.name" : "pg-probes",
    "table.whitelist" : "public.road_probes",
    "plugin.name" : "pgoutput",
    "database.sslmode" : "require",
    "transforms" : "route",
    "transforms.route.type" : "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.route.regex" : "pg-probes.public.road_probes",
    "transforms.route.replacement" : "road_probes",
    "include.schema.changes" : "false"
  }
  depends_on = [aiven_service_integration.connect]
}
