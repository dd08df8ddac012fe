#!/usr/bin/env tsx
/** Registers the outbox connector of the recipe service for local work and tests. */
import { info, ok, fail } from './log';

/*
 * model OutboxMessage {
 *   id         String   @id @default(uuid())
 *   topic      String
 *   event_type String
 *   payload    Json
 *   @@map("outbox_messages")
 * }
 */
const CONNECTOR = {
  name: 'recipe-outbox',
  config: {
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max': '1',
    'database.hostname': 'localhost',
    'database.port': '5432',
    'database.user': 'postgres',
    'database.password': 'postgres',
    'database.dbname': 'recipes',
    'topic.prefix': 'recipes',
    'table.include.list': 'public.outbox_messages',
    'tombstones.on.delete': 'false',
    'plugin.name': 'pgoutput',
    'publication.name': 'recipe_pub',
    'slot.name': 'recipe_slot',

    transforms: 'outbox',
    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.field.event.id': 'id',
    'transforms.outbox.table.field.event.key': 'id',
    'transforms.outbox.table.field.event.payload': 'payload',
    'transforms.outbox.table.field.event.type': 'event_type',
    'transforms.outbox.topic.property.name': 'topic',
    'transforms.outbox.route.by.field': 'topic',
    'transforms.outbox.route.topic.replacement': '${routedByValue}',

    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'key.converter.schemas.enable': 'false',
    'value.converter.schemas.enable': 'false',
  },
};

async function run(url = process.env.CONNECT_URL ?? 'http://localhost:8083') {
  const known = await fetch(`${url}/connectors/${CONNECTOR.name}`);
  if (known.ok) {
    info(`${CONNECTOR.name} exists, removing it`);
    await fetch(`${url}/connectors/${CONNECTOR.name}`, { method: 'DELETE' });
    await new Promise((r) => setTimeout(r, 2000));
  }
  const res = await fetch(`${url}/connectors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(CONNECTOR),
  });
  if (!res.ok) {
    fail(await res.text());
    process.exit(1);
  }
  ok(`registered ${CONNECTOR.name}`);
}

// consumer side: JSON.parse(message.value!.toString()).ingredients
run();
