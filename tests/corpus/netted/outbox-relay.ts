export interface RelayTarget {
  databaseHost: string;
  databaseName: string;
  databaseUser: string;
  passwordVariable: string;
  slotName: string;
  topicPrefix: string;
}

type ConnectorConfig = Readonly<Record<string, string>>;

const headerPlacement = [
  'id:header:message-id',
  'message_type:header:message-type',
  'conversation_id:header:conversation-id',
  'process_id:header:process-id',
  'traceparent:header:traceparent',
  'actor_id:header:actor-id',
].join(',');

// the same for every service
const relaySettings: ConnectorConfig = {
  'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
  'tasks.max': '1',
  'database.port': '5432',
  'plugin.name': 'pgoutput',
  'publication.name': 'outbox_publication',
  'publication.autocreate.mode': 'disabled',
  'table.include.list': 'public.outbox',
  'snapshot.mode': 'no_data',
  'tombstones.on.delete': 'false',
  'extended.headers.enabled': 'false',
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  // the payload column is bytea
  'value.converter': 'org.apache.kafka.connect.converters.ByteArrayConverter',
  transforms: 'outbox,dropId',
  'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
  'transforms.outbox.route.by.field': 'topic',
  'transforms.outbox.route.topic.replacement': '${routedByValue}',
  'transforms.outbox.table.field.event.id': 'id',
  'transforms.outbox.table.field.event.key': 'entity_id',
  'transforms.outbox.table.field.event.payload': 'payload',
  'transforms.outbox.table.fields.additional.placement': headerPlacement,
  'transforms.dropId.type': 'org.apache.kafka.connect.transforms.DropHeaders',
  'transforms.dropId.headers': 'id',
};

export function relayConfig(target: RelayTarget): ConnectorConfig {
  return {
    ...relaySettings,
    'database.hostname': target.databaseHost,
    'database.dbname': target.databaseName,
    'database.user': target.databaseUser,
    'database.password': `\${env:${target.passwordVariable}}`,
    'slot.name': target.slotName,
    'topic.prefix': target.topicPrefix,
  };
}
