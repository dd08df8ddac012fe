export interface SourceForm {
  hostname: string;
  port: number;
  user: string;
  password: string;
  dbname: string;
  connectorName: string;
}

export interface OutboxConnector {
  name: string;
  config: {
    'connector.class': string;
    'plugin.name': string;
    'database.hostname': string;
    'database.port': number;
    'database.user': string;
    'database.password': string;
    'database.dbname': string;
    'table.include.list': string;
    'slot.name': string;
    'topic.prefix': string;
  };
}

// {
//   "name": "venue-connector-mika",
//   "config": {
//           "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
//           "plugin.name": "pgoutput",
//           "database.hostname": "venues-2.c1xq8zzpl4td.eu-central-1.rds.amazonaws.com",
//           "database.port": 5432,
//           "database.user": "postgres",
//           "database.password": "harborTeam7",
//           "database.dbname": "venues",
//           "database.server.name": "postgres",
//           "table.include.list": "public.outbox",
//           "slot.name": "debezium_slot_mika",
//           "topic.prefix": "app",
//           "transforms": "outbox",
//           "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
//           "transforms.outbox.route.topic.replacement": "venues",
//           "transforms.outbox.table.fields.additional.placement": "type:envelope:type",
//           "transforms.outbox.table.expand.json.payload": "true",
//           "value.converter": "org.apache.kafka.connect.storage.StringConverter",
//           "heartbeat.action.query": "INSERT INTO heartbeat (timestamp,hostname) VALUES (now(), 'mika')",
//           "heartbeat.interval.ms": 300000,
//           "publication.name": "dbz_publication"
//   }
// }
