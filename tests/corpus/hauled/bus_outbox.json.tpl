{
  "bootstrap.servers": "${brokers}",
  "acks": "all",

  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${pg_address}",
  "database.port": "5432",
  "database.dbname": "${pg_database}",
  "database.user": "${pg_user}",
  "database.password": "${pg_password}",
  "database.server.name": "${environment}",
  "database.initial.statements": "DO $$BEGIN IF NOT EXISTS(SELECT FROM pg_publication WHERE pubname = 'bus_events') THEN CREATE PUBLICATION bus_events FOR TABLE bus_outgoing WITH (publish = 'insert');; END IF;; END$$;",

  "plugin.name": "pgoutput",
  "publication.name": "bus_events",
  "slot.name": "${slot_name}",
  "slot.drop.on.stop": "false",
  "snapshot.mode": "never",
  "table.whitelist": "public.bus_outgoing",

  "heartbeat.interval.ms": "30000",
  "heartbeat.action.query": "DELETE FROM public.bus_outgoing WHERE created_at < now() - INTERVAL '2 days'; INSERT INTO public.bus_outgoing (id, shard, destination, body, created_at) VALUES (gen_random_uuid(), 'beat', '${heartbeat_topic}', '{}', now());",

  "errors.log.enable": "true",
  "errors.log.include.messages": "true",

  "transforms": "hasDestination,unwrap,toTopic,toKey,strip",

  "transforms.hasDestination.type": "io.confluent.connect.transforms.Filter$Value",
  "transforms.hasDestination.filter.condition": "$.after.destination",
  "transforms.hasDestination.filter.type": "include",
  "transforms.hasDestination.missing.or.null.behavior": "exclude",

  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",

  "transforms.toTopic.type": "io.confluent.connect.transforms.ExtractTopic$Value",
  "transforms.toTopic.field": "destination",

  "transforms.toKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
  "transforms.toKey.fields": "shard",

  "transforms.strip.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
  "transforms.strip.blacklist": "destination,shard",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
