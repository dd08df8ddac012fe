import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import axios from 'axios';

@Injectable()
export class ConnectorBootstrap implements OnApplicationBootstrap {
  private readonly logger = new Logger(ConnectorBootstrap.name);

  constructor(private readonly env: ConfigService) {}

  async onApplicationBootstrap() {
    const connector = {
      name: 'wallet-outbox-connector',
      config: {
        'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
        'tasks.max': '1',
        'plugin.name': 'pgoutput',
        'database.hostname': this.env.getOrThrow('DB_HOST'),
        'database.port': this.env.getOrThrow('DB_PORT'),
        'database.user': this.env.getOrThrow('DB_USER'),
        'database.password': this.env.getOrThrow('DB_PASS'),
        'database.dbname': this.env.getOrThrow('DB_NAME'),
        'topic.prefix': 'wallet',
        'slot.name': 'wallet_outbox_slot',
        'publication.name': 'wallet_outbox_publication',
        'publication.autocreate.mode': 'filtered',
        'schema.include.list': 'public',
        'table.include.list': 'public.outbox',
        'snapshot.mode': 'never',
        'tombstones.on.delete': 'false',
        'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
        'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
        transforms: 'outbox',
        'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
        'transforms.outbox.route.by.field': 'event_name',
        'transforms.outbox.route.topic.regex': '(.*)',
        'transforms.outbox.route.topic.replacement': '$1',
        'transforms.outbox.table.field.event.id': 'id',
        'transforms.outbox.table.field.event.key': 'aggregate_id',
        'transforms.outbox.table.field.payload': 'payload',
        'transforms.outbox.table.fields.additional.placement': 'correlation_id:header:correlationId',
      },
    };

    try {
      await axios.post(`${this.env.getOrThrow('CONNECT_URL')}/connectors`, connector);
      this.logger.log('outbox connector registered');
    } catch (e) {
      if (axios.isAxiosError(e) && e.response?.status === 409) {
        this.logger.log('outbox connector is there already');
        return;
      }
      throw e;
    }
  }
}
