// Custom resource: makes the MSK Connect connectors of a warehouse when the stack gets deployed.
import {
  KafkaConnectClient,
  CreateConnectorCommand,
  CreateConnectorCommandInput,
} from '@aws-sdk/client-kafkaconnect';
import { SecretsManagerClient, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

type OracleSecret = {
  host: string;
  port: number | string;
  user: string;
  password: string;
  dbname: string;
  pdb?: string;
};

const connect = new KafkaConnectClient({});
const secrets = new SecretsManagerClient({});

export function oracleConfig(db: OracleSecret, brokers: string, namespace: string): Record<string, string> {
  const prefix = namespace ? `${namespace}.` : '';
  const server = namespace ? `${namespace}.depot` : 'depot';

  const config: Record<string, string> = {
    'connector.class': 'io.debezium.connector.oracle.OracleConnector',
    'tasks.max': '1',
    'topic.prefix': server,
    'database.hostname': db.host,
    'database.port': String(db.port),
    'database.user': db.user,
    'database.password': db.password,
    'database.dbname': db.dbname,
    'database.server.name': server,
    'schema.include.list': 'DEPOT',
    'table.include.list': 'DEPOT.PLAN_TBL,DEPOT.PLAN_REVISION_TBL',
    'database.history.kafka.bootstrap.servers': brokers,
    'database.history.kafka.topic': `${prefix}depot.ddl`,
    'include.schema.changes': 'true',
    'snapshot.mode': 'initial',
  };
  if (db.pdb) {
    config['database.pdb.name'] = db.pdb;
  }
  return config;
}

export async function handler(event: { ResourceProperties: Record<string, string> }) {
  const p = event.ResourceProperties;
  const secret = await secrets.send(new GetSecretValueCommand({ SecretId: p.secretArn }));
  const db = JSON.parse(secret.SecretString ?? '{}') as OracleSecret;

  const input: CreateConnectorCommandInput = {
    connectorName: `${p.namespace}-depot-oracle`,
    connectorConfiguration: oracleConfig(db, p.brokers, p.namespace),
    kafkaConnectVersion: '3.7.x',
    serviceExecutionRoleArn: p.roleArn,
    capacity: { provisionedCapacity: { mcuCount: 1, workerCount: 1 } },
    kafkaCluster: {
      apacheKafkaCluster: {
        bootstrapServers: p.brokers,
        vpc: { subnets: p.subnets.split(','), securityGroups: p.groups.split(',') },
      },
    },
    kafkaClusterClientAuthentication: { authenticationType: 'NONE' },
    kafkaClusterEncryptionInTransit: { encryptionType: 'PLAINTEXT' },
    plugins: [{ customPlugin: { customPluginArn: p.pluginArn, revision: 1 } }],
  };
  const out = await connect.send(new CreateConnectorCommand(input));
  return { PhysicalResourceId: out.connectorArn };
}
