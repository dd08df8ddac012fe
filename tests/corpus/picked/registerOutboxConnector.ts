#!/usr/bin/env tsx
/**
 * Registers the outbox connector of the sample on a local Kafka Connect.
 *
 * Table (PostgreSQL):
 *   create table public.outbox_records (
 *     id           uuid primary key,
 *     aggregate_id text  not null,
 *     event_type   text  not null,
 *     topic        text  not null,
 *     payload      jsonb not null
 *   );
 *
 * TODO: status says RUNNING, but not one message arrives. Why?
 */
type ConnectorRequest = { name: string; config: Record<string, string> };

const OUTBOX: ConnectorRequest = {
  name: 'sample-outbox',
  config: {
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max': '1',
    'database.hostname': 'postgres',
    'database.port': '5432',
    'database.user': 'postgres',
    'database.password': 'postgres',
    'database.dbname': 'sample',
    'topic.prefix': 'sample',
    'table.include.list': 'outbox_records',
    'tombstones.on.delete': 'false',
    'plugin.name': 'pgoutput',
    'publication.name': 'dbz_publication',
    'slot.name': 'sample_outbox_slot',

    // router
    'transforms': 'outbox',
    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.field.event.id': 'id',
    'transforms.outbox.table.field.event.key': 'id', // keeps the events of one aggregate in order
    'transforms.outbox.table.field.event.payload': 'payload',
    'transforms.outbox.table.field.event.type': 'event_type',
    'transforms.outbox.route.by.field': 'topic',
    'transforms.outbox.route.topic.replacement': '${routedByValue}',

    // converters
    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'key.converter.schemas.enable': 'false',
    'value.converter.schemas.enable': 'false',
  },
};

async function register(base: string, request: ConnectorRequest): Promise<void> {
  const there = await fetch(`${base}/connectors/${request.name}`);
  const answer = there.ok
    ? await fetch(`${base}/connectors/${request.name}/config`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(request.config),
      })
    : await fetch(`${base}/connectors`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(request),
      });
  if (!answer.ok) {
    throw new Error(`${answer.status}: ${await answer.text()}`);
  }
}

register(process.env.CONNECT_URL ?? 'http://localhost:8083', OUTBOX).catch((e) => {
  console.error(e);
  process.exit(1);
});
