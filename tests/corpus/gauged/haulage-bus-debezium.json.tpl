{
  "bootstrap.servers": "${kafka_brokers}",
  "acks": "all",

  "database.dbname": "${db_name}",
  "database.hostname": "${db_host}",
  "database.password": "${db_secret}",
  "database.port": "5432",
  "database.server.name": "${stage}",
  "database.user": "${db_login}",
  "heartbeat.action.query": "${beat_query}",
  "heartbeat.interval.ms": "30000",

  "behavior.on.null.values": "delete",
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "errors.log.enable": "true",
  "errors.log.include.messages": "true",
  "plugin.name": "pgoutput",
  "publication.name": "${pub_name}",
  "slot.name": "${slot}",
  "slot.drop.on.stop": "false",
  "snapshot.mode": "never",

  "table.whitelist": "public.${freight_events_table}",
  "transforms": "needTopic,unwrap,topicFromColumn,keyFromColumn,dropColumns",

  "transforms.needTopic.type": "io.confluent.connect.transforms.Filter$Value",
  "transforms.needTopic.filter.condition": "$.after.topic_name",
  "transforms.needTopic.filter.type": "include",
  "transforms.needTopic.missing.or.null.behavior": "exclude",

  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.unwrap.drop.tombstones": "true",

  "transforms.topicFromColumn.type": "io.confluent.connect.transforms.ExtractTopic$Value",
  "transforms.topicFromColumn.field": "topic_name",

  "transforms.keyFromColumn.type": "org.apache.kafka.connect.transforms.ValueToKey",
  "transforms.keyFromColumn.fields": "partition_key",

  "transforms.dropColumns.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
  "transforms.dropColumns.blacklist": "topic_name,partition_key",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
