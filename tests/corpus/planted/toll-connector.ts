// Applies the connector of the toll gantries; run by the deployment job.
import axios from 'axios';
import { loadSecret } from './secrets';

const connectUrl = process.env.CONNECT_URL ?? 'http://connect:8083';
const stage = process.env.STAGE ?? 'dev';

async function buildConfig(): Promise<Record<string, string>> {
  const db = await loadSecret(`toll/${stage}/cdc`);
  return {
    'connector.class': 'io.debezium.connector.mysql.MySqlConnector',
    'tasks.max': '1',
    'database.hostname': db.host,
    'database.port': '3306',
    'database.user': db.username,
    'database.password': db.password,
    'database.server.id': '90311',
    'topic.prefix': `toll-${stage}`,
    'database.include.list': 'toll',
    'table.include.list': 'toll.outbox_events',
    'schema.history.internal.kafka.bootstrap.servers': process.env.KAFKA_BROKERS ?? 'kafka:9092',
    'schema.history.internal.kafka.topic': `toll-${stage}.history`,
    'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter.schemas.enable': 'false',
    transforms: 'outbox',
    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.expand.json.payload': 'true',
    'transforms.outbox.table.fields.additional.placement': 'type:header:eventType',
    'transforms.outbox.route.topic.replacement': `toll.${stage}.${routedByValue}`,
  };
}

export async function applyConnector(): Promise<void> {
  const config = await buildConfig();
  const name = `toll-${stage}-outbox`;
  await axios.put(`${connectUrl}/connectors/${name}/config`, config);
  console.log(`applied ${name}`);
}
