import axios from 'axios';

const connect = axios.create({ baseURL: process.env.CONNECT_URL ?? 'http://localhost:8083' });

const json = {
  'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'key.converter.schemas.enable': 'false',
  'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable': 'false',
};

const source = {
  ...json,
  'connector.class': 'io.debezium.connector.mysql.MySqlConnector',
  'database.hostname': 'members-db',
  'database.user': process.env.MEMBERS_DB_USER,
  'database.password': process.env.MEMBERS_DB_PASSWORD,
  'database.server.id': '7301',
  'database.include.list': 'members',
  'table.include.list': 'members.profile',
  'topic.prefix': 'members',
  'schema.history.internal.kafka.bootstrap.servers': 'kafka:9092',
  'schema.history.internal.kafka.topic': 'members.ddl',
  transforms: 'unwrap',
  'transforms.unwrap.type': 'io.debezium.transforms.ExtractNewRecordState',
};

const sink = {
  ...json,
  'connector.class': 'com.mongodb.kafka.connect.MongoSinkConnector',
  topics: 'members.members.profile',
  'connection.uri': process.env.READ_MODEL_URI,
  database: 'readmodel',
  collection: 'profiles',
  'change.data.capture.handler': 'com.mongodb.kafka.connect.sink.cdc.debezium.rdbms.mysql.MysqlHandler',
};

export async function install(): Promise<void> {
  await connect.put('/connectors/members-source/config', source);
  await connect.put('/connectors/profiles-sink/config', sink);
}
