import {Construct} from 'constructs';
import {App, Chart} from 'cdk8s';
import * as kconnect from './imports/kafka-connect-kafka.strimzi.io';
import * as kconnector from './imports/kafka-connector-kafka.strimzi.io';

class StreamChart extends Chart {
    constructor(scope: Construct, id: string) {
        super(scope, id);

        const connect = new kconnect.KafkaConnect(this, 'connect', {
            metadata: {
                name: 'atlas-connect',
                annotations: {'strimzi.io/use-connector-resources': 'true'}
            },
            spec: {
                replicas: 1,
                image: 'artifacts.example.org/atlas/connect-debezium:2.4',
                bootstrapServers: 'atlas-kafka-bootstrap:9092',
                config: {
                    'group.id': 'atlas-connect',
                    'offset.storage.topic': 'atlas-connect-offsets',
                    'config.storage.topic': 'atlas-connect-config',
                    'status.storage.topic': 'atlas-connect-status',
                    'config.storage.replication.factor': 1,
                    'offset.storage.replication.factor': 1,
                    'status.storage.replication.factor': 1
                }
            }
        });

        new kconnector.KafkaConnector(this, 'outbox', {
            metadata: {
                name: 'atlas-outbox',
                labels: {
                    'strimzi.io/cluster': connect.name
                }
            },
            spec: {
                class: 'io.debezium.connector.postgresql.PostgresConnector',
                config: {
                    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
                    'database.hostname': 'atlas-db',
                    'database.port': 5432,
                    'database.user': 'atlas',
                    'database.password': 'atlas',
                    'database.dbname': 'atlas',
                    'database.server.name': 'db',
                    'plugin.name': 'pgoutput',
                    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'key.converter.schemas.enable': 'false',
                    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
                    'value.converter.schemas.enable': 'false',
                    'tombstones.on.delete': 'false',
                    'table.include.list': 'public.stored_event',
                    'topic.prefix': 'atlas',
                    'transforms': 'outbox',
                    'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
                    'transforms.outbox.table.expand.json.payload': 'true',
                    'transforms.outbox.route.topic.replacement': 'atlas.events',
                    'transforms.outbox.table.fields.additional.placement': 'tracingspancontext:header:traceparent'
                }
            }
        });
    }
}

const app = new App();
new StreamChart(app, 'stream');
app.synth();
