// One slot and one publication for every source: before, the second source of a server failed with
// "replication slot debezium already exists".
import axios from 'axios';

export interface PgSource {
  connectionName: string; // lower case letters, digits and _, checked by the form and unique
  host: string;
  port: number;
  user: string;
  password: string;
  dbName: string;
  tables: string[]; // schema.table
}

export function buildConfig(source: PgSource): Record<string, string | number> {
  return {
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max': 1,
    'plugin.name': 'pgoutput',
    'slot.name': `pipe_${source.connectionName}`,
    'publication.name': `pipe_pub_${source.connectionName}`,
    'publication.autocreate.mode': 'filtered',
    'topic.prefix': source.connectionName,
    'database.hostname': source.host,
    'database.port': source.port,
    'database.user': source.user,
    'database.password': source.password,
    'database.dbname': source.dbName,
    'table.include.list': source.tables.join(','),
    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'skipped.operations': 'none',
    'decimal.handling.mode': 'double',
  };
}

export async function createSource(source: PgSource): Promise<void> {
  await axios.post(`${process.env.CONNECT_URL}/connectors`, {
    name: source.connectionName,
    config: buildConfig(source),
  });
}
