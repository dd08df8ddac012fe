export interface RelayTarget {
  readonly host: string;
  readonly database: string;
  readonly user: string;
  readonly passwordVariable: string;
  readonly slot: string;
  readonly prefix: string;
}

export type ConnectorSettings = Readonly<Record<string, string>>;

const headerColumns = [
  'id:header:message-id',
  'message_type:header:message-type',
  'correlation_id:header:correlation-id',
  'causation_id:header:causation-id',
  'process_id:header:process-id',
  'traceparent:header:traceparent',
].join(',');

const common: ConnectorSettings = {
  'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
  'tasks.max': '1',
  'database.port': '5432',
  'plugin.name': 'pgoutput',
  'publication.name': 'relay_publication',
  'publication.autocreate.mode': 'disabled',
  'table.include.list': 'public.message_outbox',
  'snapshot.mode': 'initial',
  'snapshot.select.statement.overrides': 'public.message_outbox',
  'snapshot.select.statement.overrides.public.message_outbox':
    'select * from public.message_outbox order by id',
  'tombstones.on.delete': 'false',
  'extended.headers.enabled': 'false',
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.converters.ByteArrayConverter',
  'header.converter': 'org.apache.kafka.connect.storage.SimpleHeaderConverter',
  transforms: 'outbox,dropId',
  'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
  'transforms.outbox.route.by.field': 'topic',
  'transforms.outbox.route.topic.replacement': '${routedByValue}',
  'transforms.outbox.table.field.event.id': 'id',
  'transforms.outbox.table.field.event.key': 'aggregate_id',
  'transforms.outbox.table.field.event.payload': 'payload',
  'transforms.outbox.table.fields.additional.placement': headerColumns,
  'transforms.dropId.type': 'org.apache.kafka.connect.transforms.DropHeaders',
  'transforms.dropId.headers': 'id',
};

export function relayConnector(target: RelayTarget): ConnectorSettings {
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
