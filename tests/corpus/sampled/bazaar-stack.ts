import * as kplus from 'cdk8s-plus-27';
import { EnvValue } from 'cdk8s-plus-27';
import { Chart } from 'cdk8s';
import { KafkaConnect, KafkaConnector } from './imports/kafka.strimzi.io';

const BAZAAR_DB_PORT = 5432;

export class BazaarStack extends Chart {
    constructor(scope: any, id: string) {
        super(scope, id);

        const bazaarDb = new kplus.StatefulSet(this, 'bazaar-db', {
            replicas: 1,
            containers: [{
                image: 'postgres:15',
                portNumber: BAZAAR_DB_PORT,
                args: ['-c', 'wal_level=logical'],
                envVariables: { POSTGRES_PASSWORD: EnvValue.fromValue('bazaar') }
            }]
        });
        const dbService = bazaarDb.exposeViaService();

        const connect = new KafkaConnect(this, 'connect', {
            metadata: { annotations: { 'strimzi.io/use-connector-resources': 'true' } },
            spec: { replicas: 1, bootstrapServers: 'local-kafka-bootstrap:9092' }
        });

        new KafkaConnector(this, 'bazaar-outbox', {
            metadata: { labels: { 'strimzi.io/cluster': connect.name } },
            spec: {
                class: 'io.debezium.connector.postgresql.PostgresConnector',
                config: {
                    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
                    'database.hostname': dbService.name,
                    'database.port': BAZAAR_DB_PORT,
                    'database.user': 'bazaar',
                    'database.password': 'bazaar',
                    'database.dbname': 'bazaar',
                    'database.server.name': dbService.name,
                    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'key.converter.schemas.enable': 'false',
                    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'value.converter.schemas.enable': 'false',
                    'tombstones.on.delete': 'false',
                    'table.include.list': 'public.stored_event',
                    'topic.prefix': 'bazaar',
                    'transforms': 'outbox',
                    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
                    'transforms.outbox.table.expand.json.payload': 'true',
                    'transforms.outbox.route.topic.replacement': 'bazaar.events',
                    'transforms.outbox.table.fields.additional.placement': 'tracingspancontext:header:traceparent'
                }
            }
        });
    }
}
