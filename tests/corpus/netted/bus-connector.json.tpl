{
  "bootstrap.servers": "${kafka_brokers}",
  "acks": "all",

  "database.dbname": "${db_name}",
  "database.hostname": "${db_address}",
  "database.password": "${db_secret}",
  "database.port": "5432",
  "database.server.name": "${stage}",
  "database.user": "${db_user}",
  "heartbeat.action.query": "SET search_path TO public; DELETE FROM public.bus_outgoing_events WHERE created_at < now() - INTERVAL '2 days'; INSERT INTO public.bus_outgoing_events (id, partition_key, topic_name, event_json, created_at) VALUES (gen_random_uuid(), 'hb', '${beat_topic}', '{}', now());",
  "slot.name": "${slot}",

  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.initial.statements": "DO $$BEGIN IF NOT EXISTS(SELECT FROM pg_publication WHERE pubname = 'cdc_bus_events') THEN CREATE PUBLICATION cdc_bus_events FOR TABLE bus_outgoing_events WITH (publish = 'insert');; END IF;; END$$;",
  "errors.log.enable": "true",
  "errors.log.include.messages": "true",
  "heartbeat.interval.ms": "30000",
  "plugin.name": "pgoutput",
  "publication.name": "cdc_bus_events",
  "slot.drop.on.stop": "false",
  "snapshot.mode": "never",
  "table.whitelist": "public.bus_outgoing_events",

  "transforms": "onlyRouted,unwrap,pickTopic,pickKey,dropFields",

  "transforms.onlyRouted.type": "io.confluent.connect.transforms.Filter$Value",
  "transforms.onlyRouted.filter.condition": "$.after.topic_name",
  "transforms.onlyRouted.filter.type": "include",
  "transforms.onlyRouted.missing.or.null.behavior": "exclude",

  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",

  "transforms.pickTopic.type": "io.confluent.connect.transforms.ExtractTopic$Value",
  "transforms.pickTopic.field": "topic_name",

  "transforms.pickKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
  "transforms.pickKey.fields": "partition_key",

  "transforms.dropFields.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
  "transforms.dropFields.blacklist": "topic_name,partition_key",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
