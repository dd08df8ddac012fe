import { DynamicModule, Inject, Module, OnModuleInit } from '@nestjs/common';
import { ConnectClient } from './connectClient';
import { CONNECT_URL } from './tokens';

export interface CaptureOptions {
  connectUrl: string;
}

@Module({ providers: [ConnectClient], exports: [ConnectClient] })
export class CaptureModule implements OnModuleInit {
  constructor(@Inject(ConnectClient) private readonly connect: ConnectClient) {}

  async onModuleInit(): Promise<void> {
    // TODO: compare with the config of the last start and leave the connector alone if nothing changed
    const present = await this.connect.list();

    const connector = {
      name: 'room_service_domain_events',
      config: {
        'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
        'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
        'key.converter.schemas.enable': 'false',
        'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
        'value.converter.schemas.enable': 'false',
        'database.hostname': 'postgres-with-decoderbufs',
        'database.port': '5432',
        'database.user': 'postgres',
        'database.password': 'secret',
        'database.dbname': 'rooms',
        'topic.prefix': 'rooms',
        'table.include.list': 'public.domain_events',
      },
    };

    if (present.includes(connector.name)) {
      await this.connect.remove(connector.name);
    }
    await this.connect.create(connector);
  }

  static forRoot(options: CaptureOptions): DynamicModule {
    return {
      module: CaptureModule,
      providers: [{ provide: CONNECT_URL, useValue: options.connectUrl }],
    };
  }
}
