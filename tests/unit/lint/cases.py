"""One config with each flaw. Each is a healthy config of its database, changed where the rule looks."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.unit.lint import resources

KAFKA = "org.apache.kafka.connect"
STRING = f"{KAFKA}.storage.StringConverter"
JSON = f"{KAFKA}.json.JsonConverter"
BINARY = "io.debezium.converters.BinaryDataConverter"
ROUTER = "io.debezium.transforms.outbox.EventRouter"
MONGO_ROUTER = "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter"
AVRO = {"value.converter": "io.confluent.connect.avro.AvroConverter", "value.converter.schema.registry.url": "http://r"}
R = "transforms.outbox."
EXPAND = f"{R}table.expand.json.payload"
PLACEMENT = f"{R}table.fields.additional.placement"
EXPANDED = {EXPAND: "true", "value.converter": JSON, "value.converter.schemas.enable": "false"}

COMMON: dict[str, str] = {
    "tasks.max": "1",
    "topic.prefix": "shop",
    "key.converter": STRING,
    "value.converter": STRING,
    "transforms": "outbox",
    "transforms.outbox.type": ROUTER,
    "transforms.outbox.predicate": "isOutbox",
    "predicates": "isOutbox",
    "predicates.isOutbox.type": f"{KAFKA}.transforms.predicates.TopicNameMatches",
    "extended.headers.enabled": "false",
    "snapshot.mode": "initial",
    "heartbeat.interval.ms": "10000",
}
JDBC_SINK: dict[str, Any] = {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", "transforms": ""}
HISTORY = {
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "shop.history",
    "include.schema.changes": "false",
}
HEALTHY: dict[str, dict[str, str]] = {
    "postgres": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "plugin.name": "pgoutput",
        "database.hostname": "db",
        "database.user": "shop",
        "database.password": "${env:PASSWORD}",
        "database.dbname": "shop",
        "slot.name": "shop_outbox",
        "publication.name": "shop_outbox",
        "publication.autocreate.mode": "disabled",
        PLACEMENT: "type:header:eventType",
        "table.include.list": r"public\.outbox,public\.heartbeat",
        "heartbeat.action.query": "insert into public.heartbeat default values",
        "predicates.isOutbox.pattern": r"shop\.public\.outbox",
    },
    "mysql": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "database.hostname": "db",
        "database.user": "shop",
        "database.password": "${env:PASSWORD}",
        "database.server.id": "7001",
        PLACEMENT: "type:header:eventType",
        "table.include.list": r"shop\.outbox",
        "predicates.isOutbox.pattern": r"shop\.shop\.outbox",
        **HISTORY,
    },
    "oracle": {
        "connector.class": "io.debezium.connector.oracle.OracleConnector",
        "database.hostname": "db",
        "database.user": "shop",
        "database.password": "${env:PASSWORD}",
        "database.dbname": "ORCL",
        "lob.enabled": "true",
        PLACEMENT: "TYPE:header:eventType",
        "table.include.list": r"SHOP\.OUTBOX",
        "predicates.isOutbox.pattern": r"shop\.SHOP\.OUTBOX",
        **HISTORY,
    },
    "mongodb": {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "mongodb.connection.string": "mongodb://db:27017/?replicaSet=rs0",
        "collection.include.list": "shop.outbox",
        "transforms.outbox.type": MONGO_ROUTER,
        "transforms.outbox.collection.field.event.key": "aggregateId",
        "transforms.outbox.collection.fields.additional.placement": "type:header:eventType",
        "transforms.outbox.route.by.field": "aggregateType",
        "transforms.outbox.collection.expand.json.payload": "true",
        "value.converter": JSON,
        "value.converter.schemas.enable": "false",
        "predicates.isOutbox.pattern": r"shop\.shop\.outbox",
    },
}
NONE: Any = None  # takes a key out


@dataclass(frozen=True)
class Case:
    """change: keys set, or taken out with None. release: Debezium's. on: the healthy config that is changed.

    text: the file's whole text instead, of a file with that suffix.
    beside: a change that makes a second config, examined together with it.
    schema: the schema file that is changed instead: what is appended to a small one.
    """

    change: dict[str, str] = field(default_factory=dict)
    release: str = "3.6"
    on: str = "postgres"
    text: str = ""
    suffix: str = ".json"
    beside: dict[str, str] | None = None
    name_beside: str = "billing"
    schema: str = ""

    def config(self) -> dict[str, str]:
        """The whole config."""
        whole = {**COMMON, **HEALTHY[self.on], **self.change}
        return {key: value for key, value in whole.items() if value is not None}

    def other(self) -> dict[str, str]:
        """The second one."""
        return self.config() | {"database.dbname": "other"} | (self.beside or {})


def payload(schema: str) -> str:
    """A schema file whose payloads are expanded, with one event of that JSON Schema."""
    config = f"{{{EXPAND}: 'true', value.converter: {JSON}, value.converter.schemas.enable: 'false'}}"
    return f"connect: {{config: {config}}}\nevents:\n  - {{type: Placed, aggregate: Order, payload: {schema}}}\n"


BESIDE_WORKER = """kind: KafkaConnect
spec:
  bootstrapServers: a:9092
  config:
    key.converter: org.apache.kafka.connect.{0}
    value.converter: org.apache.kafka.connect.{0}
---
kind: KafkaConnector
metadata: {{name: a, labels: {{strimzi.io/cluster: a}}}}
spec:
  class: io.debezium.connector.postgresql.PostgresConnector
  config: {{topic.prefix: shop}}
"""
ARCHIVE = {
    "connector.class": "io.confluent.connect.s3.S3SinkConnector",
    "s3.bucket.name": "a",
    "flush.size": "1",
    "storage.class": "a.B",
    "format.class": "a.B",
}
OF_SOURCE = "DEBEZIUM_SOURCE_CONNECTOR_CLASS: io.debezium.connector.postgresql.PostgresConnector"
SIGNALLED = """curl -d '{{"connector.class": "io.debezium.connector.postgresql.PostgresConnector", {}
  "signal.enabled.channels": "kafka", "signal.kafka.topic": "signals"}}' a:8083/connectors/a/config
echo 'shop:{{"type": "execute-snapshot", "data": {{"type": "INCREMENTAL"}}}}' | kcat -P -K: -t signals
"""
BIGQUERY = {"connector.class": "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector", "topics": "a"}
NEO4J = {"connector.class": "streams.kafka.connect.sink.Neo4jSinkConnector"}
ENGINE = """class A {{ void run() {{
  Configuration c = Configuration.create().with("connector.class", "a.B"){}.build();
  engine = DebeziumEngine.create(Json.class).using(c.asProperties()).build(); }} }}
"""
IN_IMAGE = """services:
  connect:
    image: quay.io/debezium/connect:{}
    volumes:
      - {}
x:
  connector.class: a.B
  value.converter: io.confluent.connect.avro.AvroConverter
"""
ENDPOINT = (
    'class A {{ void configure() {{ from("debezium-postgres:a?databaseHostname=db&databaseUser=u'
    '&databasePassword={{{{p}}}}&databaseDbname=shop&topicPrefix=shop&offsetStorageFileName=/data/offsets{}"); }} }}\n'
)
UNWRAP = "io.debezium.transforms.ExtractNewRecordState"


def pipeline(source: dict[str, str], sink: dict[str, str]) -> "Case":
    """A file with a source for PostgreSQL, whose table is `public.orders`, and a sink of its topic."""
    common = {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "topic.prefix": "shop",
        "table.include.list": "public.orders",
    }
    reads = {"connector.class": "a.BSinkConnector", "topics": "shop.public.orders"}
    return Case(text=json.dumps([common | source, reads | sink]))


PARTITIONS = {
    "transforms": "a",
    "transforms.a.type": "io.debezium.transforms.partitions.PartitionRouting",
    "transforms.a.partition.topic.num": "3",
}


def composed(
    image: str,
    *,
    worker: str = "x: y",
    broker: str = "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092",
    database: str = "image: postgres:17",
    connector: dict[str, str],
    release: str = "3.6",
) -> "Case":
    """A compose file with a database, a broker and a worker, and a connector beside them."""
    config = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "database.hostname": "db"}
    services = (
        f"services:\n  db:\n    {database}\n  kafka:\n    image: apache/kafka:4.0.0\n    environment:\n      {broker}\n"
        f"  connect:\n    image: {image}\n    environment:\n      {worker}\n"
    )
    return Case(text=f"{services}x-connector: {json.dumps(config | connector)}\n", suffix=".yml", release=release)


EVENTS = "events:\n  - {type: Placed, aggregate: Order}\n"
OVERRIDE = EVENTS + "connect: {config: {%s}}\n"

SERVER = "debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
SINGLE_QUOTES = """curl -d '{"name": "a", "config": {"connector.class": "a.B", "b": "${PASSWORD}"}}' connect"""
HISTORY_OF_H = (
    '{"connector.class": "io.debezium.connector.mysql.MySqlConnector", "schema.history.internal.kafka.topic": "h"}'
)
POSTED = """curl connect:8083%s %s -d '{"name": "a", "config": {"connector.class": "a.B"}}'"""
JSON_HEADER = '-H "Content-Type: application/json"'
BOTH_WAYS = """```json
{"name": "a", "config": {"connector.class": "a.B"}}
```

```sh
curl c:8083/connectors --json @register/a.json
curl -X PUT c:8083/connectors/a/config --json @register/a.json
```
"""
BYTES = f"{KAFKA}.converters.ByteArrayConverter"
PAGE = """```sql
create table public.outbox (id uuid primary key, aggregatetype text, aggregateid text, {columns});
```

```json
{{"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "table.include.list": "public.outbox",
  "transforms": "outbox", "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter", {change}}}
```
"""
NO_COLON = """curl -d '{"name": "a", "config": {"connector.class" "a.B"}}' connect"""
FILTER = {
    "transforms": "f,outbox",
    "transforms.f.type": "io.debezium.transforms.Filter",
    "transforms.f.language": "jsr223.groovy",
}
SQLSERVER = {"connector.class": "io.debezium.connector.sqlserver.SqlServerConnector"}
PUBLICATION = '"plugin.name": "pgoutput", "publication.name": "p"'
WORKER = """
kind: KafkaConnect
metadata: {name: a}
spec:
  bootstrapServers: a:9092
  config:
    group.id: a
---
kind: KafkaConnector
metadata: {name: shop, labels: {strimzi.io/cluster: a}}
spec:
  class: io.debezium.connector.postgresql.PostgresConnector
  config: {database.password: "${secrets:a/b:c}"}
"""

COMPOSED = """services:
  db:
    image: postgres:17
    command: postgres -c wal_level=logical
    environment: {POSTGRES_USER: shop, POSTGRES_PASSWORD: a, POSTGRES_DB: shop}
x:
  connector.class: io.debezium.connector.postgresql.PostgresConnector
  database.hostname: db
  database.user: shop
  database.password: a
  database.dbname: shop
"""
WITH_BROKER = f"""{COMPOSED.partition("x:")[0]}  kafka:
    image: confluentinc/cp-kafka:8.0.0
  connect:
    image: debezium/connect:3.6
    environment: {{BOOTSTRAP_SERVERS: "kafka:9092"}}
x:{COMPOSED.partition("x:")[2]}"""
COMPOSED_MYSQL = """services:
  db:
    image: mysql:8
    environment:
      - MYSQL_USER=shop
      - MYSQL_PASSWORD=a
x: {connector.class: io.debezium.connector.mysql.MySqlConnector, database.hostname: db, database.user: shop}
"""
POSTGRES_AT_DB = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "db",
    "topic.prefix": "shop",
}
MOUNTED = """kind: Deployment
spec:
  template:
    spec:
      containers:
        - image: quay.io/debezium/connect:3.6
          volumeMounts: [{name: secrets, mountPath: /secrets}]
---
kind: ConfigMap
data:
  connector.json: |
    {"connector.class": "io.debezium.connector.postgresql.PostgresConnector",
     "database.password": "${file:/secret/db.properties:password}"}
"""

BESIDE_SQL = """```sql
{}
```
```json
{{"connector.class": "io.debezium.connector.postgresql.PostgresConnector", {}}}
```
"""


def capturing(name: str, tables: str) -> str:
    """A connector of an outbox with a list of tables, as a member of a list."""
    config = {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "db",
        "database.dbname": "shop",
        "table.include.list": tables,
        "transforms": "o",
        "transforms.o.type": ROUTER,
    }
    return json.dumps({"name": name, "config": config})


STRICT_WORKER = WORKER.replace("    group.id: a\n", "    connector.client.config.override.policy: None\n").replace(
    'database.password: "${secrets:a/b:c}"', "producer.override.linger.ms: 5"
)
CASES: dict[str, Case] = {
    # options
    "topic-naming-incomplete": Case({"topic.naming.strategy": "io.debezium.schema.DefaultRegexTopicNamingStrategy"}),
    "publication-without-inserts": Case(
        text=BESIDE_SQL.format(
            "create publication p for table a with (publish = 'update, delete');",
            '"plugin.name": "pgoutput", "publication.name": "p"',
        ),
        suffix=".md",
    ),
    "slot-parameter-unknown": Case({"slot.stream.params": "add-tables=public.outbox"}),
    "exclude-list-never-matches": Case({"table.exclude.list": "audit"}),
    "signal-columns-left-out": Case(
        {"signal.data.collection": "public.signals", "column.include.list": "public.outbox.id"}
    ),
    "foreign-table-never-matches": Case(
        {"connector.class": "io.debezium.connector.informix.InformixConnector", "table.include.list": "shop.outbox"}
    ),
    "foreign-value-refused": Case(
        {"connector.class": "io.debezium.connector.db2.Db2Connector", "snapshot.mode": "initial_schema_only"}
    ),
    "foreign-option-missing": Case(
        {"connector.class": "io.debezium.connector.vitess.VitessConnector", "vitess.gtid": "[]"}
    ),
    "mongo-converters-ignored": Case({"converters": "a", "a.type": "a.B"}, on="mongodb"),
    "connector-in-worker": Case(
        text="kind: KafkaConnect\nspec:\n  config:\n    connector.class: a.B\n    group.id: a\n"
        "    config.storage.topic: b\n    offset.storage.topic: c\n",
        suffix=".yaml",
    ),
    "publication-of-all-tables": Case(
        text=BESIDE_SQL.format(
            "create publication p for all tables;",
            '"plugin.name": "pgoutput", "publication.name": "p", "publication.autocreate.mode": "filtered"',
        ),
        suffix=".md",
    ),
    "slot-of-another-plugin": Case(
        text=BESIDE_SQL.format(
            "select pg_create_logical_replication_slot('s', 'test_decoding');",
            '"plugin.name": "pgoutput", "slot.name": "s"',
        ),
        suffix=".md",
    ),
    "producer-without-security": Case(
        text="services:\n  a:\n    environment:\n      CONNECT_CONFIG_STORAGE_TOPIC: a\n"
        '      CONNECT_SECURITY_PROTOCOL: SASL_SSL\nx: {connector.class: a.B, topic.prefix: "a"}\n',
        suffix=".yml",
    ),
    "invalid-connect-descriptor": Case(
        {"database.url": "jdbc:oracle:thin:@(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=A))"}, on="oracle"
    ),
    "oracle-pdb-as-database": Case({"database.dbname": "SHOPPDB1", "database.user": "c##shop"}, on="oracle"),
    "tombstone-not-sent": Case(
        {
            "tombstones.on.delete": "false",
            "transforms": "a",
            "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.a.delete.tombstone.handling.mode": "rewrite-with-tombstone",
        }
    ),
    "server-setting-unfit": Case(
        text=BESIDE_SQL.format("-- postgres -c wal_level=replica", '"plugin.name": "pgoutput"'), suffix=".md"
    ),
    "binlog-not-enabled": Case(
        text="services:\n  db:\n    image: mariadb:11\n"
        "x: {connector.class: io.debezium.connector.mariadb.MariaDbConnector}\n",
        suffix=".yml",
    ),
    "read-only-without-gtid": Case(
        text="services:\n  db:\n    command: --gtid-mode=OFF\n"
        'x: {connector.class: io.debezium.connector.mysql.MySqlConnector, read.only: "true"}\n',
        suffix=".yml",
    ),
    "database-not-logged": Case(
        text="services:\n  db:\n    command: --binlog-do-db=shop\n"
        "x: {connector.class: io.debezium.connector.mysql.MySqlConnector, table.include.list: billing.outbox}\n",
        suffix=".yml",
    ),
    "snapshot-isolation-off": Case(
        text="```sql\ncreate database Shop;\n```\n```json\n"
        f'{{"connector.class": "{SQLSERVER["connector.class"]}", "snapshot.isolation.mode": "snapshot"}}\n'
        "```\n",
        suffix=".md",
    ),
    "signal-table-columns": Case(
        text=BESIDE_SQL.format(
            "create table public.signals (id int, type text, data text, at timestamp);",
            '"signal.data.collection": "public.signals"',
        ),
        suffix=".md",
    ),
    "unchanged-rows-sent": Case(
        text=BESIDE_SQL.format(
            "create table public.stock (id int primary key, n int, m int);",
            '"table.include.list": "public.stock", "skip.messages.without.change": "true"',
        ),
        suffix=".md",
    ),
    "columns-not-logged": Case(
        text="```sql\nalter table A.B add supplemental log data (primary key) columns;\n```\n```json\n"
        '{"connector.class": "io.debezium.connector.oracle.OracleConnector", "table.include.list": "A.B"}\n```\n',
        suffix=".md",
    ),
    "compacted-without-key": Case(
        text=BESIDE_SQL.format(
            "create table public.log (no int, at timestamp, kwh int);",
            '"table.include.list": "public.log", "topic.creation.default.cleanup.policy": "compact"',
        ),
        suffix=".md",
    ),
    "microseconds-as-milliseconds": Case(
        text=BESIDE_SQL.format(
            "create table public.booking (id int primary key, room text, at timestamp);",
            '"table.include.list": "public.booking", "transforms": "d", '
            f'"transforms.d.type": "{KAFKA}.transforms.TimestampConverter$Value", '
            '"transforms.d.field": "at", "transforms.d.target.type": "string", "transforms.d.format": "yyyy"',
        ),
        suffix=".md",
    ),
    "escape-lost": Case(
        text='const config = {"connector.class": "a.B", "table.include.list": "shop.game_\\d+"};\n', suffix=".ts"
    ),
    "overlapping-tables": Case(text=f"[{capturing('a', 'shop[.].*')}, {capturing('b', 'shop.b')}]"),
    "publication-name-unquoted": Case(
        {"publication.name": "shop-events", "publication.autocreate.mode": "filtered"},
    ),
    "filter-of-another-database": Case({"database.include.list": "shop"}),
    "key-columns-never-match": Case({"message.key.columns": "outbox:aggregateid"}),
    "blank-in-database-names": Case(SQLSERVER | {"database.names": "Shop, Store"}, on="mysql"),
    "channel-not-enabled": Case({"signal.kafka.topic": "signals"}),
    "override-of-unlisted-table": Case(
        {
            "snapshot.select.statement.overrides": "public.outbox",
            "snapshot.select.statement.overrides.public.out.box": "select * from outbox",
        }
    ),
    "mongo-literal-filter": Case(
        {"filters.match.mode": "literal", "collection.include.list": "shop.out.*"}, on="mongodb"
    ),
    "mongo-field-not-qualified": Case({"field.exclude.list": "outbox.internal"}, on="mongodb"),
    "mongo-full-update-without-effect": Case(
        {"capture.mode": "change_streams", "capture.mode.full.update.type": "post_image"}, on="mongodb"
    ),
    "mongo-pipeline-removes-id": Case({"cursor.pipeline": '[{"$project": {"_id": 0, "ns": 1}}]'}, on="mongodb"),
    "dollar-in-compose": Case(
        text="services:\n  a:\n    environment:\n      DEBEZIUM_SOURCE_CONNECTOR_CLASS: a.B\n"
        "      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST: public.outbox$\n",
        suffix=".yml",
    ),
    "class-suffix-expanded": Case(
        text="curl -d @- c <<E\n"
        f'{{"connector.class": "a.B", "transforms": "a", "transforms.a.type": "{KAFKA}.transforms.Cast$Value"}}\n'
        "E\n",
        suffix=".sh",
    ),
    "quotes-lost": Case(
        text="curl -X PUT c/config -d '{\n"
        '"connector.class": "a.B", "transforms": "f",\n'
        """"transforms.f.condition": "value.op == ''c''"\n}'\n""",
        suffix=".sh",
    ),
    "variable-in-sent-file": Case(
        text='Save as `a.json`:\n\n```json\n{"name": "a", "config": {"connector.class": "a.B", '
        '"database.password": "${CDC_PASSWORD}"}}\n```\n\n```sh\ncurl -d @a.json c/connectors\n```\n',
        suffix=".md",
    ),
    "worker-variable-prefixed": Case(
        text="services:\n  c:\n    image: debezium/connect:3.1\n    environment:\n"
        "      CONNECT_CONFIG_STORAGE_TOPIC: a\nx: {connector.class: a.B}\n",
        suffix=".yml",
    ),
    "sink-without-schema": Case(
        {
            "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
            "transforms": "",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        }
    ),
    "sink-reads-other-topics": Case(
        text=json.dumps(
            [
                {
                    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                    "transforms": "o",
                    "transforms.o.type": ROUTER,
                },
                {"connector.class": "a.BSinkConnector", "topics": "orders"},
            ]
        )
    ),
    "router-input-filtered-out": Case(
        {
            "transforms": "f,outbox",
            "transforms.f.type": f"{KAFKA}.transforms.Filter",
            "transforms.f.predicate": "isOutbox",
        }
    ),
    "server-routing-key-empty": Case(text=SERVER + "debezium.sink.rabbitmq.exchange=a\n", suffix=".properties"),
    "oracle-mining-options": Case(
        {"lob.enabled": "true", "log.mining.buffer.deferred.transaction.start": "true"}, on="oracle"
    ),
    "topics-and-pattern": Case({"connector.class": "a.BSinkConnector", "topics": "a", "topics.regex": "a.*"}),
    "sink-needs-fields": Case(
        ARCHIVE | {"topics": "a", "timestamp.extractor": "RecordField", "value.converter": STRING}
    ),
    "nested-field-not-cast": Case(
        {
            "transforms": "cast,outbox",
            "transforms.cast.type": f"{KAFKA}.transforms.Cast$Value",
            "transforms.cast.spec": "after.amount:float64",
        }
    ),
    "topic-is-no-text": Case(
        {
            "transforms": "region",
            "transforms.region.type": "io.debezium.transforms.ContentBasedRouter",
            "transforms.region.language": "jsr223.groovy",
            "transforms.region.topic.expression": '"${topic}.${value.after.region}"',
        }
    ),
    "partition-field-not-found": Case(PARTITIONS | {"transforms.a.partition.payload.fields": "tenant_id"}),
    "post-processor-without-type": Case({"post.processors": "again", "post.processors.other.type": "a.B"}),
    "xstream-not-used": Case({"xstream.out.server.name": "dbzxout"}, on="oracle"),
    "update-inserted-again": Case(
        JDBC_SINK
        | {
            "insert.mode": "insert",
            "primary.key.mode": "record_key",
            "schema.evolution": "basic",
            "transforms": "a",
            "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState",
        }
    ),
    "sink-inserts-again": pipeline({}, {"connector.class": "com.mongodb.kafka.connect.MongoSinkConnector"}),
    "internal-topics-replicated": composed(
        "confluentinc/cp-kafka-connect:7.7.1", worker="CONNECT_CONFIG_STORAGE_TOPIC: a", connector={}
    ),
    "port-of-host": composed(
        "debezium/connect:3.3", database="ports: ['5433:5432']", connector={"database.port": "5433"}
    ),
    "broker-advertises-localhost": composed(
        "debezium/connect:3.3", broker="KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://localhost:9092", connector={}
    ),
    "topics-not-created": composed(
        "debezium/connect:3.3", broker="KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false'", connector={}
    ),
    "server-too-new": composed(
        "debezium/connect:2.4",
        database="image: mysql:8.4",
        connector={"connector.class": "io.debezium.connector.mysql.MySqlConnector"},
        release="2.4",
    ),
    "mongo-scope-not-granted": Case(
        text='```js\ndb.createUser({ user: "reader", roles: [ { role: "read", db: "shop" } ] })\n```\n\n```json\n'
        '{"connector.class": "io.debezium.connector.mongodb.MongoDbConnector", "mongodb.user": "reader"}\n```\n',
        suffix=".md",
    ),
    "supplemental-logging-missing": Case(
        text="```sql\nALTER DATABASE ARCHIVELOG;\nALTER TABLE shop.outbox ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;\n"
        '```\n\n```json\n{"connector.class": "io.debezium.connector.oracle.OracleConnector"}\n```\n',
        suffix=".md",
    ),
    "consumer-without-security": Case(
        text="cat > w.properties <<E\nconfig.storage.topic=a\nsecurity.protocol=SASL_SSL\nE\n"
        'curl -d \'{"connector.class": "a.BSinkConnector", "topics": "a", "x": "0123456789"}\' c\n',
        suffix=".sh",
    ),
    "lists-of-different-length": Case(
        {
            "transforms": "move,outbox",
            "transforms.move.type": f"{KAFKA}.transforms.HeaderFrom$Value",
            "transforms.move.fields": "type",
            "transforms.move.headers": "a,b",
            "transforms.move.operation": "copy",
        }
    ),
    "predicate-option-missing": Case({"predicates.isOutbox.pattern": None}),
    "dotted-yaml-key": Case(
        text="# application.yaml\ndebezium:\n  source:\n    connector.class: a.B\n    topic.prefix: shop\n",
        suffix=".yaml",
    ),
    "history-among-events": Case(
        {"table.include.list": "shop.orders", "schema.history.internal.kafka.topic": "shop.shop.orders"}, on="mysql"
    ),
    "history-among-schema-changes": Case(
        AVRO | {"schema.history.internal.kafka.topic": "shop", "include.schema.changes": "true"}, on="mysql"
    ),
    "mongo-timestamp-is-date": Case(
        text="const row = { createdAt: new Date() };\nconst config = "
        + json.dumps(
            {
                "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
                "transforms": "outbox",
                f"{R}type": MONGO_ROUTER,
                f"{R}collection.field.event.timestamp": "createdAt",
            }
        ),
        suffix=".js",
    ),
    "sink-converter-differs": pipeline(AVRO, {**ARCHIVE, "value.converter": JSON}),
    "worker-variable-without-prefix": Case(
        text="services:\n  c:\n    image: confluentinc/cp-kafka-connect:7.6.0\n    environment:\n"
        "      CONFIG_STORAGE_TOPIC: a\nx: {connector.class: a.B}\n",
        suffix=".yml",
    ),
    "server-default-with-hyphen": Case(
        text=SERVER + "debezium.sink.redis.address=${R:-redis:6379}\n", suffix=".properties"
    ),
    "pooler-as-host": Case({"database.hostname": "shop-pooler", "database.port": "6432"}),
    "gating-role-without-user": Case(
        text="```sql\nexec sys.sp_cdc_enable_table @source_name = 'outbox', @role_name = 'gate';\n"
        "alter role db_datareader add member cdc;\n```\n\n```json\n"
        + json.dumps(SQLSERVER | {"database.user": "cdc"})
        + "\n```\n",
        suffix=".md",
    ),
    "heartbeat-not-granted": Case(
        text="```sql\ngrant select on *.* to 'cdc'@'%';\n```\n\n```json\n"
        '{"connector.class": "io.debezium.connector.mysql.MySqlConnector", "database.user": "cdc", '
        '"heartbeat.action.query": "replace into shop.beat values (1, now())"}\n```\n',
        suffix=".md",
    ),
    "scripting-not-enabled": Case(
        text="services:\n  c:\n    environment:\n      - ENABLE_DEBEZIUM_SCRIPTING='true'\n"
        "x: {connector.class: a.B, transforms: f, transforms.f.type: io.debezium.transforms.Filter}\n",
        suffix=".yml",
    ),
    "blank-before-sent-file": Case(
        text='```json\n{"connector.class": "a.B"}\n```\n\n```sh\ncurl --json -d @ a.json c:8083/connectors\n```\n',
        suffix=".md",
    ),
    "port-of-scheme": Case(
        text='fun of(url: String) = Configuration.create().with("connector.class", "a.B")\n'
        '.with("database.port", url.substringAfter(":").substringBefore("/")).build()\n',
        suffix=".kt",
    ),
    "sent-file-without-type": Case(
        text='```json\n{"connector.class": "a.B"}\n```\n\n```sh\ncurl -X POST -d @a.json c:8083/connectors\n```\n',
        suffix=".md",
    ),
    "mongo-pre-images-not-stored": Case(
        text='```js\ndb.createCollection("price");\n```\n\n```json\n'
        '{"connector.class": "io.debezium.connector.mongodb.MongoDbConnector", '
        '"capture.mode": "change_streams_with_pre_image"}\n```\n',
        suffix=".md",
    ),
    "decimal-as-bytes": Case(
        text=BESIDE_SQL.format(
            "create table public.line (id int primary key, amount numeric(12,2));",
            f'"table.include.list": "public.line", "value.converter": "{JSON}", '
            '"value.converter.schemas.enable": "false"',
        ),
        suffix=".md",
    ),
    "capture-mode-not-set": Case(
        text="```sql\ncall ASNCDC.ADDTABLE('A', 'POLICY');\n```\n\n```json\n"
        '{"connector.class": "io.debezium.connector.db2.Db2Connector", '
        '"table.include.list": "A.POLICY,A.PREMIUM"}\n```\n',
        suffix=".md",
    ),
    "handler-without-envelope": pipeline(
        {"transforms": "row", "transforms.row.type": UNWRAP},
        {
            "connector.class": "com.mongodb.kafka.connect.MongoSinkConnector",
            "change.data.capture.handler": "com.mongodb.kafka.connect.sink.cdc.debezium.rdbms.RdbmsHandler",
        },
    ),
    "tombstone-refused": pipeline({}, ARCHIVE),
    "text-key-for-upsert": Case(
        {
            "connector.class": "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector",
            "topics": "a",
            "upsertEnabled": "true",
            "key.converter": STRING,
        }
    ),
    "converter-of-sink": Case({"value.converter": "com.snowflake.kafka.connector.records.SnowflakeAvroConverter"}),
    "incremental-snapshot-without-table": Case(text=SIGNALLED.format(""), suffix=".sh"),
    "microseconds-in-format": Case(
        {
            "transforms": "outbox,when",
            "transforms.when.type": f"{KAFKA}.transforms.TimestampConverter$Value",
            "transforms.when.field": "at",
            "transforms.when.target.type": "Timestamp",
            "transforms.when.format": "yyyy-MM-dd HH:mm:ss.SSSSSS",
        }
    ),
    "setting-loses-capitals": Case(
        text=f"x: {{DEBEZIUM_SINK_TYPE: pulsar, DEBEZIUM_SINK_PULSAR_CLIENT_SERVICEURL: 'pulsar://a', {OF_SOURCE}}}\n",
        suffix=".yaml",
    ),
    "pluggable-database-not-named": Case(
        text="# the tables are in FREEPDB1\nconnector.class=io.debezium.connector.oracle.OracleConnector\n"
        "database.dbname=FREE\n",
        suffix=".properties",
    ),
    "login-missing": Case({"producer.override.sasl.mechanism": "SCRAM-SHA-512"}),
    "class-without-package": Case(
        text="debezium.sink.type=redis\ndebezium.source.connector.class=PostgresConnector\n", suffix=".properties"
    ),
    "converter-not-in-image": Case(text=IN_IMAGE.format("2.6", "a:/data"), suffix=".yaml"),
    "event-hubs-user-expanded": Case(
        text="services:\n  a:\n    environment:\n      DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_JAAS_CONFIG: "
        f'\'A required username="$ConnectionString" password="${{B}}";\'\n      {OF_SOURCE}\n',
        suffix=".yaml",
    ),
    "contents-as-path": Case({"database.sslrootcert": "${directory:/mnt/certificates:ca.crt}"}),
    "exclusive-flags": Case(BIGQUERY | {"useStorageWriteApi": "true", "upsertEnabled": "true"}),
    "statement-of-no-topic": Case(NEO4J | {"topics": "a", "neo4j.topic.cypher.b": "merge (n)"}),
    "format-is-list": Case(JDBC_SINK | {"collection.name.format": "invoices,companies"}),
    "sink-gets-schema-changes": pipeline(
        {"connector.class": "io.debezium.connector.mysql.MySqlConnector", "include.schema.changes": "true"},
        {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", "topics": "", "topics.regex": "shop.*"},
    ),
    "unknown-header-field": Case(
        {"transforms": "row", "transforms.row.type": UNWRAP, "transforms.row.add.headers": "operation,source.ts_ms"}
    ),
    "engine-name-missing": Case(text=ENGINE.format(""), suffix=".java"),
    "deletes-not-sent": pipeline(
        {
            "transforms": "row",
            "transforms.row.type": UNWRAP,
            "transforms.row.delete.tombstone.handling.mode": "drop",
        },
        {"connector.class": "a.BSinkConnector", "delete.enabled": "true"},
    ),
    "topic-changed-before-search": Case(
        {
            "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
            "transforms": "index",
            "transforms.index.type": f"{KAFKA}.transforms.RegexRouter",
            "transforms.index.regex": "(.*)",
            "transforms.index.replacement": "$1",
        }
    ),
    "sink-gets-change-events": pipeline({}, {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector"}),
    "unknown-endpoint-parameter": Case(text=ENDPOINT.format("&tableWhitelist=public.outbox"), suffix=".java"),
    "sink-without-topics": Case({"connector.class": "a.BSinkConnector"}),
    "plugin-not-installed": Case(
        text="RUN confluent-hub install --no-prompt confluentinc/kafka-connect-elasticsearch:14.1.1\n"
        'RUN curl -d \'{"connector.class": "a.BSinkConnector", "transforms": "row", '
        f'"transforms.row.type": "{UNWRAP}"}}\' c\n',
        suffix=".sh",
    ),
    "sink-takes-text": Case(
        {
            "connector.class": "com.github.jcustenborder.kafka.connect.redis.RedisSinkConnector",
            "value.converter": JSON,
        }
    ),
    "unwrap-without-schema": Case(
        {
            "connector.class": "com.clickhouse.kafka.connect.ClickHouseSinkConnector",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
            "transforms": "row",
            "transforms.row.type": UNWRAP,
        }
    ),
    "position-topic-incomplete": Case(
        text=f"{SERVER}debezium.source.offset.storage=org.apache.kafka.connect.storage.KafkaOffsetBackingStore\n",
        suffix=".properties",
    ),
    "no-dialect-for-tables": Case(
        {
            "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
            "connection.url": "jdbc:clickhouse://db/shop",
            "auto.create": "true",
        }
    ),
    "key-field-none": Case(JDBC_SINK | {"primary.key.mode": "record_key", "primary.key.fields": "none"}),
    "search-key-ignored": Case(
        {
            "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
            "key.ignore": "true",
            "transforms": "row",
            "transforms.row.type": UNWRAP,
        }
    ),
    "search-key-is-struct": Case(
        {
            "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
            "key.converter": JSON,
            "transforms": "row",
            "transforms.row.type": "io.debezium.transforms.ExtractNewRecordState",
        }
    ),
    "malformed-documents-skipped": Case({"connector.class": "a.B", "behavior.on.malformed.documents": "ignore"}),
    "internal-topic-not-compacted": Case(
        text="kafka-topics.sh --create --topic offsets --partitions 25\n"
        "docker run -e OFFSET_STORAGE_TOPIC=offsets debezium/connect:3.2\n"
        'curl -d \'{"connector.class": "a.B", "topic.prefix": "a"}\' c\n',
        suffix=".sh",
    ),
    "queue-without-deduplication": Case(
        text='resource "aws_sqs_queue" "a" {\n  fifo_queue = true\n}\nresource "x" "y" {\n  value = <<-E\n'
        f"    {SERVER}    debezium.sink.type=sqs\n  E\n}}\n",
        suffix=".tf",
    ),
    "setting-needs-restart": Case(
        text=BESIDE_SQL.format("alter system set wal_level = 'logical'; select pg_reload_conf();", '"tasks.max": "1"'),
        suffix=".md",
    ),
    "session-without-binlog": Case(
        text="```sql\nset sql_log_bin = 0;\ninsert into shop.outbox values (1);\n```\n\n```json\n"
        '{"connector.class": "io.debezium.connector.mysql.MySqlConnector", "table.include.list": "shop.outbox"}\n```\n',
        suffix=".md",
    ),
    "agent-not-running": Case(
        text="services:\n  db:\n    image: mcr.microsoft.com/mssql/server:2022-latest\n"
        "x: {connector.class: io.debezium.connector.sqlserver.SqlServerConnector}\n",
        suffix=".yml",
    ),
    "option-of-another-sink": Case(
        {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", "transforms": "", "connection.user": "me"}
    ),
    "sink-needs-value": Case(JDBC_SINK | {"delete.enabled": "true", "primary.key.mode": "kafka"}),
    "table-name-parts": Case(
        {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", "topics": "shop.public.orders"}
        | {"connection.url": "jdbc:postgresql://db/copy", "transforms": NONE}
    ),
    "unknown-table-variable": Case(JDBC_SINK | {"table.name.format": "${topic.tail}"}),
    "invalid-topic-in-list": Case(JDBC_SINK | {"topics": "shop.public.*"}),
    "update-of-new-table": Case(JDBC_SINK | {"insert.mode": "update", "schema.evolution": "basic"}),
    "deletes-not-enabled": Case(JDBC_SINK | {"tombstones.on.delete": "true"}),
    "misspelt-option-of-connect": Case(JDBC_SINK | {"tasks.max": None, "task.max": "5"}),
    "random-slot-name": Case(
        text='class A { Map<String, String> c = Map.of("connector.class", '
        '"io.debezium.connector.postgresql.PostgresConnector", "slot.name", "s_" + UUID.randomUUID()); }\n',
        suffix=".java",
    ),
    "engine-closed-at-once": Case(
        text='class A { void run() { Map<String, String> c = Map.of("connector.class", "a.B");\n'
        "try (DebeziumEngine<E> engine = DebeziumEngine.create(Json.class).using(c).build()) {\n"
        "Executors.newSingleThreadExecutor().execute(engine); // wait (a signal)\n} } }\n",
        suffix=".java",
    ),
    "sentence-as-pattern": Case({"table.include.list": "All tables of the schema"}),
    "negate-of-predicate": Case({"predicates.isOutbox.negate": "true"}),
    "consumer-option-without-prefix": Case(JDBC_SINK | {"max.poll.records": "10"}),
    "sink-option-idle": Case(
        {"connector.class": "io.confluent.connect.s3.S3SinkConnector", "rotate.interval.ms": "1000", "transforms": ""}
    ),
    "handler-reads-past-payload": Case(
        text='class A { Map<String, String> c = Map.of("connector.class", "a.B"); void run() { '
        "DebeziumEngine.create(Json.class).notifying(this::take).build(); }\n"
        'void take(Event e) { send(json.readTree(e.value()).path("after")); } }\n',
        suffix=".java",
    ),
    "server-folder-of-settings": Case(
        text="Debezium Server 3.2:\n\n```properties\n" + SERVER + "```\n\n```sh\n"
        "docker run -v $PWD/conf:/debezium/conf debezium/server:3.2\n```\n",
        suffix=".md",
        release="3.2",
    ),
    "topic-naming-unknown": Case({"topic.naming.strategy": "io.debezium.schema.LowerCaseTopicNamingStrategy"}),
    "handler-expects-envelope": Case(
        text=f'class A {{ Map<String, String> c = Map.of("connector.class", "a.B", "transforms", "outbox", '
        f'"transforms.outbox.type", "{ROUTER}"); void run() {{ engine.notifying(this::take); }}\n'
        'void take(Event e) { send(((Struct) e.value()).getStruct("after")); } }\n',
        suffix=".java",
    ),
    "handler-swallows-error": Case(
        text='class A { void run() { Map<String, String> c = Map.of("connector.class", "a.B"); '
        "DebeziumEngine.create(Json.class).notifying(this::deliver).build(); }\n"
        'void deliver(Event e) { try { gateway.send(e.value()); } catch (Exception x) { LOG.warn("lost", x); } } }\n',
        suffix=".java",
    ),
    "exactly-once-unsupported": Case({"exactly.once.support": "required"}, release="2.7", on="mysql"),
    "envelope-changed-before-router": Case(
        {
            "transforms": "a,outbox",
            "transforms.a.type": f"{KAFKA}.transforms.SetSchemaMetadata$Value",
            "transforms.a.schema.name": "Placed",
        }
    ),
    "filter-keeps-what-it-names": Case(
        {
            "transforms": "dropInternal,outbox",
            "transforms.dropInternal.type": "io.debezium.transforms.Filter",
            "transforms.dropInternal.language": "jsr223.groovy",
            "transforms.dropInternal.condition": "value.after?.internal == 1",
        }
    ),
    "hypertable-not-captured": Case(
        {"transforms": "a", "transforms.a.type": "io.debezium.connector.postgresql.transforms.timescaledb.TimescaleDb"}
    ),
    "payload-cast-to-base64": Case(
        {
            "transforms": "outbox,a",
            "transforms.a.type": f"{KAFKA}.transforms.Cast$Value",
            "transforms.a.spec": "string",
        }
    ),
    "server-word-unknown": Case(
        text=f"{SERVER}debezium.sink.type=rabbitmq\ndebezium.sink.rabbitmq.routingKey.source=aggregatetype\n",
        suffix=".properties",
    ),
    "server-format-not-taken": Case(
        text=f"{SERVER}debezium.sink.type=redis\ndebezium.format.value=binary\n", suffix=".properties"
    ),
    "server-subject-not-in-stream": Case(
        text=f"{SERVER}debezium.source.topic.prefix=shop\ndebezium.source.table.include.list=public.orders\n"
        "debezium.sink.type=nats-jetstream\ndebezium.sink.nats-jetstream.create-stream=true\n"
        "debezium.sink.nats-jetstream.subjects=shop.*\n",
        suffix=".properties",
    ),
    "server-address-of-emulator": Case(
        text=f"{SERVER}debezium.sink.pubsub.address=pubsub.googleapis.com:443\n", suffix=".properties"
    ),
    "server-setting-superseded": Case(
        text=f"{SERVER}debezium.sink.eventhubs.partitionid=1\ndebezium.sink.eventhubs.partitionkey=a\n",
        suffix=".properties",
    ),
    "server-namespace-of-tenant": Case(
        text=f"{SERVER}debezium.sink.pulsar.namespace=public/default\n", suffix=".properties"
    ),
    "unreadable-config": Case(text=NO_COLON, suffix=".sh"),
    "unread-setting": Case(
        text="debezium.source.connector.class=a.B\ndebezium.value.converter=x", suffix=".properties"
    ),
    "unknown-router-option": Case({f"{R}route.by.words": "a"}),
    "superuser": Case({"database.user": "postgres"}),
    "no-tls": Case({"database.sslmode": "disable"}),
    "foreign-option": Case({"database.server.id": "5"}),
    "incomplete-reference": Case({"database.password": "${file:/run/password}"}),
    "unfilled-variable": Case(text=SINGLE_QUOTES, suffix=".sh"),
    "heartbeat-without-query": Case({"heartbeat.action.query": NONE}),
    "struct-as-text": Case({"transforms": NONE}),
    "server-position-file": Case(text=SERVER, suffix=".properties"),
    "server-position-lost": Case(
        text=f"{SERVER}debezium.source.offset.storage.file.filename=/tmp/position\n", suffix=".properties"
    ),
    "invalid-suppression": Case(text="# outbox-kit: ignore acks\nconnector.class=a.B\n", suffix=".properties"),
    "quoted-value": Case(text='connector.class=a.B\ntable.include.list="public.outbox"\n', suffix=".properties"),
    "server-sink-incomplete": Case(text=f"{SERVER}debezium.sink.type=kafka\n", suffix=".properties"),
    "unparseable-ddl-skipped": Case({"schema.history.internal.skip.unparseable.ddl": "true"}, on="mysql"),
    "loose-json": Case(text='{"connector.class": "a.B", // a remark\n "tasks.max": "1"}'),
    "added-field-renamed": Case(
        {
            "transforms": "unwrap,rename",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.unwrap.add.fields": "op,source.ts_ms",
            "transforms.rename.type": f"{KAFKA}.transforms.ReplaceField$Value",
            "transforms.rename.renames": "ts_ms:changed_at",
        }
    ),
    "localhost-of-container": Case(
        text="kind: KafkaConnect\n---\nkind: KafkaConnector\n"
        "spec: {class: a.B, config: {database.hostname: localhost}}\n",
        suffix=".yaml",
    ),
    "predicate-matches-no-topic": Case(
        {
            "transforms": "filter,outbox",
            "transforms.filter.type": f"{KAFKA}.transforms.Filter",
            "transforms.filter.predicate": "isOther",
            "predicates": "isOutbox,isOther",
            "predicates.isOther.type": f"{KAFKA}.transforms.predicates.TopicNameMatches",
            "predicates.isOther.pattern": "other",
        }
    ),
    "server-exchange-not-named": Case(
        text=f"{SERVER}debezium.sink.type=rabbitmq\ndebezium.sink.rabbitmq.routingKey=a\n", suffix=".properties"
    ),
    "unwrap-of-another-database": Case(
        {"transforms": "unwrap", "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState"}, on="mongodb"
    ),
    "cdc-not-enabled": Case(
        text="""```sql
create table dbo.outbox (id int); create table dbo.policy (id int);
exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'policy';
```
```json
{"connector.class": "io.debezium.connector.sqlserver.SqlServerConnector", "table.include.list": "dbo.outbox"}
```
""",
        suffix=".md",
    ),
    "database-in-table-filter": Case({"table.include.list": "$(database).public.outbox"}),
    "guardrail-exceeded": Case({"guardrail.collections.max": "1", "guardrail.collections.limit.action": "fail"}),
    "history-topic-expires": Case(
        text=f"kafka-topics.sh --create --topic h --partitions 3\ncurl -d '{HISTORY_OF_H}' c\n", suffix=".sh"
    ),
    "message-prefix-left-out": Case(
        text="""```sql
select pg_logical_emit_message(true, 'outbox', '{}');
```
```json
{"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "message.prefix.include.list": "events"}
```
""",
        suffix=".md",
    ),
    "registry-not-named": Case({"value.converter": AVRO["value.converter"]}),
    "replica-set-not-named": Case({"mongodb.connection.string": "mongodb://db:27017"}, on="mongodb"),
    "script-on-deletes": Case(
        {
            "transforms": "filter,outbox",
            "transforms.filter.type": "io.debezium.transforms.Filter",
            "transforms.filter.condition": "value.after.status != 'IMPORTED'",
            "transforms.filter.topic.regex": ".*",
        }
    ),
    "updated-row-stops": Case(
        text="""```sql
update public.outbox set sent = true;
```
```json
{"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "table.include.list": "public.outbox",
 "transforms": "outbox", "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
 "transforms.outbox.table.op.invalid.behavior": "fatal"}
```
""",
        suffix=".md",
    ),
    "backslash-lost": Case(text="connector.class=a.B\ntable.include.list=public.outbox_\\d+\n", suffix=".properties"),
    "body-refused": Case(text=POSTED % ("/connectors/a/config -X PUT", JSON_HEADER), suffix=".sh"),
    "body-sent-both-ways": Case(text=BOTH_WAYS, suffix=".md"),
    "body-not-sent": Case(text=POSTED.replace(" -d ", " ") % ("/connectors -X POST", JSON_HEADER), suffix=".sh"),
    "method-refused": Case(text=POSTED % ("/connectors -X PUT", JSON_HEADER), suffix=".sh"),
    "content-type-missing": Case(text=POSTED % ("/connectors", ""), suffix=".sh"),
    "connector-name-differs": Case(text='{"name": "a", "config": {"connector.class": "a.B", "name": "b"}}'),
    "not-started": Case(text='{"name": "a", "config": {"connector.class": "a.B"}, "initial_state": "PAUSED"}'),
    "trailing-comment": Case(text="connector.class=a.B\ntasks.max=1 # one\n", suffix=".properties"),
    "event-skipped-on-failure": Case({"event.processing.failure.handling.mode": "skip"}),
    "snapshot-without-lock": Case({"snapshot.locking.mode": "none"}, on="mysql"),
    "converter-option-unread": Case({"value.converter": NONE, "value.converter.schemas.enable": "false"}),
    "null-behavior-without-expansion": Case({f"{R}table.json.payload.null.behavior": "ignore"}),
    "left-at-default": Case({"slot.name": NONE, "heartbeat.interval.ms": NONE}),
    "table-filter-never-matches": Case({"table.include.list": "outbox"}),
    "heartbeat-writes-outbox": Case({"heartbeat.action.query": "update public.outbox set payload = payload"}),
    "topic-pattern-never-matches": Case(
        {
            "transforms": "outbox,rename",
            "transforms.rename.type": f"{KAFKA}.transforms.RegexRouter",
            "transforms.rename.regex": r"shop\.public\.(.*)",
            "transforms.rename.replacement": "$1",
        }
    ),
    "group-expanded": Case(
        text="debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
        f"debezium.transforms=outbox\ndebezium.transforms.outbox.type={ROUTER}\n"
        "debezium.transforms.outbox.route.topic.replacement=${routedByValue}.events",
        suffix=".properties",
    ),
    "default-column-differs": Case({f"{R}table.field.event.key": "aggregate_id"}),
    "example-password": Case({"database.password": "postgres"}),
    "malformed-key": Case({'plugin.name"': "pgoutput"}),
    "duplicate-key": Case(text='{"connector.class": "x.Y", "tasks.max": "1", "tasks.max": "2"}'),
    "value-not-string": Case(text='{"connector.class": "x.Y", "transforms": ["outbox"]}'),
    "nonexistent-option": Case({f"{R}table.field.payload.id.field": "id"}),
    "unknown-option": Case({"heartbeat.intervall.ms": "5"}),
    "option-without-prefix": Case({"route.by.field": "aggregatetype"}),
    "worker-option": Case({"topic.creation.enable": "true"}),
    "removed-option": Case({"database.server.name": "shop"}),
    "option-too-new": Case({"publish.via.partition.root": "true"}, release="3.1"),
    "option-without-effect": Case({f"{R}table.field.event.type": "type"}),
    "invalid-value": Case({"snapshot.mode": "never"}),
    "queue-not-larger": Case({"max.queue.size": "2048"}),
    "invalid-host": Case({"database.hostname": "postgres:5432"}),
    "required-option-missing": Case({"topic.prefix": NONE}),
    "removed-class": Case({"value.converter": "io.debezium.converters.ByteBufferConverter"}),
    "unknown-class": Case({"value.converter": "org.apache.kafka.connect.json.JSONConverter"}),
    "conflicting-options": Case({"table.exclude.list": "public.carts"}),
    "strimzi-cluster-missing": Case(
        text="kind: KafkaConnector\nmetadata: {name: a}\nspec: {class: a.B, config: {topic.prefix: shop}}\n",
        suffix=".yaml",
    ),
    "strimzi-option-ignored": Case(
        text="kind: KafkaConnector\nspec: {class: a.B, config: {tasks.max: 1}}\n", suffix=".yaml"
    ),
    "server-stream-in-memory": Case(
        text=f"{SERVER}debezium.sink.type=nats-jetstream\ndebezium.sink.nats-jetstream.create-stream=true\n",
        suffix=".properties",
    ),
    "no-converter": Case({"value.converter": "io.confluent.kafka.serializers.KafkaAvroSerializer"}),
    "removed-by-kafka": Case(
        {
            "transforms": "outbox,drop",
            "transforms.drop.type": f"{KAFKA}.transforms.ReplaceField$Value",
            "transforms.drop.blacklist": "a",
        }
    ),
    "connector-of-another-database": Case({"database.hostname": "mariadb-0"}, on="mysql"),
    "removed-storage-class": Case(
        text=f"{SERVER}debezium.source.offset.storage=io.debezium.server.redis.RedisOffsetBackingStore\n",
        suffix=".properties",
    ),
    "transactions-abandoned": Case({"log.mining.transaction.retention.ms": "60000"}, on="oracle"),
    "no-login": Case(
        text='{"connector.class": "io.debezium.connector.sqlserver.SqlServerConnector", "database.names": "shop"}'
    ),
    "reference-expanded": Case(
        text='curl -d @- connect <<EOF\n{"connector.class": "a.B", "b": "${file:/run/access:password}"}\nEOF\n',
        suffix=".sh",
    ),
    # chain
    "no-router": Case({"transforms": "", f"{R}type": NONE, f"{R}predicate": NONE}),
    "options-of-no-transformation": Case({"transforms.outobx.table.field.event.key": "order_id"}),
    "transformation-not-listed": Case({"transforms.other.type": f"{KAFKA}.transforms.RegexRouter"}),
    "transformation-without-type": Case({"transforms": "first,outbox"}),
    "unwrap-before-router": Case(
        {"transforms": "flat,outbox", "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState"}
    ),
    "partition-routing-after-router": Case(
        {
            "transforms": "outbox,p",
            "transforms.p.type": "io.debezium.transforms.partitions.PartitionRouting",
            "transforms.p.partition.payload.fields": "after.id",
            "transforms.p.partition.topic.num": "3",
        }
    ),
    "wrong-router": Case({f"{R}type": ROUTER}, on="mongodb"),
    "mongo-operation-option": Case({f"{R}collection.op.invalid.behavior": "fatal"}, on="mongodb"),
    "predicate-not-declared": Case({f"{R}predicate": "false"}),
    "no-predicate": Case({f"{R}predicate": NONE}),
    "transformation-without-predicate": Case(
        {
            "transforms": "h,outbox",
            "transforms.h.type": f"{KAFKA}.transforms.ValueToKey",
            "transforms.h.fields": "a",
        }
    ),
    "predicate-never-matches": Case({"predicates.isOutbox.pattern": "public.outbox"}),
    "predicate-unescaped-dots": Case({"predicates.isOutbox.pattern": "shop.public.outbox"}),
    "predicate-misses-partitions": Case(
        schema=OVERRIDE % "publication.autocreate.mode: filtered" + "table: {retention: partition}\n"
    ),
    # payload
    "json-converter-on-text-payload": Case({"value.converter": JSON, "value.converter.schemas.enable": "false"}),
    "converter-not-set": Case({"key.converter": NONE}),
    "schemas-enable-not-set": Case({**EXPANDED, "value.converter.schemas.enable": NONE}),
    "schemas-enabled": Case({**EXPANDED, "value.converter.schemas.enable": "true"}),
    "schemas-enable-ignored": Case({"value.converter.schemas.enable": "false"}),
    "expand-without-structured-converter": Case({EXPAND: "true"}),
    "expand-with-registry": Case({EXPAND: "true", **AVRO}),
    "record-name-collision": Case(
        {
            EXPAND: "true",
            **AVRO,
            "value.converter.value.subject.name.strategy": "io.confluent.kafka.serializers.subject.RecordNameStrategy",
        }
    ),
    "schema-version-with-expansion": Case(
        {**EXPANDED, f"{R}table.field.event.schema.version": "version", PLACEMENT: "type:envelope"}
    ),
    "schema-version-without-envelope": Case({f"{R}table.field.event.schema.version": "version"}),
    "delegate-converter-missing": Case({"value.converter": BINARY}),
    "delegate-option-prefix": Case(
        {
            "value.converter": BINARY,
            "value.converter.delegate.converter.type": JSON,
            "value.converter.delegate.converter.schemas.enable": "false",
        }
    ),
    "bytes-converter-without-delegate": Case({"value.converter": f"{KAFKA}.converters.ByteArrayConverter"}),
    "mongo-table-option": Case({f"{R}table.expand.json.payload": "true"}, on="mongodb"),
    "tombstones-disabled": Case(
        schema="events:\n  - {type: Gone, aggregate: Order, tombstone: true}\n"
        f"connect: {{config: {{{R}route.tombstone.on.empty.payload: 'false'}}}}\n"
    ),
    "cloudevents-headers-missing": Case({"value.converter": "io.debezium.converters.CloudEventsConverter"}),
    "expand-root-array": Case(schema=payload("{type: array}")),
    "expand-wide-integer": Case(schema=payload("{type: object, properties: {n: {type: integer}}}")),
    "expand-array-of-objects": Case(
        schema=payload("{type: object, properties: {lines: {type: array, items: {type: object}}}}")
    ),
    "expand-changes-decimals": Case(schema=payload("{type: object, properties: {total: {type: number}}}")),
    "expand-drops-nulls": Case(EXPANDED),
    "empty-array-behavior": Case(
        {**EXPANDED, f"{R}table.json.payload.empty.array.behavior": "optional_string"}, release="3.7"
    ),
    "binary-payload-as-text": Case(
        schema="table: {payload: bytes}\n" + OVERRIDE % f"value.converter: {STRING}",
    ),
    "text-payload-as-bytes": Case(
        text=PAGE.format(columns="payload jsonb", change=f'"value.converter": "{BYTES}"'), suffix=".md"
    ),
    "binary-made-text": Case({"value.converter": BINARY, "binary.handling.mode": "hex"}),
    # keys
    "json-key-converter": Case({"key.converter": JSON, "key.converter.schemas.enable": "false"}),
    "key-is-event-id": Case({f"{R}table.field.event.key": "id"}),
    "key-is-type": Case({f"{R}table.field.event.key": "AggregateType"}),
    "binary-key-as-text": Case(
        {
            f"{R}table.field.event.key": "key_bin",
            "value.converter": BINARY,
            "value.converter.delegate.converter.type": JSON,
        }
    ),
    # routing
    "invalid-regex": Case({f"{R}route.topic.regex": "(?P<r>.*)"}),
    "unknown-regex-group": Case({f"{R}route.topic.replacement": "${r}-events"}),
    "route-regex-mismatch": Case(schema=OVERRIDE % f"{R}route.topic.regex: '([a-z]+)'"),
    "partial-regex-match": Case({f"{R}route.topic.regex": "(.+?)", f"{R}route.topic.replacement": "$1-events"}),
    "invalid-topic-name": Case({f"{R}route.topic.replacement": "shop/$0"}),
    "topic-name-collision": Case(
        schema="events:\n  - {type: A, aggregate: Order.Line}\n  - {type: B, aggregate: Order_Line}\n"
    ),
    "default-topic-replacement": Case({f"{R}route.by.field": "destination"}),
    "route-column-type": Case(
        schema="table: {extra: [{name: lane, kind: integer}]}\n" + OVERRIDE % f"{R}route.by.field: lane"
    ),
    "unknown-column": Case(schema=OVERRIDE % f"{R}table.field.event.key: aggregate_id"),
    "after-state-only": Case({"after.state.only": "true"}),
    "column-not-in-table": Case(
        text=PAGE.format(columns="body jsonb", change='"snapshot.mode": "no_data"'), suffix=".md"
    ),
    # what transformations receive
    "field-not-in-envelope": Case(
        {"transforms": "k,outbox", "transforms.k.type": f"{KAFKA}.transforms.ValueToKey", "transforms.k.fields": "id"}
    ),
    "envelope-field-of-row": Case(
        {
            "transforms": "row,a",
            "transforms.row.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.a.type": f"{KAFKA}.transforms.ExtractField$Value",
            "transforms.a.field": "after",
        }
    ),
    "passes-without-envelope": Case(
        {
            "transforms": "row,a",
            "transforms.row.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.a.type": "io.debezium.transforms.ExtractChangedRecordState",
        }
    ),
    "key-of-tombstone": Case(
        {
            "transforms": "row,a",
            "transforms.row.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.row.delete.tombstone.handling.mode": "tombstone",
            "tombstones.on.delete": "true",
            "transforms.a.type": f"{KAFKA}.transforms.ValueToKey",
            "transforms.a.fields": "id",
        }
    ),
    "struct-after-router": Case(
        {
            "transforms": "outbox,k",
            "transforms.k.type": f"{KAFKA}.transforms.ExtractField$Key",
            "transforms.k.field": "id",
        }
    ),
    "filter-without-predicate": Case({"transforms": "f,outbox", "transforms.f.type": f"{KAFKA}.transforms.Filter"}),
    "filter-drops-inserts": Case(FILTER | {"transforms.f.condition": "value.op == 'd'"}),
    "script-without-rows": Case(FILTER | {"transforms.f.condition": "value.after.type == 'a'"}),
    "partition-routing-before-router": Case(
        {"transforms": "p,outbox", "transforms.p.type": "io.debezium.transforms.partitions.PartitionRouting"}
    ),
    "event-id-dropped": Case(
        {
            "transforms": "outbox,d",
            "transforms.d.type": f"{KAFKA}.transforms.DropHeaders",
            "transforms.d.headers": "a, id",
        }
    ),
    "replacement-without-group": Case(
        {
            "transforms": "outbox,r",
            "transforms.r.type": f"{KAFKA}.transforms.RegexRouter",
            "transforms.r.regex": "shop.*",
            "transforms.r.replacement": "$1",
        }
    ),
    "transformation-option-missing": Case(
        {"transforms": "outbox,k", "transforms.k.type": f"{KAFKA}.transforms.HoistField$Value"}
    ),
    "needed-at-start": Case({"signal.enabled.channels": "source,kafka"}),
    # snapshots
    "snapshot-mode-no-data": Case({"snapshot.mode": "no_data"}),
    "snapshot-without-streaming": Case({"snapshot.mode": "configuration_based"}),
    "snapshot-limited": Case({"snapshot.select.statement.overrides.public.outbox": "select * from o limit 9"}),
    "snapshot-reads-uncommitted": Case(SQLSERVER | {"snapshot.isolation.mode": "read_uncommitted"}, on="mysql"),
    # the producer, and topics
    "serializer-overridden": Case({"producer.override.value.serializer": "a.StringSerializer"}),
    "no-producer-option": Case({"producer.override.value.converter.schemas.enable": "false"}),
    "requests-in-flight": Case({"producer.override.max.in.flight.requests.per.connection": "5"}),
    "delivery-timeout-too-short": Case({"producer.override.delivery.timeout.ms": "20000"}),
    "short-retention": Case({"topic.creation.default.retention.ms": "60000"}),
    # the schema history
    "history-in-memory": Case(
        {"schema.history.internal": "io.debezium.relational.history.MemorySchemaHistory"}, on="mysql"
    ),
    "storage-incomplete": Case(
        {"schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory"}, on="mysql"
    ),
    "unknown-storage-option": Case({"schema.history.internal.kafka.recover.attempts": "5"}, on="mysql"),
    # columns of the table
    "column-spelt-otherwise": Case(text=PAGE.format(columns='"Payload" jsonb', change='"a": "b"'), suffix=".md"),
    "binary-key-column": Case(
        text=PAGE.format(
            columns="k bytea, payload jsonb", change=f'"{R}table.field.event.key": "k", "key.converter": "{STRING}"'
        ),
        suffix=".md",
    ),
    "number-without-scale": Case(
        text=PAGE.replace("postgresql.PostgresConnector", "oracle.OracleConnector").format(
            columns="K NUMBER NOT NULL", change=f'"{R}table.field.event.key": "K", "key.converter": "{STRING}"'
        ),
        suffix=".md",
    ),
    "generated-column-read": Case(
        text=PAGE.format(columns="t text generated always as (id::text) stored", change=f'"{PLACEMENT}": "t:header"'),
        suffix=".md",
    ),
    "unlogged-table": Case(
        text=PAGE.replace("create table", "create unlogged table").format(columns="payload jsonb", change='"a": "b"'),
        suffix=".md",
    ),
    # filters
    "oracle-long-name": Case({"table.include.list": f"SHOP.OUTBOX_{'X' * 30}"}, on="oracle"),
    "outer-filter-excludes-table": Case({"schema.include.list": "sales"}),
    "whole-name-expected": Case(SQLSERVER | {"signal.data.collection": "dbo.signals"}, on="mysql"),
    "publication-lacks-table": Case(
        text=PAGE.format(columns="payload jsonb);create publication p for table other with (a=b", change=PUBLICATION),
        suffix=".md",
    ),
    "publication-without-tables": Case({"publication.autocreate.mode": "no_tables"}),
    "read-column-left-out": Case(
        {"column.exclude.list": r"public\.outbox\.pay.*", "table.include.list": "public.outbox"}
    ),
    "payload-masked": Case({"column.mask.with.5.chars": "public.outbox.payload"}),
    # one database
    "position-not-confirmed": Case({"flush.lsn.source": "false"}),
    "oracle-query-filter": Case(
        {"log.mining.query.filter.mode": "in", "table.include.list": "SHOP.OUTBOX.*"}, on="oracle"
    ),
    "gtid-of-one-server": Case({"gtid.source.includes": "24bc7850-2c16-11e6-a073-0242ac110002"}, on="mysql"),
    "mongo-pipeline-drops-inserts": Case(
        {"cursor.pipeline": '[{"$match": {"operationType": {"$in": ["update"]}}}]'}, on="mongodb"
    ),
    "mongo-large-documents-skipped": Case({"cursor.oversize.handling.mode": "skip"}, on="mongodb"),
    "invalid-connection-string": Case({"mongodb.connection.string": "mongodb+srv://db.example:27017"}, on="mongodb"),
    "mongo-field-left-out": Case({"field.exclude.list": "shop.outbox.payload"}, on="mongodb"),
    "slot-trusted": Case({"offset.mismatch.strategy": "trust_slot"}),
    "retries-disabled": Case({"errors.max.retries": "0"}),
    "database-filter-never-matches": Case(
        {"database.include.list": "shop.outbox", "table.include.list": NONE}, on="mysql"
    ),
    "field-lost-with-envelope": Case(
        {
            "transforms": "origin,outbox",
            "transforms.origin.type": f"{KAFKA}.transforms.InsertField$Value",
            "transforms.origin.static.field": "origin",
            "transforms.origin.static.value": "shop",
        }
    ),
    "history-without-security": Case(
        {"schema.history.internal.kafka.bootstrap.servers": "b-1.a.kafka.eu-west-1.amazonaws.com:9098"}, on="mysql"
    ),
    # access
    "strimzi-not-running": Case(text=WORKER.replace("  config: {", "  state: paused\n  config: {"), suffix=".yaml"),
    "invalid-resource-name": Case(text=WORKER.replace("name: shop", "name: shop_a"), suffix=".yaml"),
    "worker-forbids": Case(text=STRICT_WORKER, suffix=".yaml"),
    "connector-resources-off": Case(text=WORKER, suffix=".yaml"),
    "dollar-doubled": Case({"database.password": "$${env:PASSWORD}"}),
    "passwords-logged": Case({"custom.sanitize.pattern": ".*token"}),
    "reference-without-provider": Case(text=WORKER, suffix=".yaml"),
    "file-not-mounted": Case(text=MOUNTED, suffix=".yaml"),
    "two-names": Case({"name": "other"}),
    # what stands beside the connector
    "database-not-created": Case(text=COMPOSED.replace("dbname: shop", "dbname: store"), suffix=".yml"),
    "account-password-differs": Case(text=COMPOSED.replace("password: a", "password: b"), suffix=".yml"),
    "account-without-replication": Case(text=COMPOSED_MYSQL, suffix=".yml"),
    "replica-set-missing": Case(
        text="services:\n  db:\n    image: mongo:7\n"
        "x: {connector.class: io.debezium.connector.mongodb.MongoDbConnector, mongodb.connection.string: 'mongodb://db'}\n",
        suffix=".yml",
    ),
    "replica-set-differs": Case(
        text="""docker run mongo:7 --replSet rs1
curl -d '{"connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
"mongodb.connection.string": "mongodb://mongo:27017/?replicaSet=rs0"}' a
""",
        suffix=".sh",
    ),
    "brokers-without-listener": Case(
        text=resources.RDS.replace(
            'bootstrap_servers = "a"', "bootstrap_servers = aws_msk_cluster.a.bootstrap_brokers_tls"
        )
        + 'resource "aws_msk_cluster" "a" {\n  client_broker = "PLAINTEXT"\n}\n',
        suffix=".tf",
    ),
    "publication-not-created": Case(
        text=BESIDE_SQL.format(
            "create publication p for table outbox;",
            '"plugin.name": "pgoutput", "publication.name": "q", "publication.autocreate.mode": "disabled"',
        ),
        suffix=".md",
    ),
    "table-in-another-schema": Case(
        text=BESIDE_SQL.format("create table app.outbox (id uuid);", '"table.include.list": "public.outbox"'),
        suffix=".md",
    ),
    "server-routing-key-not-of-topic": Case(
        text=f"{SERVER}debezium.sink.type=rabbitmq\ndebezium.sink.rabbitmq.routingKeyFromTopicName=true\n",
        suffix=".properties",
    ),
    "server-redis-password-missing": Case(
        text="services:\n  redis:\n    image: redis\n    command: redis-server --requirepass a\n"
        "  server:\n    image: debezium/server:3.6\n    environment:\n"
        "      DEBEZIUM_SOURCE_CONNECTOR_CLASS: a.B\n      DEBEZIUM_SINK_TYPE: redis\n",
        suffix=".yml",
    ),
    "quoted-worker-variable": Case(
        text="services:\n  connect:\n    image: debezium/connect:3.6\n    environment:\n"
        '      - CONFIG_STORAGE_TOPIC=a\n      - KEY_CONVERTER="a.B"\nx: {connector.class: a.B}\n',
        suffix=".yml",
    ),
    "field-of-another-source": Case(
        {
            "transforms": "a",
            "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.a.add.fields": "op,gtid",
        }
    ),
    "list-in-brackets": Case(
        {
            "transforms": "a",
            "transforms.a.type": f"{KAFKA}.transforms.ValueToKey",
            "transforms.a.fields": '["id", "kind"]',
        }
    ),
    "parameter-group-not-used": Case(text=re.sub(r".*parameter_group_name.*\n", "", resources.RDS), suffix=".tf"),
    "backups-switched-off": Case(text=resources.RDS_OF_MYSQL.replace("period = 7", "period = 0"), suffix=".tf"),
    "plugin-archive-not-read": Case(text=resources.RDS.replace("debezium.zip", "debezium.tar.gz"), suffix=".tf"),
    "network-of-managed-missing": Case(text=resources.RDS.replace("vpc {", "other {"), suffix=".tf"),
    "strimzi-cluster-unknown": Case(text=resources.STRIMZI.replace("cluster: pipes", "cluster: kafka"), suffix=".yaml"),
    "terminal-for-text": Case(
        text='docker exec -it db psql <<EOF\nselect 1\nEOF\ncurl -d \'{"connector.class": "a.B"}\' c/connectors\n',
        suffix=".sh",
    ),
    "strimzi-version-not-served": Case(
        text=resources.STRIMZI.replace("v1beta2\nkind: KafkaConnect\n", "v1alpha1\nkind: KafkaConnect\n"),
        suffix=".yaml",
    ),
    "worker-without-plugin": Case(text=resources.STRIMZI.replace("  image: pipes:1\n", ""), suffix=".yaml"),
    "secret-not-readable": Case(text=resources.STRIMZI.replace("name: pipes-connect", "name: pipes"), suffix=".yaml"),
    "topic-not-granted": Case(
        text=resources.STRIMZI.replace("topic: pipes.history", "topic: a.history"), suffix=".yaml"
    ),
    "variable-not-in-worker": Case(
        text=resources.STRIMZI.replace("{env:ORDERS_DB_PASSWORD", "{env:ORDERS_DB_PASS"), suffix=".yaml"
    ),
    "folder-as-file": Case(text=resources.STRIMZI.replace("/mnt/login/a.properties", "/mnt/login"), suffix=".yaml"),
    "wal-level-left-at-default": composed("debezium/connect:3.6", connector={}),
    "binlog-format-mixed": Case(
        text="services:\n  db:\n    image: mariadb:11\n    command: --log-bin=a --server-id=1\n"
        "x: {connector.class: io.debezium.connector.mariadb.MariaDbConnector}\n",
        suffix=".yml",
    ),
    "too-few-slots": Case(
        text="\n".join(f"```json\n{json.dumps(POSTGRES_AT_DB | {'slot.name': name})}\n```" for name in ("a", "b"))
        + "\n```yaml\ncommand: postgres -c max_replication_slots=1\n```\n",
        suffix=".md",
    ),
    "certificate-not-trusted": Case(
        text="services:\n  db:\n    image: mcr.microsoft.com/mssql/server:2022-latest\n"
        "x: {connector.class: io.debezium.connector.sqlserver.SqlServerConnector, database.hostname: db}\n",
        suffix=".yml",
    ),
    "role-without-replication": Case(
        text=BESIDE_SQL.format("create role cdc login password 'x';", '"database.user": "cdc"'), suffix=".md"
    ),
    "mongo-member-is-localhost": Case(
        text="""docker exec m mongosh --eval 'rs.initiate({_id: "a", members: [{_id: 0, host: "localhost:27017"}]})'
curl -d '{"connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
"mongodb.connection.string": "mongodb://mongo:27017/?replicaSet=a"}' a
""",
        suffix=".sh",
    ),
    "mongo-key-field": Case(
        {
            "transforms": "a",
            "transforms.a.type": f"{KAFKA}.transforms.ExtractField$Key",
            "transforms.a.field": "_id",
        },
        on="mongodb",
    ),
    "unknown-option-of-sink": Case(
        {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", "table.format": "a"}
    ),
    "link-as-address": Case({"value.converter.schema.registry.url": "[http://a:8081](http://a:8081)"}),
    "broker-not-in-network": Case(text=WITH_BROKER.replace("  kafka:", "  broker:"), suffix=".yml"),
    "url-without-database": Case(
        {
            "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
            "connection.url": "jdbc:mysql://db:3306/?useSSL=false",
            "topics": "orders",
        }
    ),
    "combination-refused": Case(
        {"connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector", "connection.username": "a"}
    ),
    "json-in-text": Case(
        {
            "connector.class": "com.mongodb.kafka.connect.MongoSourceConnector",
            "transforms": "",
            "value.converter": f"{KAFKA}.json.JsonConverter",
        }
    ),
    "record-in-all-tables": Case(
        {"connector.class": "org.apache.iceberg.connect.IcebergSinkConnector", "iceberg.tables": "a.b,a.c"}
    ),
    "path-format-letters": Case(
        ARCHIVE
        | {
            "partitioner.class": "io.confluent.connect.storage.partitioner.TimeBasedPartitioner",
            "path.format": "dt=YYYY-MM-dd",
        }
    ),
    "text-in-key": Case(
        {
            "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
            "connection.url": "jdbc:mysql://db/shop",
            "auto.create": "true",
            "pk.mode": "kafka",
        }
    ),
    "delete-without-value": Case(
        text=f"{SERVER}debezium.sink.type=http\ndebezium.transforms=a\ndebezium.transforms.a.type={UNWRAP}\n",
        suffix=".properties",
    ),
    "converter-option-without-prefix": Case({"connector.class": "a.SinkConnector", "schemas.enable": "false"}),
    "reference-with-default": Case({"database.user": "${env:USER:cdc}"}),
    "former-connector-class": Case({"connector.class": "streams.kafka.connect.sink.Neo4jSinkConnector"}),
    "no-such-connector": Case({"connector.class": "io.debezium.connector.cassandra.CassandraConnector"}),
    "registry-api-of-apicurio": Case(
        AVRO | {"value.converter.schema.registry.url": "http://registry:8080/apis/registry/v2"}
    ),
    "avro-name-invalid": Case(text=json.dumps(POSTGRES_AT_DB | AVRO | {"topic.prefix": "my-shop"}), suffix=".json"),
    "record-without-timestamp": Case(
        {
            "transforms": "stamp,outbox",
            "transforms.stamp.type": f"{KAFKA}.transforms.InsertField$Value",
            "transforms.stamp.timestamp.field": "sent_at",
        }
    ),
    "week-year-in-format": Case(
        {
            "transforms": "a",
            "transforms.a.type": f"{KAFKA}.transforms.TimestampConverter$Value",
            "transforms.a.target.type": "string",
            "transforms.a.format": "YYYY-MM-dd",
        }
    ),
    "sink-gets-plain-value": Case(
        {
            "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
            "transforms": "a,b",
            "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.b.type": f"{KAFKA}.transforms.ExtractField$Value",
            "transforms.b.field": "a",
        }
    ),
    # Debezium Server
    "server-sink-unsafe": Case(text=f"{SERVER}debezium.sink.rabbitmq.deliveryMode=1\n", suffix=".properties"),
    "unknown-sink-setting": Case(
        text=f"{SERVER}debezium.sink.type=redis\ndebezium.sink.redis.stream.name=a\n", suffix=".properties"
    ),
    "invalid-sink-address": Case(text=f"{SERVER}debezium.sink.redis.address=redis://a:6379\n", suffix=".properties"),
    "unknown-sink": Case(text=f"{SERVER}debezium.sink.type=nats\n", suffix=".properties"),
    "unknown-server-format": Case(text=f"{SERVER}debezium.format.value=string\n", suffix=".properties"),
    "server-serializer-differs": Case(
        text=f"{SERVER}debezium.sink.type=kafka\ndebezium.format.value=avro\n"
        "debezium.sink.kafka.producer.value.serializer=org.apache.kafka.common.serialization.StringSerializer\n",
        suffix=".properties",
    ),
    "server-without-sink": Case(text=SERVER, suffix=".properties"),
    "server-headers-ignored": Case(
        text=f"{SERVER}debezium.sink.type=sqs\ndebezium.transforms=o\ndebezium.transforms.o.type={ROUTER}\n"
        "debezium.transforms.o.table.fields.additional.placement=type:header\n",
        suffix=".properties",
    ),
    "server-partition-ignored": Case(
        text=f"{SERVER}debezium.sink.type=kafka\ndebezium.transforms=o\ndebezium.transforms.o.type={ROUTER}\n"
        "debezium.transforms.o.table.fields.additional.placement=part:partition\n",
        suffix=".properties",
    ),
    "option-without-source-prefix": Case(text=f"{SERVER}table.include.list=public.outbox\n", suffix=".properties"),
    # headers
    "placement-syntax": Case({PLACEMENT: "type"}),
    "unknown-placement": Case({PLACEMENT: "type:headers:eventType"}),
    "placement-whitespace": Case({PLACEMENT: "type:header:eventType, version:header"}, release="2.4"),
    "duplicate-id-header": Case({PLACEMENT: "event_id:header:id"}),
    "duplicate-envelope-field": Case({PLACEMENT: "a:envelope:x,b:envelope:x"}),
    "no-type-header": Case({PLACEMENT: NONE}),
    "json-header-converter": Case({"header.converter": JSON}),
    "binary-header-converter": Case({"header.converter": BINARY}),
    "binary-id": Case({f"{R}table.field.event.id": "id_bin"}),
    "tracing-options": Case({f"{R}tracing.with.context.field.only": "true"}),
    "partition-column-type": Case(
        schema="table: {extra: [{name: lane, kind: bigint}]}\n" + OVERRIDE % f"{PLACEMENT}: 'lane:partition'"
    ),
    "partition-alias": Case({PLACEMENT: "lane:partition:p"}),
    "partition-placement-unsupported": Case({PLACEMENT: "lane:partition"}, release="1.9"),
    "missing-column-option": Case({f"{R}table.fields.additional.error.on.missing": "false"}),
    "debezium-context-headers": Case({PLACEMENT: "type:header", "extended.headers.enabled": NONE}),
    "all-topics-rerouted": Case(
        {
            "transforms": "outbox,all",
            "transforms.all.type": f"{KAFKA}.transforms.RegexRouter",
            "transforms.all.regex": "(.*)",
            "transforms.all.replacement": "events",
        }
    ),
    # times
    "timestamp-precision": Case({f"{R}table.field.event.timestamp": "at", "time.precision.mode": "connect"}),
    "timestamp-column-type": Case(schema=OVERRIDE % f"{R}table.field.event.timestamp: created_at"),
    "timestamp-column": Case({f"{R}table.field.event.timestamp": "at"}),
    # source
    "no-table-filter": Case({"table.include.list": NONE}),
    "multiple-tables": Case({"table.include.list": "public.outbox,public.other", f"{R}predicate": NONE}),
    "decoderbufs": Case({"plugin.name": NONE}),
    "publication-for-all-tables": Case({"publication.autocreate.mode": NONE}),
    "default-slot-name": Case({"slot.name": NONE}),
    "invalid-slot-name": Case({"slot.name": "Shop-Outbox"}),
    "default-publication-name": Case({"publication.name": NONE}),
    "partitions-published-separately": Case(
        schema=OVERRIDE % "publication.autocreate.mode: filtered" + "table: {retention: partition}\n"
    ),
    "snapshot-mode-initial": Case({"snapshot.mode": NONE}),
    "snapshot-mode-always": Case({"snapshot.mode": "always"}),
    "snapshot-only": Case({"snapshot.mode": "initial_only"}),
    "snapshot-mode-recovery": Case({"snapshot.mode": "recovery"}, on="mysql"),
    "snapshot-mode-when-needed": Case({"snapshot.mode": "when_needed"}),
    "truncate-not-skipped": Case({"skipped.operations": "none"}),
    "inserts-skipped": Case({"skipped.operations": "c,t"}),
    "unneeded-tombstones": Case({"tombstones.on.delete": "true"}),
    "update-behavior-fatal": Case({f"{R}table.op.invalid.behavior": "fatal"}),
    "schema-changes-published": Case({"include.schema.changes": NONE}, on="mysql"),
    "transaction-metadata-published": Case({"provide.transaction.metadata": "true"}),
    "status-column": Case(schema=EVENTS + "table: {extra: [{name: status, to: null}]}\n"),
    "column-filter-never-matches": Case({"column.exclude.list": "outbox.created_by"}),
    "oracle-system-schema": Case({"table.include.list": "SYSTEM.OUTBOX"}, on="oracle"),
    # heartbeat
    "no-heartbeat": Case({"heartbeat.interval.ms": NONE}),
    "heartbeat-table-not-captured": Case({"heartbeat.action.query": "insert into elsewhere values (1)"}),
    "heartbeat-update-skipped": Case(
        {"heartbeat.action.query": "update public.heartbeat set at = now()", "skipped.operations": "u,d,t"}
    ),
    "heartbeat-logical-message": Case(
        {"heartbeat.action.query": "select pg_logical_emit_message(false, 'h', '')"}, release="3.5"
    ),
    "heartbeat-transactional-message": Case(
        {"heartbeat.action.query": "select pg_logical_emit_message(true, 'h', '')"}
    ),
    "heartbeat-deletes-rows": Case(
        {"heartbeat.action.query": "delete from outbox where at < now() - interval '1 day'"}
    ),
    "heartbeat-query-unsupported": Case({"heartbeat.action.query": "insert into h values (1)"}, on="mongodb"),
    # databases
    "server-id-of-server": Case({"database.server.id": "1"}, on="mysql"),
    "common-server-id": Case({"database.server.id": "184054"}, on="mysql"),
    "mysql-binary-collation": Case(on="mysql", release="2.3"),
    "oracle-lower-case": Case({f"{R}table.field.event.key": "aggregateid"}, on="oracle"),
    "oracle-lob-disabled": Case({"lob.enabled": NONE}, on="oracle"),
    "oracle-lob-hybrid": Case({"log.mining.strategy": "hybrid"}, on="oracle"),
    "mongo-payload-not-expanded": Case({f"{R}collection.expand.json.payload": NONE}, on="mongodb"),
    "mongo-default-key": Case({f"{R}collection.field.event.key": NONE}, on="mongodb"),
    "mongo-nested-arrays": Case(on="mongodb", release="3.0"),
    "replica-identity-full": Case({"replica.identity.autoset.values": "public.outbox:FULL"}),
    # delivery
    "errors-tolerance-all": Case({"errors.tolerance": "all"}),
    "slot-drop-on-stop": Case({"slot.drop.on.stop": "TRUE "}),
    "dead-letter-queue-on-source": Case({"errors.deadletterqueue.topic.name": "dlq"}),
    "plain-text-secret": Case({"database.password": "Vb7-kkQ2_mirolan"}),
    "history-client-access": Case({"schema.history.internal.producer.security.protocol": "SSL"}, on="mysql"),
    "producer-option-prefix": Case({"max.request.size": "5000000"}),
    "topic-message-size": Case({"producer.override.max.request.size": "5000000"}),
    "payload-truncated": Case({"column.truncate.to.1024.chars": "public.outbox.payload"}),
    "idempotence-disabled": Case({"producer.override.enable.idempotence": "false"}),
    "acks": Case({"producer.override.acks": "1"}),
    "topic-creation-incomplete": Case({"topic.creation.default.partitions": "6"}),
    "topic-creation-group-not-listed": Case(
        {"topic.creation.inner.partitions": "1", "topic.creation.inner.replication.factor": "-1"}
    ),
    "compacted-event-topic": Case(
        {
            "topic.creation.default.cleanup.policy": "compact",
            "topic.creation.default.partitions": "6",
            "topic.creation.default.replication.factor": "-1",
        }
    ),
    "single-replica": Case(
        {"topic.creation.default.partitions": "6", "topic.creation.default.replication.factor": "1"}
    ),
    "tasks-max-ignored": Case({"tasks.max": "4"}),
    "exactly-once-incomplete": Case({"transaction.boundary": "poll"}),
    "internal-converter": Case({"internal.key.converter": JSON}),
    # neighbours
    "duplicate-connector-name": Case(beside={}, name_beside="shop"),
    "shared-topic-prefix": Case(beside={}),
    "shared-slot": Case(beside={}),
    "shared-publication": Case(beside={"database.dbname": "shop", "slot.name": "another"}),
    "shared-history-topic": Case(on="mysql", beside={}),
    "shared-server-id": Case(on="mysql", beside={}),
    "shared-topic": Case(
        schema=EVENTS + "---\nservice: billing\ndatabase: {dialect: postgres, name: billing}\n" + EVENTS
    ),
    # simulated
    "sample-event-fails": Case(
        {
            "transforms": "outbox,rename",
            "transforms.rename.type": f"{KAFKA}.transforms.RegexRouter",
            "transforms.rename.regex": "(.*)",
            "transforms.rename.replacement": "$2",
        }
    ),
    "unexpected-topic": Case(schema=OVERRIDE % f"{R}negate: true"),
    "topic-override": Case(schema=OVERRIDE % f"{R}route.topic.replacement: elsewhere"),
}
