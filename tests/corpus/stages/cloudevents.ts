// CloudEvents out of the outbox: the converter takes source, op, id and type from the headers.
const connectUrl = process.env.CONNECT_URL ?? 'http://localhost:8083';

export const museumOutbox: Record<string, string> = {
  'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
  'tasks.max': '1',
  'database.hostname': process.env.MUSEUM_DB_HOST!,
  'database.port': '5432',
  'database.user': process.env.MUSEUM_DB_USER!,
  'database.password': process.env.MUSEUM_DB_PASSWORD!,
  'database.dbname': 'museum',
  'plugin.name': 'pgoutput',
  'slot.name': 'museum_outbox',
  'publication.name': 'museum_outbox',
  'topic.prefix': 'museum',
  'table.include.list': 'public.outbox',
  'tombstones.on.delete': 'false',
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'io.debezium.converters.CloudEventsConverter',
  'value.converter.metadata.source': 'header',
  'value.converter.json.schemas.enable': 'false',
  'header.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'header.converter.schemas.enable': 'true',
  transforms: 'metadata,outbox',
  'transforms.metadata.type': 'org.apache.kafka.connect.transforms.HeaderFrom$Value',
  'transforms.metadata.fields': 'source,op,transaction',
  'transforms.metadata.headers': 'source,op,transaction',
  'transforms.metadata.operation': 'copy',
  'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
  'transforms.outbox.table.expand.json.payload': 'true',
  'transforms.outbox.table.fields.additional.placement': 'type:header',
  'transforms.outbox.route.topic.replacement': 'museum.${routedByValue}',
};

export async function register(): Promise<void> {
  const res = await fetch(`${connectUrl}/connectors/museum-outbox/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(museumOutbox),
  });
  if (!res.ok) throw new Error(`${res.status} ${await res.text()}`);
}
