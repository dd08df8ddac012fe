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
    'transforms': string;
    'transforms.outbox.type': string;
    'transforms.outbox.route.topic.replacement': string;
    'transforms.outbox.table.fields.additional.placement': string;
    'transforms.outbox.table.expand.json.payload': string;
    'value.converter': string;
    'heartbeat.action.query': string;
    'heartbeat.interval.ms': number;
    'publication.name': string;
  };
}

// What a filled form becomes (copied from the request that worked on the shared instance):
// {
//   "name": "shop-source-marta",
//   "config": {
//     "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
//     "plugin.name": "pgoutput",
//     "database.hostname": "pg-shared-1.eu-west.db.example.org",
//     "database.port": 5432,
//     "database.user": "relay_admin",
//     "database.password": "Teal7Harbour",
//     "database.dbname": "shop",
//     "table.include.list": "public.outbox",
//     "slot.name": "relay_slot_marta",
//     "topic.prefix": "relay",
//     "transforms": "outbox",
//     "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
//     "transforms.outbox.route.topic.replacement": "purchases",
//     "transforms.outbox.table.fields.additional.placement": "type:envelope:type",
//     "transforms.outbox.table.expand.json.payload": "true",
//     "value.converter": "org.apache.kafka.connect.storage.StringConverter",
//     "heartbeat.action.query": "INSERT INTO heartbeat (at, who) VALUES (now(), 'marta')",
//     "heartbeat.interval.ms": 240000,
//     "publication.name": "relay_publication"
//   }
// }
