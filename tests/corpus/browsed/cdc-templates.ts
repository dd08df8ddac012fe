/** Templates of the Debezium connectors, filled in by the agent that sets a source up. */
export interface ConnectorTemplate {
  name: string;
  config: Record<string, string>;
}

export const CDC_TEMPLATES: Record<string, ConnectorTemplate> = {
  // PostgreSQL
  postgresql: {
    name: 'postgres-cdc-ops',
    config: {
      'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
      'database.hostname': '{host}',
      'database.port': '5432',
      'database.user': '{user}',
      'database.password': '{password}',
      'database.dbname': '{database}',
      'database.server.name': 'postgres-ops',
      'plugin.name': 'pgoutput',
      'publication.name': 'ops_publication',
      'slot.name': 'ops_slot',
      'table.include.list': '{schema}.{tables}',
      'transforms': 'route',
      'transforms.route.type': 'org.apache.kafka.connect.transforms.RegexRouter',
      'transforms.route.regex': '([^.]+)\\.([^.]+)\\.([^.]+)',
      'transforms.route.replacement': 'cdc.$1.$2.$3',
    },
  },

  // MySQL, from the binlog
  mysql: {
    name: 'mysql-cdc-ops',
    config: {
      'connector.class': 'io.debezium.connector.mysql.MySqlConnector',
      'database.hostname': '{host}',
      'database.port': '3306',
      'database.user': '{user}',
      'database.password': '{password}',
      'database.server.id': '{server_id}',
      'database.server.name': 'mysql-ops',
      'database.include.list': '{databases}',
      'table.include.list': '{schema}.{tables}',
      'database.history.kafka.bootstrap.servers': 'kafka:9092',
      'database.history.kafka.topic': 'ddl.mysql',
    },
  },

  // SQL Server
  sqlserver: {
    name: 'sqlserver-cdc-ops',
    config: {
      'connector.class': 'io.debezium.connector.sqlserver.SqlServerConnector',
      'database.hostname': '{host}',
      'database.port': '1433',
      'database.user': '{user}',
      'database.password': '{password}',
      'database.dbname': '{database}',
      'database.server.name': 'sqlserver-ops',
      'table.include.list': '{schema}.{tables}',
      'database.history.kafka.bootstrap.servers': 'kafka:9092',
      'database.history.kafka.topic': 'ddl.sqlserver',
    },
  },
};

export interface Rule {
  id: string;
  table: string;
  operations: ('c' | 'u' | 'd')[];
  action: string;
}
