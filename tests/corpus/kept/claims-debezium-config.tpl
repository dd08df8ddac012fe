{
  "acks": "all",
  "bootstrap.servers": "${kafka_brokers}",

  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${db_address}",
  "database.port": "5432",
  "database.dbname": "${db_name}",
  "database.user": "${db_user}",
  "database.password": "${db_password}",
  "database.server.name": "${connection_name}",

  "plugin.name": "pgoutput",
  "publication.name": "${publication_name}",
  "slot.name": "${slot_name}",
  "slot.drop.on.stop": "false",
  "snapshot.mode": "never",
  "table.whitelist": "public.${claim_events_table}",

  "heartbeat.interval.ms": "30000",
  "heartbeat.action.query": "${heartbeat_query}",

  "behavior.on.null.values": "delete",
  "errors.log.enable": "true",
  "errors.log.include.messages": "true",

  "transforms": "requireTopic,unwrap,topicFromRow,keyFromRow,dropFields",

  "transforms.requireTopic.type": "io.confluent.connect.transforms.Filter$Value",
  "transforms.requireTopic.filter.condition": "$.after.topic_name",
  "transforms.requireTopic.filter.type": "include",
  "transforms.requireTopic.missing.or.null.behavior": "exclude",

  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.unwrap.drop.tombstones": "true",

  "transforms.topicFromRow.type": "io.confluent.connect.transforms.ExtractTopic$Value",
  "transforms.topicFromRow.field": "topic_name",

  "transforms.keyFromRow.type": "org.apache.kafka.connect.transforms.ValueToKey",
  "transforms.keyFromRow.fields": "partition_key",

  "transforms.dropFields.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
  "transforms.dropFields.blacklist": "topic_name,partition_key",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
