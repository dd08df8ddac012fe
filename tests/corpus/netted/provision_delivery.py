#!/usr/bin/env python3
"""Creates the topics of the delivery stage and its connector; prints no credentials."""
import json
import subprocess


def k(*args, data=None):
    return subprocess.check_output(["kubectl", *args], input=data, stderr=subprocess.DEVNULL)


def apply(doc):
    k("apply", "-f", "-", data=json.dumps(doc).encode())


for topic in ["shop.delivery", "shop.receipts", "dead.delivery", "shop-beat.d1"]:
    apply({
        "apiVersion": "kafka.strimzi.io/v1",
        "kind": "KafkaTopic",
        "metadata": {"namespace": "kafka", "name": topic, "labels": {"strimzi.io/cluster": "harvest-kafka"}},
        "spec": {"topicName": topic, "partitions": 3, "replicas": 3, "config": {"min.insync.replicas": 2}},
    })

config = {
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector', 'tasks.max': '1',
    'database.hostname': 'harvest-pg-rw.db.svc.cluster.local', 'database.port': '5432',
    'database.user': 'harvest_d1_cdc', 'database.password': '${file:/etc/d1-pg/login.properties:password}',
    'database.dbname': 'harvest', 'database.sslmode': 'verify-full', 'database.sslrootcert': '/etc/pg-ca/ca.crt',
    'plugin.name': 'pgoutput', 'slot.name': 'd1_delivery_slot', 'slot.failover': 'true',
    'publication.name': 'd1_publication', 'publication.autocreate.mode': 'disabled',
    'topic.prefix': 'd1', 'table.include.list': 'delivery.outbox', 'snapshot.mode': 'initial', 'tombstones.on.delete': 'false',
    'transforms': 'outbox', 'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.route.by.field': 'aggregatetype', 'transforms.outbox.route.topic.replacement': 'shop.delivery',
    'transforms.outbox.table.expand.json.payload': 'true',
    'predicates': 'deliveryOutbox',
    'predicates.deliveryOutbox.type': 'org.apache.kafka.connect.transforms.predicates.TopicNameMatches',
    'predicates.deliveryOutbox.pattern': r'^d1\.delivery\.outbox$',
    'transforms.outbox.predicate': 'deliveryOutbox',
    'heartbeat.interval.ms': '60000', 'topic.heartbeat.prefix': 'shop-beat',
    'heartbeat.action.query': 'INSERT INTO delivery.beat(id,at) VALUES(1,now()) ON CONFLICT(id) DO UPDATE SET at=EXCLUDED.at',
    'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter', 'value.converter.schemas.enable': 'false',
}
k('-n', 'kafka', 'exec', '-i', 'deployment/connect', '--', 'curl', '--fail', '--silent', '-X', 'PUT',
  '-H', 'Content-Type: application/json', '--data-binary', '@-',
  'http://127.0.0.1:8083/connectors/d1-delivery/config', data=json.dumps(config).encode())
print('delivery topics and connector are in place')
