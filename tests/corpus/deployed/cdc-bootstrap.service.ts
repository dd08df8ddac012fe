import { Injectable, OnApplicationBootstrap } from '@nestjs/common';

@Injectable()
export class CdcBootstrapService implements OnApplicationBootstrap {
  private readonly host = process.env.CONNECT_HOST || 'localhost:8083';
  private readonly name = process.env.CONNECTOR_NAME || 'hotel-outbox';
  private readonly enabled = (process.env.CONNECT_AUTO || 'true').toLowerCase() === 'true';

  async onApplicationBootstrap(): Promise<void> {
    if (!this.enabled) return;
    try {
      await this.ensure();
    } catch {}
  }

  private async ensure(): Promise<void> {
    await this.untilReady();
    const known = (await (await fetch(`${this.url()}/connectors`)).json()) as string[];
    if (known.includes(this.name)) {
      await this.send('PUT', `/connectors/${this.name}/config`, this.config());
      await fetch(`${this.url()}/connectors/${this.name}/restart`, { method: 'POST' });
      return;
    }
    if (known.length > 0) return;
    await this.send('POST', '/connectors', { name: this.name, config: this.config() });
  }

  private config(): Record<string, string> {
    return {
      'connector.class': 'io.debezium.connector.mysql.MySqlConnector',
      'tasks.max': '1',
      'database.hostname': process.env.CDC_DB_HOST || 'mysql',
      'database.port': process.env.CDC_DB_PORT || '3306',
      'database.user': process.env.CDC_DB_USER || 'root',
      'database.password': process.env.CDC_DB_PASSWORD || '123456',
      'database.server.id': process.env.CDC_DB_SERVER_ID || '1',
      'database.include.list': 'room_db,guest_db,invoice_db',
      'table.include.list': 'room_db.outbox,guest_db.outbox,invoice_db.outbox',
      'topic.prefix': process.env.CDC_TOPIC_PREFIX || 'hotel',
      'schema.history.internal.kafka.bootstrap.servers': process.env.CDC_HISTORY_BROKERS || 'kafka:9092',
      'schema.history.internal.kafka.topic': process.env.CDC_HISTORY_TOPIC || '_schema_history_hotel',
      'schema.history.internal.skip.unparseable.ddl': 'true',
      'include.schema.changes': 'false',
      'tombstones.on.delete': 'false',
      'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter.schemas.enable': 'false',
      transforms: 'outbox',
      'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
      'transforms.outbox.route.by.field': 'aggregate_type',
      'transforms.outbox.route.topic.replacement': '${routedByValue}.events',
      'transforms.outbox.table.field.event.id': 'id',
      'transforms.outbox.table.field.event.key': 'aggregate_id',
      'transforms.outbox.table.field.event.type': 'event_type',
      'transforms.outbox.table.field.event.payload': 'payload',
      'transforms.outbox.table.fields.additional.placement': 'event_type:header:eventType',
      'transforms.outbox.table.expand.json.payload': 'true',
    };
  }

  private async untilReady(): Promise<void> {
    for (let i = 0; i < 30; i += 1) {
      try {
        if ((await fetch(this.url())).ok) return;
      } catch {}
      await new Promise((r) => setTimeout(r, 2000));
    }
    throw new Error('Kafka Connect did not come up');
  }

  private async send(method: string, path: string, body: unknown): Promise<void> {
    const res = await fetch(`${this.url()}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${await res.text()}`);
  }

  private url(): string {
    return this.host.startsWith('http') ? this.host : `http://${this.host}`;
  }
}
