import axios from 'axios';
import { settings } from '../settings.js';

const headers = [
  ['message_name', 'name'],
  ['correlation_id', 'correlationId'],
  ['causation_id', 'causationId'],
  ['tenant', 'tenant'],
];

const additionalPlacement = headers.map(([column, header]) => `${column}:header:${header}`).join(',');

function definition({ host, port, username, password, database }) {
  return {
    name: 'menu-dish-outbox',
    config: {
      'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
      'plugin.name': 'pgoutput',
      'tasks.max': '1',
      'database.hostname': host,
      'database.server.name': host,
      'database.port': port,
      'database.user': username,
      'database.password': password,
      'database.dbname': database,
      'topic.prefix': 'menu',
      'table.include.list': 'public.menu_dish_outbox_messages',
      'tombstones.on.delete': 'false',
      'transforms': 'outbox',
      'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
      'transforms.outbox.route.topic.replacement': settings.kafka.dishesTopic,
      'transforms.outbox.table.field.event.key': 'dish_id',
      'transforms.outbox.table.field.event.type': 'message_name',
      'transforms.outbox.table.field.event.id': 'message_id',
      'transforms.outbox.table.field.event.payload': 'data',
      'transforms.outbox.route.by.field': 'context_name',
      'transforms.outbox.table.fields.additional.placement': additionalPlacement,
    },
  };
}

const url = `${settings.connect.url}/connectors`;
const { data: present } = await axios.get(url);
const wanted = definition(settings.database);
if (!present.includes(wanted.name)) {
  await axios.post(url, wanted);
}
