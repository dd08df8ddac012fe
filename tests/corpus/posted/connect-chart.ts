import { Construct } from 'constructs';
import * as strimziConnect from '../imports/kafka-connect-kafka.strimzi.io';
import * as strimziConnector from '../imports/kafka-connector-kafka.strimzi.io';

export interface ConnectProps {
  readonly name: string;
  readonly image: string;
  readonly bootstrap: string;
  readonly connectorName: string;
  readonly dbHost: string; // service of the postgres:15 StatefulSet
  readonly dbPort: number;
  readonly dbUser: string;
  readonly dbPassword: string;
  readonly dbName: string;
  readonly eventTopic: string;
}

export class ConnectChart extends Construct {
  constructor(scope: Construct, id: string, props: ConnectProps) {
    super(scope, id);

    const cluster = new strimziConnect.KafkaConnect(this, 'connect', {
      metadata: { annotations: { 'strimzi.io/use-connector-resources': 'true' } },
      spec: {
        image: props.image, // Debezium 2.x plugin inside
        replicas: 1,
        bootstrapServers: props.bootstrap,
        config: {
          'group.id': `${props.name}-group`,
          'offset.storage.topic': `${props.name}-offsets`,
          'config.storage.topic': `${props.name}-config`,
          'status.storage.topic': `${props.name}-status`,
          'config.storage.replication.factor': 1,
          'offset.storage.replication.factor': 1,
          'status.storage.replication.factor': 1,
        },
      },
    });

    new strimziConnector.KafkaConnector(this, 'outbox', {
      metadata: {
        name: props.connectorName,
        labels: { 'strimzi.io/cluster': cluster.name },
      },
      spec: {
        class: 'io.debezium.connector.postgresql.PostgresConnector',
        config: {
          'database.hostname': props.dbHost,
          'database.port': props.dbPort,
          'database.user': props.dbUser,
          'database.password': props.dbPassword,
          'database.dbname': props.dbName,
          'database.server.name': props.dbHost,
          'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
          'key.converter.schemas.enable': 'false',
          'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
          'value.converter.schemas.enable': 'false',
          'tombstones.on.delete': 'false',
          'table.include.list': 'public.stored_event',
          'topic.prefix': props.dbName,
          transforms: 'outbox',
          'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
          'transforms.outbox.table.expand.json.payload': 'true',
          'transforms.outbox.route.topic.replacement': props.eventTopic,
          // 'transforms.outbox.table.fields.additional.placement': 'trace:header:traceparent'
        },
      },
    });
  }
}
