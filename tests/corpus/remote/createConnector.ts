import { readEnvironment } from '../src/infra/common/env/readEnvironment';

readEnvironment();
import { settings } from '../src/infra/settings/settings';
import axios from 'axios';
import { inspect } from 'util';

(async (): Promise<void> => {
  try {
    const payload = connector();
    const { protocol, host, port } = settings.connect;
    const url = `${protocol}://${host}:${port}/connectors/`;
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json',
    };

    const response = await axios.post(url, payload, { headers });

    console.log(inspect({ response }, { depth: 15 }));
  } catch (e) {
    console.error('The connector was not created:', e);
  }

  function connector(): object {
    const { name, username, password, host, port } = settings.database;

    const headerMapping = [
      'row_id:header:messageId',
      'event_id:header:eventId',
      'event_name:header:eventName',
      'aggregate_id:header:aggregateId',
      'aggregate_name:header:aggregateName',
      'module_name:header:moduleName',
      'causation_id:header:causationId',
      'correlation_id:header:correlationId',
      'version:header:version',
      'created_at:header:createdAt',
    ].join(',');

    return {
      name: 'buying-price-outbox-connector',
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
        'topic.prefix': 'buying',
        'table.include.list': 'public.price_list_events',
        'tombstones.on.delete': 'false',
        transforms: 'outbox',
        'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
        'transforms.outbox.route.topic.replacement':
          settings.kafka.priceEventsTopic,
        'transforms.outbox.table.field.event.key': 'correlation_id',
        'transforms.outbox.table.field.event.type': 'event_name',
        'transforms.outbox.table.field.event.id': 'row_id',
        'transforms.outbox.table.field.event.payload': 'data',
        'transforms.outbox.route.by.field': 'module_name',
        'transforms.outbox.table.fields.additional.placement': headerMapping,
      },
    };
  }
})();
