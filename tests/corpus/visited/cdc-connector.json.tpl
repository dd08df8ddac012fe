{
  "bootstrap.servers": "${brokers}",
  "acks": "all",

  "database.dbname": "${db_name}",
  "database.hostname": "${db_address}",
  "database.password": "${db_password}",
  "database.port": "5432",
  "database.server.name": "${link_name}",
  "database.user": "${db_user}",
  "database.initial.statements": "${init_statements}",
  "heartbeat.action.query": "${beat_query}",
  "heartbeat.interval.ms": "30000",

  "behavior.on.null.values": "delete",
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "errors.log.enable": "true",
  "errors.log.include.messages": "true",
  "plugin.name": "pgoutput",
  "publication.name": "${publication}",
  "slot.name": "${slot}",
  "slot.drop.on.stop": "false",
  "snapshot.mode": "never",

  "table.whitelist": "public.${messages_table}",
  "transforms": "needTopic,unwrap,toTopic,toKey,dropColumns",

  "transforms.needTopic.type": "io.confluent.connect.transforms.Filter$Value",
  "transforms.needTopic.filter.condition": "$.after.topic_name",
  "transforms.needTopic.filter.type": "include",
  "transforms.needTopic.missing.or.null.behavior": "exclude",

  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.unwrap.drop.tombstones": "true",

  "transforms.toTopic.type": "io.confluent.connect.transforms.ExtractTopic$Value",
  "transforms.toTopic.field": "topic_name",

  "transforms.toKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
  "transforms.toKey.fields": "partition_key",

  "transforms.dropColumns.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
  "transforms.dropColumns.blacklist": "topic_name,partition_key",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
