#!/usr/bin/env python3
"""Kafka topics, identities, network access and the Debezium connector of the delivery stage."""
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def k(*args, data=None):
    subprocess.run(['kubectl', *args], input=data, check=True)


config = {'connector.class': 'io.debezium.connector.postgresql.PostgresConnector', 'tasks.max': '1',
 'database.hostname': 'pg-rw.db.svc.cluster.local', 'database.port': '5432', 'database.user': 'harvest_cdc', 'database.password': '${file:/etc/cdc-pg/credentials.properties:password}',
 'database.dbname': 'harvest_main', 'database.sslmode': 'verify-full', 'database.sslrootcert': '/etc/pg-ca/ca.crt', 'plugin.name': 'pgoutput', 'slot.name': 'h1_delivery_slot', 'slot.failover': 'true', 'publication.name': 'h1_publication', 'publication.autocreate.mode': 'disabled',
 'topic.prefix': 'h1', 'table.include.list': 'delivery.outbox', 'snapshot.mode': 'initial', 'tombstones.on.delete': 'false',
 'transforms': 'outbox', 'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter', 'transforms.outbox.route.by.field': 'aggregatetype', 'transforms.outbox.route.topic.replacement': 'harvest.delivery', 'transforms.outbox.table.expand.json.payload': 'true',
 'predicates': 'outboxTable', 'predicates.outboxTable.type': 'org.apache.kafka.connect.transforms.predicates.TopicNameMatches', 'predicates.outboxTable.pattern': r'^h1\.delivery\.outbox$', 'transforms.outbox.predicate': 'outboxTable',
 'heartbeat.interval.ms': '60000', 'topic.heartbeat.prefix': 'harvest-heartbeat', 'heartbeat.action.query': 'INSERT INTO delivery.heartbeat(id,beat_at) VALUES(1,now()) ON CONFLICT(id) DO UPDATE SET beat_at=EXCLUDED.beat_at',
 'key.converter': 'org.apache.kafka.connect.storage.StringConverter', 'value.converter': 'org.apache.kafka.connect.json.JsonConverter', 'value.converter.schemas.enable': 'false'}
k('-n', 'kafka', 'exec', '-i', 'deployment/debezium-connect', '--', 'curl', '--fail', '--silent', '--show-error', '--max-time', '30', '-X', 'PUT', '-H', 'Content-Type: application/json', '--data-binary', '@-', 'http://127.0.0.1:8083/connectors/h1-delivery/config', data=json.dumps(config).encode())
print('topics, identities, network access and connector are set up')
