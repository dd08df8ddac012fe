import {Construct} from 'constructs';
import {App, Chart} from 'cdk8s';
import * as kplus from 'cdk8s-plus-25';
import * as strimzi from './imports/kafka-kafka.strimzi.io';
import * as connect from './imports/kafka-connect-kafka.strimzi.io';
import * as connector from './imports/kafka-connector-kafka.strimzi.io';

const DB_PORT = 5432;

class MessagingChart extends Chart {
    constructor(scope: Construct, id: string) {
        super(scope, id);

        const db = new kplus.StatefulSet(this, 'ledger-db', {
            service: new kplus.Service(this, 'ledger-db-service', {ports: [{port: DB_PORT}]}),
            containers: [{
                image: 'ledgerlab/postgres',
                portNumber: DB_PORT,
                args: ['-c', 'wal_level=logical'],
                envVariables: {
                    POSTGRES_DB: kplus.EnvValue.fromValue('ledger'),
                    POSTGRES_USER: kplus.EnvValue.fromValue('ledger'),
                    POSTGRES_PASSWORD: kplus.EnvValue.fromValue('ledger')
                }
            }]
        });

        const kafka = new strimzi.Kafka(this, 'kafka', {
            spec: {
                kafka: {
                    replicas: 1,
                    listeners: [{
                        name: 'plain',
                        port: 9092,
                        type: strimzi.KafkaSpecKafkaListenersType.INTERNAL,
                        tls: false
                    }],
                    storage: {type: strimzi.KafkaSpecKafkaStorageType.EPHEMERAL}
                },
                zookeeper: {
                    replicas: 1,
                    storage: {type: strimzi.KafkaSpecZookeeperStorageType.EPHEMERAL}
                }
            }
        });

        const cluster = new connect.KafkaConnect(this, 'connect', {
            metadata: {annotations: {'strimzi.io/use-connector-resources': 'true'}},
            spec: {
                image: 'ledgerlab/strimzi-connect',
                replicas: 1,
                bootstrapServers: `${kafka.name}-kafka-bootstrap:9092`,
                config: {
                    'group.id': 'ledger-connect',
                    'offset.storage.topic': 'ledger-connect-offsets',
                    'config.storage.topic': 'ledger-connect-configs',
                    'status.storage.topic': 'ledger-connect-status',
                    'config.storage.replication.factor': 1,
                    'offset.storage.replication.factor': 1,
                    'status.storage.replication.factor': 1
                }
            }
        });

        new connector.KafkaConnector(this, 'outbox-connector', {
            metadata: {
                name: 'ledger-outbox',
                labels: {'strimzi.io/cluster': cluster.name}
            },
            spec: {
                class: 'io.debezium.connector.postgresql.PostgresConnector',
                config: {
                    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
                    'database.hostname': db.service.name,
                    'database.port': DB_PORT,
                    'database.user': 'ledger',
                    'database.password': 'ledger',
                    'database.dbname': 'ledger',
                    'database.server.name': db.service.name,
                    'topic.prefix': 'ledger',
                    'table.include.list': 'public.stored_event',
                    'tombstones.on.delete': 'false',
                    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'key.converter.schemas.enable': 'false',
                    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'value.converter.schemas.enable': 'false',
                    'transforms': 'outbox',
                    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
                    'transforms.outbox.route.topic.replacement': 'ledger.events',
                    'transforms.outbox.table.expand.json.payload': 'true',
                    'transforms.outbox.table.fields.additional.placement': 'tracingspancontext:header:traceparent'
                }
            }
        });
    }
}

const app = new App();
new MessagingChart(app, 'msg', {disableResourceNameHashes: true});
app.synth();
