import axios from 'axios';

export interface SourceRequest {
  connectionName: string;
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  tables: string[];
}

// The names which our customers gave their sources (see seeds/sources.sql)
export const KNOWN_SOURCES = ['EU-Billing', 'EU-Shipping', 'US-Billing'] as const;

/** Config of one source; slot and publication are named after the source so that they do not clash. */
export function sourceConfig(req: SourceRequest) {
  return {
    name: `tap-${req.connectionName}`,
    config: {
      'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
      'tasks.max': '1',
      'plugin.name': 'pgoutput',
      'database.hostname': req.host,
      'database.port': String(req.port),
      'database.dbname': req.database,
      'database.user': req.user,
      'database.password': req.password,
      'topic.prefix': req.connectionName,
      'table.include.list': req.tables.join(','),
      'slot.name': `tap_slot_${req.connectionName}`,
      'publication.name': 'tap_publication',
      'publication.autocreate.mode': 'filtered',
      'decimal.handling.mode': 'double',
      'skipped.operations': 'none',
      'errors.tolerance': 'all',
      'errors.log.enable': 'true',
      'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    },
  };
}

export async function createSource(req: SourceRequest): Promise<void> {
  await axios.post(`${process.env.CONNECT_URL}/connectors`, sourceConfig(req));
}
