export interface RelayTarget {
  readonly service: string;
  readonly dbHost: string;
  readonly dbName: string;
  readonly dbUser: string;
  readonly passwordEnv: string;
  readonly slot: string;
  readonly prefix: string;
}

type ConnectorConfig = Readonly<Record<string, string>>;

const headers = [
  'id:header:message-id',
  'message_type:header:message-type',
  'correlation_id:header:correlation-id',
  'causation_id:header:causation-id',
  'traceparent:header:traceparent',
  'actor_id:header:actor-id',
].join(',');

const common: ConnectorConfig = {
  'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
  'tasks.max': '1',
  'database.port': '5432',
  'plugin.name': 'pgoutput',
  'publication.name': 'relay_publication',
  'publication.autocreate.mode': 'disabled',
  'table.include.list': 'public.outbox',
  'snapshot.mode': 'no_data',
  'tombstones.on.delete': 'false',
  'extended.headers.enabled': 'false',
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.converters.ByteArrayConverter',
  transforms: 'outbox,dropId',
  'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
  'transforms.outbox.table.field.event.id': 'id',
  'transforms.outbox.table.field.event.key': 'aggregate_id',
  'transforms.outbox.table.field.event.payload': 'payload',
  'transforms.outbox.table.fields.additional.placement': headers,
  'transforms.outbox.route.by.field': 'topic',
  'transforms.outbox.route.topic.replacement': '${routedByValue}',
  'transforms.dropId.type': 'org.apache.kafka.connect.transforms.DropHeaders',
  'transforms.dropId.headers': 'id',
};

export function relayConfig(t: RelayTarget): ConnectorConfig {
  return {
    ...common,
    'database.hostname': t.dbHost,
    'database.dbname': t.dbName,
    'database.user': t.dbUser,
    'database.password': `\${env:${t.passwordEnv}}`,
    'slot.name': t.slot,
    'topic.prefix': t.prefix,
  };
}
