import { CDC_PREFIX, INDEXED_TABLES, CONNECTOR_NAME } from './constants.js'

export interface ConnectorInput {
  databaseUrl: string
  /** the host as Connect sees it, not as this process does */
  postgresHost: string
}

/**
 * The source of the search indexer. The unwrap step flattens the envelope to the row's columns, which is what
 * `parseChange` expects. For a deleted row we want a real message with `__deleted` and not only a tombstone:
 * the indexer skips null values, so a tombstone alone would never take the document out of the index.
 */
export function connectorConfig(input: ConnectorInput) {
  const { user, password, port, database } = parse(input.databaseUrl)
  return {
    name: CONNECTOR_NAME,
    config: {
      'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
      'database.hostname': input.postgresHost,
      'database.port': port,
      'database.user': user,
      'database.password': password,
      'database.dbname': database,
      'topic.prefix': CDC_PREFIX,
      'table.include.list': INDEXED_TABLES.map((t) => `public.${t}`).join(','),
      'plugin.name': 'pgoutput',
      'slot.name': 'indexer_slot',
      'publication.name': 'indexer_publication',
      'publication.autocreate.mode': 'filtered',
      transforms: 'unwrap',
      'transforms.unwrap.type': 'io.debezium.transforms.ExtractNewRecordState',
      'transforms.unwrap.drop.tombstones': 'false',
      'transforms.unwrap.delete.handling.mode': 'rewrite',
      'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'key.converter.schemas.enable': 'false',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter.schemas.enable': 'false',
    },
  }
}

function parse(databaseUrl: string) {
  const url = new URL(databaseUrl)
  return { user: url.username, password: url.password, port: url.port || '5432', database: url.pathname.slice(1) }
}
