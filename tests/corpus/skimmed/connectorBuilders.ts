import type { SourceForm, BuiltConnector } from './types';

export function buildOracle(form: SourceForm): BuiltConnector {
  const prefix = topicPrefixOf(form.name);
  const server = form.serviceName || form.databaseName || `${prefix}-server`;

  return {
    name: form.name,
    config: {
      'tasks.max': '1',
      'connector.class': 'io.debezium.connector.oracle.OracleConnector',
      'database.server.name': server,
      'database.hostname': form.host,
      'database.port': String(form.port || 1521),
      'database.user': form.username,
      'database.password': form.password || '',
      'database.dbname': server,
      'database.out.server.name': `${server}-xout`,
      'database.connection.adapter': 'logminer',
      'database.history.kafka.bootstrap.servers': 'kafka:9092',
      'database.history.kafka.topic': 'ddl.studio',
      'snapshot.mode': 'initial',
      'snapshot.fetch.size': String(form.fetchSize || 2000),
      'topic.prefix': prefix,
      'log.mining.strategy': form.onlineCatalog ? 'online_catalog' : 'redo_log_catalog',
      'log.mining.continuous.mine': 'true',
      'decimal.handling.mode': 'double',
      'tombstones.on.delete': 'false',
      'include.schema.changes': 'false',
    },
  };
}

export function buildPostgres(form: SourceForm): BuiltConnector {
  const prefix = topicPrefixOf(form.name);

  return {
    name: form.name,
    config: {
      'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
      'database.hostname': form.host,
      'database.port': String(form.port || 5432),
      'database.user': form.username,
      'database.password': form.password || '',
      'database.dbname': form.databaseName,
      'topic.prefix': prefix,
      'plugin.name': 'pgoutput',
      'publication.name': 'studio_publication',
      'slot.name': `${prefix}_slot`,
      'snapshot.mode': 'initial',
      'decimal.handling.mode': 'double',
      'tombstones.on.delete': 'false',
      'tasks.max': '1',
      'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'errors.tolerance': 'all',
      'errors.log.enable': 'true',
      'errors.deadletterqueue.topic.name': `${prefix}-dlq`,
      'errors.deadletterqueue.context.headers.enable': 'true',
      'errors.deadletterqueue.topic.replication.factor': '1',
    },
  };
}

// underscores, as the slot's name is made of it
function topicPrefixOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'pipeline';
}
