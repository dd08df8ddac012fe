import axios from 'axios';
import { readEnvironment } from '../src/shared/environment';

readEnvironment();
import { settings } from '../src/shared/settings';

const headerPlacement = [
  'sequence:header:messageId',
  'event_id:header:eventId',
  'event_name:header:eventName',
  'aggregate_id:header:aggregateId',
  'aggregate_name:header:aggregateName',
  'context_name:header:contextName',
  'causation_id:header:causationId',
  'correlation_id:header:correlationId',
  'version:header:version',
  'created_at:header:createdAt',
].join(',');

function connector(): object {
  const { host, port, database, login, secret } = settings.postgres;
  return {
    name: 'rent-contract-outbox',
    config: {
      'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
      'plugin.name': 'pgoutput',
      'tasks.max': '1',
      'database.hostname': host,
      'database.server.name': host,
      'database.port': port,
      'database.user': login,
      'database.password': secret,
      'database.dbname': database,
      'topic.prefix': 'prefix',
      'table.include.list': 'public.contract_events',
      'tombstones.on.delete': 'false',
      transforms: 'outbox',
      'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
      'transforms.outbox.route.topic.replacement': settings.kafka.contractTopic,
      'transforms.outbox.table.field.event.key': 'correlation_id',
      'transforms.outbox.table.field.event.type': 'event_name',
      'transforms.outbox.table.field.event.id': 'sequence',
      'transforms.outbox.table.field.event.payload': 'data',
      'transforms.outbox.route.by.field': 'context_name',
      'transforms.outbox.table.fields.additional.placement': headerPlacement,
    },
  };
}

axios
  .post(`${settings.connect.url}/connectors/`, connector(), { headers: { 'Content-Type': 'application/json' } })
  .then((r) => console.log(r.status))
  .catch((e) => console.error('not created', e.message));
