import { execSync } from 'child_process';
import * as http from 'http';
import { Client } from 'pg';

/**
 * End-to-end test of the whole reservation saga: outbox of reservation-service -> Debezium -> Kafka ->
 * relay -> orchestrator, on the project's own compose file.
 */

const ROOT = `${__dirname}/../..`;

const INFRA_SERVICES = ['rabbitmq', 'reservation-db', 'kafka', 'cdc-connect'];

async function waitUntil(check: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (await check().catch(() => false)) return;
    await new Promise((r) => setTimeout(r, 2000));
  }
  throw new Error(`Not fulfilled after ${timeoutMs}ms`);
}

function registerOutboxConnector(): Promise<void> {
  const config = {
    name: 'reservation-outbox',
    config: {
      'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
      'database.hostname': 'reservation-db',
      'database.port': '5432',
      'database.user': 'postgres',
      'database.password': 'postgres',
      'database.dbname': 'reservation_db',
      'topic.prefix': 'reservationcdc',
      'table.include.list': 'public.outbox_events',
      'plugin.name': 'pgoutput',
      'slot.name': 'reservation_outbox_slot',
      'publication.name': 'reservation_outbox_publication',
      'publication.autocreate.mode': 'filtered',
      'time.precision.mode': 'connect',
      'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'key.converter.schemas.enable': 'false',
      'value.converter.schemas.enable': 'false',
      transforms: 'outbox',
      'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
      'transforms.outbox.table.field.event.id': 'id',
      'transforms.outbox.table.field.event.key': 'aggregateId',
      'transforms.outbox.table.field.event.type': 'eventType',
      'transforms.outbox.table.field.event.payload': 'payload',
      'transforms.outbox.route.by.field': 'aggregateType',
      'transforms.outbox.route.topic.replacement':
        'saga.event.${routedByValue}',
    },
  };

  return new Promise((resolve, reject) => {
    const data = JSON.stringify(config);
    const req = http.request(
      {
        hostname: 'localhost',
        port: 8083,
        path: '/connectors',
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(data),
        },
      },
      (res) => {
        // 409: somebody registered it before; just as well
        if (res.statusCode === 201 || res.statusCode === 409) {
          res.resume();
          resolve();
        } else {
          reject(new Error(`Connector was refused: ${res.statusCode}`));
        }
      },
    );
    req.on('error', reject);
    req.write(data);
    req.end();
  });
}

describe('Reservation saga (full local stack)', () => {
  let db: Client;

  beforeAll(async () => {
    execSync(`docker compose up -d ${INFRA_SERVICES.join(' ')}`, { cwd: ROOT, stdio: 'inherit' });
    await waitUntil(async () => {
      await registerOutboxConnector();
      return true;
    }, 60_000);
    db = new Client({ host: 'localhost', port: 5436, user: 'postgres', password: 'postgres', database: 'reservation_db' });
    await db.connect();
  }, 180_000);

  it('drives a reservation to its end', async () => {
    await waitUntil(async () => {
      const { rows } = await db.query('SELECT status FROM reservations ORDER BY created_at DESC LIMIT 1');
      return rows[0]?.status === 'DONE';
    }, 30_000);
  });
});
