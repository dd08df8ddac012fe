/** Puts the connector of the gym demo, for a laptop. */
const fetch = global.fetch || require('cross-fetch');
import { info, good, bad } from './log';

const GYM_CONNECTOR = {
  name: 'gym-outbox',
  config: {
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max': '1',
    'database.hostname': 'localhost',
    'database.port': '5432',
    'database.user': 'postgres',
    'database.password': 'postgres',
    'database.dbname': 'gym',
    'topic.prefix': 'gym',
    'table.include.list': 'public.outbox_events',
    'tombstones.on.delete': 'false',
    'plugin.name': 'pgoutput',
    'publication.name': 'dbz_publication',
    'slot.name': 'debezium_slot',

    // router
    'transforms': 'outbox',
    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.field.event.id': 'id',
    'transforms.outbox.table.field.event.key': 'id',
    'transforms.outbox.table.field.event.payload': 'payload',
    'transforms.outbox.table.field.event.type': 'event_type',
    'transforms.outbox.topic.property.name': 'topic',
    'transforms.outbox.route.by.field': 'topic',
    'transforms.outbox.route.topic.replacement': '${routedByValue}',

    // converters
    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'key.converter.schemas.enable': 'false',
    'value.converter.schemas.enable': 'false'
  }
};

export async function register(url = 'http://localhost:8083', body: any = GYM_CONNECTOR): Promise<void> {
  info(`${body.name} -> ${url}`);
  const there = await fetch(`${url}/connectors/${body.name}`);
  if (there.status === 200) {
    good('already there');
    return;
  }
  const res = await fetch(`${url}/connectors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body)
  });
  if (!res.ok) {
    bad(await res.text());
    throw new Error('no connector');
  }
  good('added');
}
