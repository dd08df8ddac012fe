import { Injectable, OnModuleInit } from '@nestjs/common';

@Injectable()
export class ConnectorRegistrar implements OnModuleInit {
  private readonly base = process.env.CDC_CONNECT_URL || 'http://connect:8083';
  private readonly name = process.env.CDC_CONNECTOR_NAME || 'trip-saga';

  async onModuleInit(): Promise<void> {
    await this.ready();
    const response = await fetch(`${this.base}/connectors/${this.name}/config`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(this.config()),
    });
    if (!response.ok) {
      throw new Error(`connector: ${response.status}: ${await response.text()}`);
    }
  }

  private config(): Record<string, string> {
    return {
      'connector.class': 'io.debezium.connector.mysql.MySqlConnector',
      'tasks.max': '1',
      'database.hostname': process.env.CDC_DB_HOST || 'mysql',
      'database.port': process.env.CDC_DB_PORT || '3306',
      'database.user': process.env.CDC_DB_USER || 'root',
      'database.password': process.env.CDC_DB_PASSWORD || '123456',
      'database.server.id': process.env.CDC_DB_SERVER_ID || '31',
      'topic.prefix': process.env.CDC_TOPIC_PREFIX || 'trip',
      'database.include.list': 'hotel_db,flight_db,card_db',
      'table.include.list': 'hotel_db.outbox,flight_db.outbox,card_db.outbox',
      'schema.history.internal.kafka.bootstrap.servers': process.env.CDC_HISTORY_BOOTSTRAP || 'kafka:9092',
      'schema.history.internal.kafka.topic': process.env.CDC_HISTORY_TOPIC || '_ddl_trip',
      'schema.history.internal.skip.unparseable.ddl': 'true',
      transforms: 'outbox',
      'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
      'transforms.outbox.table.expand.json.payload': 'true',
      'transforms.outbox.table.field.event.id': 'id',
      'transforms.outbox.table.field.event.key': 'aggregate_id',
      'transforms.outbox.table.field.event.payload': 'payload',
      'transforms.outbox.table.fields.additional.placement': 'event_type:header:eventType',
      'transforms.outbox.route.by.field': 'aggregate_type',
      'transforms.outbox.route.topic.replacement': '${routedByValue}.events',
      'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter.schemas.enable': 'false',
      'tombstones.on.delete': 'false',
      'include.schema.changes': 'false',
    };
  }

  private async ready(): Promise<void> {
    for (let i = 0; i < 30; i += 1) {
      try {
        if ((await fetch(this.base)).ok) return;
      } catch {}
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
    throw new Error('connect is not up');
  }
}
