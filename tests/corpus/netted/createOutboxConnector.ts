import axios from 'axios';
import { loadEnvironment } from '../src/shared/loadEnvironment';

loadEnvironment();
import { config } from '../src/config/config';

(async (): Promise<void> => {
  try {
    const { protocol, host, port } = config.connect;
    await axios.post(`${protocol}://${host}:${port}/connectors/`, body(), {
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    });
  } catch (e) {
    console.error('connector not created:', e);
  }

  function body(): object {
    const { name, username, password, host, port } = config.db;

    const headers = [
      'seq:header:messageId',
      'event_id:header:eventId',
      'event_name:header:eventName',
      'entity_id:header:entityId',
      'bounded_context:header:boundedContext',
      'caused_by:header:causedBy',
      'version:header:version',
      'stored_at:header:storedAt',
    ].join(',');

    return {
      name: 'pricing-outbox-connector',
      config: {
        'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
        'plugin.name': 'pgoutput',
        'tasks.max': '1',
        'database.hostname': host,
        'database.server.name': host,
        'database.port': port,
        'database.user': username,
        'database.password': password,
        'database.dbname': name,
        'topic.prefix': 'pricing',
        'table.include.list': 'public.price_week_events',
        'tombstones.on.delete': 'false',
        transforms: 'outbox',
        'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
        'transforms.outbox.route.topic.replacement': config.kafka.priceEventsTopic,
        'transforms.outbox.table.field.event.key': 'flow_id',
        'transforms.outbox.table.field.event.type': 'event_name',
        'transforms.outbox.table.field.event.id': 'seq',
        'transforms.outbox.table.field.event.payload': 'data',
        'transforms.outbox.route.by.field': 'bounded_context',
        'transforms.outbox.table.fields.additional.placement': headers,
      },
    };
  }
})();
