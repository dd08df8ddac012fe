{
  "bootstrap.servers": "${brokers}",
  "acks": "all",

  "database.dbname": "${db_name}",
  "database.hostname": "${db_address}",
  "database.password": "${db_password}",
  "database.port": "5432",
  "database.server.name": "${connection_name}",
  "database.user": "${db_user}",
  "heartbeat.action.query": "${heartbeat_sql}",
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

  "table.whitelist": "public.${events_table}",
  "transforms": "hasTopic,unwrap,takeTopic,takeKey,dropColumns",

  "transforms.hasTopic.type": "io.confluent.connect.transforms.Filter$Value",
  "transforms.hasTopic.filter.condition": "$.after.target_topic",
  "transforms.hasTopic.filter.type": "include",
  "transforms.hasTopic.missing.or.null.behavior": "exclude",

  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.unwrap.drop.tombstones": "true",

  "transforms.takeTopic.type": "io.confluent.connect.transforms.ExtractTopic$Value",
  "transforms.takeTopic.field": "target_topic",

  "transforms.takeKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
  "transforms.takeKey.fields": "ordering_key",

  "transforms.dropColumns.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
  "transforms.dropColumns.blacklist": "target_topic,ordering_key",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
