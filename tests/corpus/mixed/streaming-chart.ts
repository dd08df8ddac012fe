import {Construct} from 'constructs';
import {App, Chart} from 'cdk8s';
import * as kafkaConnector from './imports/kafka-connector-kafka.strimzi.io';
import * as kafkaConnectStrimzi from './imports/kafka-connect-kafka.strimzi.io';
import * as kplus from 'cdk8s-plus-25';
import {EnvValue} from 'cdk8s-plus-25';

export class StreamingChart extends Chart {
    constructor(scope: Construct, id: string) {
        super(scope, id);

        // const debeziumVersion = '2.2.1.Final';
        const dbPort = '5432';

        const db = new kplus.Deployment(this, 'tickets-db', {
            replicas: 1,
            containers: [
                {
                    image: 'debezium/postgres:14',
                    portNumber: 5432,
                    envVariables: {
                        'POSTGRES_USER': EnvValue.fromValue('tickets'),
                        'POSTGRES_PASSWORD': EnvValue.fromValue('tickets'),
                        'POSTGRES_DB': EnvValue.fromValue('tickets')
                    },
                },
            ],
        });
        const dbService = db.exposeViaService({ports: [{port: 5432}]});

        const kafkaConnect = new kafkaConnectStrimzi.KafkaConnect(this, 'connect-cluster', {
            metadata: {
                annotations: {
                    'strimzi.io/use-connector-resources': 'true' // connectors come as resources
                }
            },
            spec: {
                image: 'ticketing/strimzi-connect',
                replicas: 1,
                bootstrapServers: 'tickets-kafka-bootstrap:9092',
                config: {
                    'group.id': 'tickets-connect',
                    'offset.storage.topic': 'tickets-connect-offsets',
                    'config.storage.topic': 'tickets-connect-config',
                    'status.storage.topic': 'tickets-connect-status',
                    'config.storage.replication.factor': 1,
                    'offset.storage.replication.factor': 1,
                    'status.storage.replication.factor': 1
                },
            }
        });

        new kafkaConnector.KafkaConnector(this, 'tickets-kafka-connector', {
            metadata: {
                name: 'tickets-outbox-connector',
                labels: {
                    'strimzi.io/cluster': kafkaConnect.name // needed
                }
            },
            spec: {
                class: 'io.debezium.connector.postgresql.PostgresConnector',
                config: {
                    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
                    'database.hostname': dbService.name,
                    'database.port': dbPort,
                    'database.user': 'tickets',
                    'database.password': 'tickets',
                    'database.dbname': 'tickets',
                    'database.server.name': 'db',
                    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'key.converter.schemas.enable': 'false',
                    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'value.converter.schemas.enable': 'false',
                    'tombstones.on.delete': 'false',
                    'table.include.list': 'public.stored_event',
                    'topic.prefix': 'tickets',
                    'transforms': 'outbox',
                    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
                    'transforms.outbox.table.expand.json.payload': 'true',
                    'transforms.outbox.route.topic.replacement': 'tickets.events',
                    'transforms.outbox.table.fields.additional.placement': 'tracingspancontext:header:traceparent'
                }
            }
        });
    }
}

const app = new App();
new StreamingChart(app, 'streaming');
app.synth();
