data "aiven_service_component" "pg" {
  project      = var.project
  service_name = aiven_pg.yard.service_name
  component    = "pg"
  route        = "dynamic"
}

resource "aiven_kafka_connector" "berths" {
  project        = var.project
  service_name   = aiven_kafka_connect.yard.service_name
  connector_name = "cdc-berths"

  config = {
    "_aiven.restart.on.failure" : "true",
    "name" : "cdc-berths",
    "connector.class" : "io.debezium.connector.postgresql.PostgresConnector",
    "key.converter" : "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable" : "false",
    "value.converter" : "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url" : local.registry_uri,
    "value.converter.basic.auth.credentials.source" : "URL",
    "slot.name" : "berths_slot",
    "publication.name" : "yard_publication",
    "database.hostname" : data.aiven_service_component.pg.host,
    "database.port" : data.aiven_service_component.pg.port,
    "database.user" : data.aiven_pg_user.admin.username,
    "database.password" : data.aiven_pg_user.admin.password,
    "database.dbname" : "defaultdb",
    "database.server.name" : "yard-berths",
    "table.whitelist" : "public.berths",
    "plugin.name" : "pgoutput",
    "database.sslmode" : "require",
    "transforms" : "unwrap,addKey,plainKey",
    "transforms.unwrap.type" : "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones" : "false",
    "transforms.addKey.type" : "org.apache.kafka.connect.transforms.ValueToKey",
    "transforms.addKey.fields" : "berthid",
    "transforms.plainKey.type" : "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.plainKey.field" : "berthid"
  }
  depends_on = [aiven_service_integration.yard_connect]
}

resource "aiven_kafka_connector" "redis" {
  project        = var.project
  service_name   = aiven_kafka_connect.yard.service_name
  connector_name = "redis-sink"
  config = {
    "name" : "redis-sink",
    "connector.class" : "com.datamountaineer.streamreactor.connect.redis.sink.RedisSinkConnector",
    "key.converter" : "org.apache.kafka.connect.storage.StringConverter",
    "value.converter" : "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url" : local.registry_uri,
    "value.converter.basic.auth.credentials.source" : "URL",
    "topics" : aiven_kafka_topic.berth_states.topic_name,
    "connect.redis.host" : aiven_redis.cache.service_host,
    "connect.redis.port" : aiven_redis.cache.service_port,
    "connect.redis.password" : aiven_redis.cache.service_password,
    "connect.redis.ssl.enabled" : "true",
    "connect.redis.kcql" : "INSERT INTO berth- SELECT * FROM ${aiven_kafka_topic.berth_states.topic_name} PK berthid"
  }
}
