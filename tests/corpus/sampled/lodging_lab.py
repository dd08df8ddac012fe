"""Checks that the lab's connector is the one that was approved."""
import json
import urllib.request


def expected(cdc):
    return {
        'connector.class': 'io.debezium.connector.mysql.MySqlConnector', 'tasks.max': '1',
        'database.hostname': 'mysql.lab.lodging.internal', 'database.port': '3306',
        'database.user': '${file:/run/secrets/cdc.properties:user}',
        'database.password': '${file:/run/secrets/cdc.properties:password}',
        'database.server.id': '59021',
        'database.connectionTimeZone': 'UTC', 'database.ssl.mode': 'required',
        'database.include.list': 'lodgingdb', 'table.include.list': 'lodgingdb.outbox', 'topic.prefix': cdc['prefix'],
        'snapshot.mode': 'no_data', 'heartbeat.interval.ms': '10000', 'include.schema.changes': 'false',
        'tombstones.on.delete': 'false',
        'schema.history.internal.kafka.bootstrap.servers': 'kafka.lab.lodging.internal:9092',
        'schema.history.internal.kafka.topic': cdc['historyTopic'],
        'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
        'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
        'header.converter': 'org.apache.kafka.connect.storage.StringConverter',
        'predicates': 'FromOutbox',
        'predicates.FromOutbox.type': 'org.apache.kafka.connect.transforms.predicates.TopicNameMatches',
        'predicates.FromOutbox.pattern': cdc['prefix'] + r'\.lodgingdb\.outbox',
        'transforms': 'outbox', 'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
        'transforms.outbox.predicate': 'FromOutbox', 'transforms.outbox.table.op.invalid.behavior': 'fatal',
        'transforms.outbox.route.by.field': 'destination',
        'transforms.outbox.route.topic.replacement': '${routedByValue}',
        'transforms.outbox.table.field.event.id': 'event_id',
        'transforms.outbox.table.field.event.key': 'partition_key',
        'transforms.outbox.table.field.event.payload': 'payload',
        'transforms.outbox.table.field.event.timestamp': 'occurred_at',
        'transforms.outbox.table.fields.additional.placement':
            'event_type:header:eventType,event_version:header:eventVersion,'
            'aggregate_type:header:aggregateType,aggregate_id:header:aggregateId',
    }


def check(url, cdc):
    with urllib.request.urlopen(f"{url}/connectors/{cdc['name']}/config") as answer:
        actual = json.load(answer)
    actual.pop('name', None)
    if actual != expected(cdc):
        raise SystemExit('the connector differs from the approved one')
