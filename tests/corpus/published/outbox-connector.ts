export type ConnectorSettings = Record<string, string>;

export interface OutboxTarget {
  dbHost: string;
  dbName: string;
  dbUser: string;
  passwordVariable: string;
  slot: string;
  prefix: string;
}

const headerColumns = [
  'message_id:header:message-id',
  'message_type:header:message-type',
  'correlation_id:header:correlation-id',
  'saga_id:header:saga-id',
  'traceparent:header:traceparent',
].join(',');

const relayDefaults: ConnectorSettings = {
  'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
  'tasks.max': '1',
  'database.port': '5432',
  'plugin.name': 'pgoutput',
  'publication.name': 'relay_publication',
  'publication.autocreate.mode': 'disabled',
  'table.include.list': 'public.outbox',
  'snapshot.mode': 'initial',
  'snapshot.select.statement.overrides': 'public.outbox',
  'snapshot.select.statement.overrides.public.outbox': 'select * from public.outbox order by id',
  'tombstones.on.delete': 'false',
  'extended.headers.enabled': 'false',
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.converters.ByteArrayConverter',
  'header.converter': 'org.apache.kafka.connect.storage.SimpleHeaderConverter',
  transforms: 'outbox,withoutId',
  'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
  'transforms.outbox.route.by.field': 'topic',
  'transforms.outbox.route.topic.replacement': '${routedByValue}',
  'transforms.outbox.table.field.event.id': 'id',
  'transforms.outbox.table.field.event.key': 'aggregate_id',
  'transforms.outbox.table.field.event.payload': 'payload',
  'transforms.outbox.table.fields.additional.placement': headerColumns,
  'transforms.withoutId.type': 'org.apache.kafka.connect.transforms.DropHeaders',
  'transforms.withoutId.headers': 'id',
};

export function outboxConnector(target: OutboxTarget): ConnectorSettings {
  return {
    ...relayDefaults,
    'database.hostname': target.dbHost,
    'database.dbname': target.dbName,
    'database.user': target.dbUser,
    'database.password': `\${env:${target.passwordVariable}}`,
    'slot.name': target.slot,
    'topic.prefix': target.prefix,
  };
}
