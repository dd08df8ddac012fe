{
  "bootstrap.servers": "${brokers}",
  "acks": "all",

  "database.dbname": "${db_name}",
  "database.hostname": "${db_host}",
  "database.password": "${db_password}",
  "database.port": "5432",
  "database.server.name": "${stream_name}",
  "database.user": "${db_user}",
  "heartbeat.action.query": "${beat_sql}",
  "heartbeat.interval.ms": "20000",

  "behavior.on.null.values": "delete",
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "errors.log.enable": "true",
  "errors.log.include.messages": "true",
  "plugin.name": "pgoutput",
  "publication.name": "${publication}",
  "slot.name": "${slot}",
  "slot.drop.on.stop": "false",
  "snapshot.mode": "never",

  "table.whitelist": "public.${notices_table}",
  "transforms": "onlyRouted,flat,toTopic,toKey,tidy",

  "transforms.onlyRouted.type": "io.confluent.connect.transforms.Filter$Value",
  "transforms.onlyRouted.filter.condition": "$.after.target_topic",
  "transforms.onlyRouted.filter.type": "include",
  "transforms.onlyRouted.missing.or.null.behavior": "exclude",

  "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.flat.drop.tombstones": "true",

  "transforms.toTopic.type": "io.confluent.connect.transforms.ExtractTopic$Value",
  "transforms.toTopic.field": "target_topic",

  "transforms.toKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
  "transforms.toKey.fields": "shard_key",

  "transforms.tidy.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
  "transforms.tidy.blacklist": "target_topic,shard_key",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
