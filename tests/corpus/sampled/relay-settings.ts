export interface RelayTarget {
  readonly host: string;
  readonly database: string;
  readonly user: string;
  readonly passwordVariable: string;
  readonly slot: string;
  readonly prefix: string;
}

export type Settings = Readonly<Record<string, string>>;

const headers = [
  'id:header:message-id',
  'message_type:header:message-type',
  'correlation_id:header:correlation-id',
  'causation_id:header:causation-id',
  'saga_id:header:saga-id',
  'traceparent:header:traceparent',
  'clerk_id:header:clerk-id',
].join(',');

const common: Settings = {
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
  transforms: 'outbox,withoutId',
  'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
  'transforms.outbox.route.by.field': 'topic',
  'transforms.outbox.route.topic.replacement': '${routedByValue}',
  'transforms.outbox.table.field.event.id': 'id',
  'transforms.outbox.table.field.event.key': 'aggregate_id',
  'transforms.outbox.table.field.event.payload': 'payload',
  'transforms.outbox.table.fields.additional.placement': headers,
  'transforms.withoutId.type': 'org.apache.kafka.connect.transforms.DropHeaders',
  'transforms.withoutId.headers': 'id',
};

export function relayConnector(target: RelayTarget): Settings {
  return {
    ...common,
    'database.hostname': target.host,
    'database.dbname': target.database,
    'database.user': target.user,
    'database.password': `\${env:${target.passwordVariable}}`,
    'slot.name': target.slot,
    'topic.prefix': target.prefix,
  };
}
