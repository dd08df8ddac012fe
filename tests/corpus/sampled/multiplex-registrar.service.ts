import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import axios from 'axios';

@Injectable()
export class MultiplexRegistrarService implements OnApplicationBootstrap {
  private readonly log = new Logger(MultiplexRegistrarService.name);
  private readonly url = process.env.CONNECT_URL || 'http://connect:8083';
  private readonly name = 'multiplex-outbox';

  async onApplicationBootstrap(): Promise<void> {
    await this.untilReady();
    const known: string[] = (await axios.get(`${this.url}/connectors`)).data;
    if (known.length > 0) {
      this.log.log(`already there: ${known}`);
      return;
    }
    await axios.post(`${this.url}/connectors`, { name: this.name, config: this.config() });
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
      'topic.prefix': process.env.CDC_TOPIC_PREFIX || 'multiplex',
      'database.include.list': 'order_db,hall_db,charge_db,film_db',
      'table.include.list': 'order_db.outbox,hall_db.outbox,charge_db.outbox,film_db.outbox',
      'schema.history.internal.kafka.bootstrap.servers':
        process.env.CDC_HISTORY_BOOTSTRAP || 'kafka:9092',
      'schema.history.internal.kafka.topic':
        process.env.CDC_HISTORY_TOPIC || '_history_multiplex',
      'schema.history.internal.skip.unparseable.ddl': 'true',
      transforms: 'outbox',
      'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
      'transforms.outbox.table.expand.json.payload': 'true',
      'transforms.outbox.table.field.event.id': 'id',
      'transforms.outbox.table.field.event.key': 'aggregate_id',
      'transforms.outbox.table.field.event.type': 'event_type',
      'transforms.outbox.table.field.event.payload': 'payload',
      'transforms.outbox.table.fields.additional.placement':
        'event_type:header:eventType',
      'transforms.outbox.route.by.field': 'aggregate_type',
      'transforms.outbox.route.topic.replacement': '${routedByValue}.events',
      'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter.schemas.enable': 'false',
      'tombstones.on.delete': 'false',
      'include.schema.changes': 'false',
    };
  }

  private async untilReady(): Promise<void> {
    for (let n = 0; n < 30; n++) {
      try {
        await axios.get(this.url);
        return;
      } catch {
        await new Promise((done) => setTimeout(done, 2000));
      }
    }
    this.log.warn('connect did not answer');
  }
}
