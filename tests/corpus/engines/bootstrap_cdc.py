"""Registers the outbox connector after a restore; topics are made by the caller (the brokers do not create them)."""
import json
import os
import urllib.request

CONNECT = 'http://connect.lab.stayhub.internal:8083'
TOPICS = ('booking.events', 'coupon.events', 'payment.events')


def request(method, path, body=None):
    data = json.dumps(body).encode() if body is not None else None
    req = urllib.request.Request(CONNECT + path, data=data, method=method, headers={'Content-Type': 'application/json'})
    with urllib.request.urlopen(req, timeout=30) as answer:
        return json.loads(answer.read() or b'null')


def connector_config(manifest, endpoint, password):
    cdc = manifest['cdc']
    return {
        'connector.class': 'io.debezium.connector.mysql.MySqlConnector', 'tasks.max': '1',
        'database.hostname': endpoint, 'database.port': '3306', 'database.user': cdc['username'],
        'database.password': password, 'database.server.id': str(cdc['databaseServerId']),
        'database.connectionTimeZone': 'UTC', 'database.ssl.mode': 'required',
        'database.include.list': 'stayhubdb', 'table.include.list': 'stayhubdb.outbox', 'topic.prefix': cdc['topicPrefix'],
        'snapshot.mode': 'no_data', 'heartbeat.interval.ms': '10000', 'include.schema.changes': 'false',
        'tombstones.on.delete': 'false',
        'schema.history.internal.kafka.bootstrap.servers': 'kafka.lab.stayhub.internal:9092',
        'schema.history.internal.kafka.topic': cdc['schemaHistoryTopic'],
        'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
        'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
        'header.converter': 'org.apache.kafka.connect.storage.StringConverter',
        'predicates': 'IsOutboxTable',
        'predicates.IsOutboxTable.type': 'org.apache.kafka.connect.transforms.predicates.TopicNameMatches',
        'predicates.IsOutboxTable.pattern': cdc['topicPrefix'] + r'\.stayhubdb\.outbox',
        'transforms': 'outbox', 'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
        'transforms.outbox.predicate': 'IsOutboxTable', 'transforms.outbox.table.op.invalid.behavior': 'fatal',
        'transforms.outbox.route.by.field': 'destination', 'transforms.outbox.route.topic.replacement': '${routedByValue}',
        'transforms.outbox.table.field.event.id': 'event_id', 'transforms.outbox.table.field.event.key': 'partition_key',
        'transforms.outbox.table.field.event.payload': 'payload', 'transforms.outbox.table.field.event.timestamp': 'occurred_at',
        'transforms.outbox.table.fields.additional.placement':
            'event_type:header:eventType,event_version:header:eventVersion,aggregate_type:header:aggregateType,aggregate_id:header:aggregateId'}


def main():
    with open(os.environ['MANIFEST']) as stream:
        manifest = json.load(stream)
    if request('GET', '/connectors') != []:
        raise SystemExit('a fresh environment has no connector')
    config = connector_config(manifest, os.environ['DB_ENDPOINT'], os.environ['CDC_PASSWORD'])
    request('POST', '/connectors', {'name': manifest['cdc']['connectorName'], 'config': config})


if __name__ == '__main__':
    main()
