/**
 * Registers the connector for tests and local work,
 * so that nobody has to call the REST interface by hand.
 */
const fetch = global.fetch || require('cross-fetch');
import { logInfo, logSuccess, logError } from './logger';

const DEFAULT_CONFIG = {
  name: 'outbox-connector',
  config: {
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max': '1',
    'database.hostname': 'localhost',
    'database.port': '5432',
    'database.user': 'postgres',
    'database.password': 'postgres',
    'database.dbname': 'parcels',
    'topic.prefix': 'parcels',
    'table.include.list': 'public.outbox_events',
    'tombstones.on.delete': 'false',
    'plugin.name': 'pgoutput',
    'publication.name': 'dbz_publication',
    'slot.name': 'debezium_slot',

    // event router
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

async function registerConnector(
  connectUrl: string = 'http://localhost:8083',
  config: any = DEFAULT_CONFIG
): Promise<void> {
  logInfo(`registering ${config.name} at ${connectUrl}`);
  const response = await fetch(`${connectUrl}/connectors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(config)
  });
  if (!response.ok) {
    logError(await response.text());
    return;
  }
  logSuccess('registered');
}

registerConnector();
