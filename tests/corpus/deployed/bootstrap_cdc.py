"""Creates the CDC user and the outbox connector of a freshly restored environment, once."""
import json
import re
import secrets
import urllib.request

CONNECT = 'http://127.0.0.1:8083'


def require(condition, message):
    if not condition:
        raise SystemExit(message)


def call(method, path, value=None):
    data = None if value is None else json.dumps(value).encode()
    req = urllib.request.Request(CONNECT + path, data=data, method=method,
                                 headers={'Content-Type': 'application/json'})
    with urllib.request.urlopen(req, timeout=30) as response:
        return json.loads(response.read() or '{}')


def connector_config(run, endpoint, password):
    cdc = run['cdc']
    return {'connector.class': 'io.debezium.connector.mysql.MySqlConnector', 'tasks.max': '1',
            'database.hostname': endpoint, 'database.port': '3306',
            'database.user': cdc['user'], 'database.password': password,
            'database.server.id': str(cdc['serverId']),
            'database.connectionTimeZone': 'UTC', 'database.ssl.mode': 'required',
            'database.include.list': 'staydb', 'table.include.list': 'staydb.outbox',
            'topic.prefix': cdc['topicPrefix'], 'snapshot.mode': 'no_data',
            'heartbeat.interval.ms': '10000', 'include.schema.changes': 'false', 'tombstones.on.delete': 'false',
            'schema.history.internal.kafka.bootstrap.servers': 'kafka.lab.stay.internal:9092',
            'schema.history.internal.kafka.topic': cdc['historyTopic'],
            'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
            'header.converter': 'org.apache.kafka.connect.storage.StringConverter',
            'predicates': 'OnlyOutbox',
            'predicates.OnlyOutbox.type': 'org.apache.kafka.connect.transforms.predicates.TopicNameMatches',
            'predicates.OnlyOutbox.pattern': cdc['topicPrefix'] + r'\.staydb\.outbox',
            'transforms': 'outbox',
            'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
            'transforms.outbox.predicate': 'OnlyOutbox',
            'transforms.outbox.table.op.invalid.behavior': 'fatal',
            'transforms.outbox.table.field.event.id': 'event_id',
            'transforms.outbox.table.field.event.key': 'partition_key',
            'transforms.outbox.table.field.event.payload': 'payload',
            'transforms.outbox.table.field.event.timestamp': 'occurred_at',
            'transforms.outbox.table.fields.additional.placement':
                'event_type:header:eventType,event_version:header:eventVersion,'
                'aggregate_type:header:aggregateType,aggregate_id:header:aggregateId',
            'transforms.outbox.route.by.field': 'destination',
            'transforms.outbox.route.topic.replacement': '${routedByValue}'}


def bootstrap(run, db, kafka):
    require(re.fullmatch(r'[a-z0-9-]+', run['cdc']['topicPrefix']), 'odd topic prefix')
    require(call('GET', '/connectors') == [], 'a connector exists already')
    require(db.scalar('SELECT COUNT(*) FROM outbox') == '0', 'the outbox must be empty before CDC starts')
    require(not {run['cdc']['historyTopic']} & set(kafka.topics()), 'history topic was used before')
    password = secrets.token_urlsafe(36)
    user = run['cdc']['user']
    db.execute(f"CREATE USER '{user}'@'%' IDENTIFIED BY '{password}' REQUIRE SSL")
    db.execute(f"GRANT SELECT, RELOAD, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO '{user}'@'%'")
    call('POST', '/connectors', {'name': 'stay-outbox', 'config': connector_config(run, db.endpoint, password)})
