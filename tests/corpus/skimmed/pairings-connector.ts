export const CONNECTOR = 'datingdemo-pairings'

const PAIRINGS_CONFIG: Readonly<Record<string, string>> = {
  'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
  'tasks.max': '1',

  // plain payload, the consumer checks it with zod
  'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'key.converter.schemas.enable': 'false',
  'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable': 'false',

  'database.hostname': process.env['CDC_PG_HOST'] ?? 'postgres',
  'database.port': process.env['CDC_PG_PORT'] ?? '5432',
  'database.user': process.env['POSTGRES_USER'] ?? 'datingdemo',
  'database.password': process.env['POSTGRES_PASSWORD'] ?? 'datingdemo',
  'database.dbname': process.env['POSTGRES_DB'] ?? 'datingdemo',

  'table.include.list': 'public.pairings',
  'topic.prefix': 'datingdemo',
  'plugin.name': 'pgoutput',
  'slot.name': 'datingdemo_pairings_slot',
  'publication.name': 'datingdemo_pairings_pub',
  'publication.autocreate.mode': 'filtered',
  'snapshot.mode': 'never',

  // one user, one partition
  'message.key.columns': 'public.pairings:person_id',

  transforms: 'unwrap,route,kind,rename',
  'transforms.unwrap.type': 'io.debezium.transforms.ExtractNewRecordState',
  'transforms.unwrap.drop.tombstones': 'true',
  'transforms.unwrap.delete.handling.mode': 'drop',
  'transforms.route.type': 'org.apache.kafka.connect.transforms.RegexRouter',
  'transforms.route.regex': 'datingdemo\\.public\\.pairings',
  'transforms.route.replacement': 'push-messages',
  'transforms.kind.type': 'org.apache.kafka.connect.transforms.InsertField$Value',
  'transforms.kind.static.field': 'kind',
  'transforms.kind.static.value': 'pairing',
  'transforms.rename.type': 'org.apache.kafka.connect.transforms.ReplaceField$Value',
  'transforms.rename.renames': 'person_id:personId,partner_id:partnerId',
}

export async function registerPairings(connectUrl: string): Promise<void> {
  const res = await fetch(`${connectUrl}/connectors/${CONNECTOR}/config`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(PAIRINGS_CONFIG),
  })
  if (!res.ok) {
    throw new Error(`could not register ${CONNECTOR}: ${res.status} ${await res.text()}`)
  }
}
