"""Configs that look like a flaw and have none: the rule that they come near to is silent."""

import json
from dataclasses import replace

import pytest

from outbox_kit.lint import run
from outbox_kit.lint.subjects import with_peers
from outbox_kit.lint.texts import from_text
from outbox_kit.versions import Version
from tests.unit.lint.cases import (
    ARCHIVE,
    AVRO,
    BESIDE_SQL,
    BESIDE_WORKER,
    BIGQUERY,
    ENDPOINT,
    ENGINE,
    IN_IMAGE,
    JSON,
    KAFKA,
    MOUNTED,
    NEO4J,
    PARTITIONS,
    ROUTER,
    SERVER,
    SIGNALLED,
    SQLSERVER,
    STRING,
    UNWRAP,
    Case,
    R,
    capturing,
    composed,
    pipeline,
)

MANAGED = """resource "aws_mskconnect_worker_configuration" "a" {
  properties_file_content = <<EOT
config.providers=sm
config.providers.sm.class=com.amazonaws.kafka.config.providers.SecretsManagerConfigProvider
EOT
}
resource "aws_mskconnect_connector" "a" {
  connector_configuration = {
    "connector.class"   = "io.debezium.connector.postgresql.PostgresConnector"
    "database.password" = "$${sm:a:password}"
  }
}
"""
PUT = """#!/bin/sh
put() {
  local name="$1"
  curl -X {method} -H 'Content-Type: application/json' "$URL/connectors/$name/config" -d @-
}
put shop <<'EOF'
{first}
EOF
echo '' | put {other} <<'EOF'
{"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", "topics": "a", "connection.url": "jdbc:b"}
EOF
"""


def put(
    first: str = '{"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", "connection.url": "jdbc:a"}',
    method: str = "PUT",
    other: str = "shop",
) -> Case:
    text = PUT.replace("{first}", first).replace("{method}", method).replace("{other}", other)
    return Case(text=text, suffix=".sh")


REGISTRY = "value.converter.schema.registry.url"
DATED = {
    "transforms": "a",
    "transforms.a.type": f"{KAFKA}.transforms.TimestampConverter$Value",
    "transforms.a.target.type": "string",
}
PLAIN_VALUE = {
    "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
    "transforms": "a,b",
    "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.b.type": f"{KAFKA}.transforms.ExtractField$Value",
    "transforms.b.field": "a",
}
KEYED = {"transforms": "a", "transforms.a.type": f"{KAFKA}.transforms.ExtractField$Key", "transforms.a.field": "_id"}
EXPANDED_NAME = """#!/bin/sh
curl -X POST a/connectors -d @- <<EOF
{"name": "a", "config": {"connector.class": "a.B", "transforms": "r",
"transforms.r.type": "io.debezium.transforms.ByLogicalTableRouter",
"transforms.r.topic.regex": "(.*)", "transforms.r.topic.replacement": "a-$1"}}
EOF
"""
QUOTING = r"""curl -X POST a/connectors -d '{"name": "a", "config": {"connector.class": "a.B",
"transforms": "f", "transforms.f.type": "io.debezium.transforms.Filter", "transforms.f.language": "jsr223.groovy",
"transforms.f.condition": "value.op == '\''c'\'' || value.get(''b'') == null"}}'
"""
SEARCH = "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector"
PLAIN_JSON = {
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}
SCRIPT = "io.debezium.transforms.Filter"


def script(name: str, condition: str) -> Case:
    keys = {f"transforms.{name}.type": SCRIPT, f"transforms.{name}.language": "groovy"}
    return Case({"transforms": f"{name},outbox", **keys, f"transforms.{name}.condition": condition})


def routing(expression: str) -> Case:
    keys = {"type": "io.debezium.transforms.ContentBasedRouter", "language": "jsr223.groovy"}
    values = {**keys, "topic.expression": expression}
    return Case({"transforms": "a", **{f"transforms.a.{name}": value for name, value in values.items()}})


def step(kind: str, name: str = "a", *, before: bool = True, **values: str) -> Case:
    keys = {f"transforms.{name}.{key.replace('_', '.')}": value for key, value in values.items()}
    order = f"{name},outbox" if before else f"outbox,{name}"
    return Case({"transforms": order, f"transforms.{name}.type": f"{KAFKA}.transforms.{kind}", **keys})


def routed(topics: str) -> Case:
    router = {
        "transforms": "o",
        "transforms.o.type": ROUTER,
        "transforms.o.route.topic.replacement": "${routedByValue}.events",
    }
    return pipeline(router, {"connector.class": "a.BSinkConnector", "topics": topics})


def tombstones(change: dict[str, str]) -> Case:
    chain = {
        "transforms": "row,key",
        "transforms.row.type": UNWRAP,
        "transforms.key.type": f"{KAFKA}.transforms.ValueToKey",
    }
    return Case({"tombstones.on.delete": "true"} | chain | {"transforms.key.fields": "id"} | change)


def without(key: str, case: Case) -> Case:
    config = {name: value for name, value in case.config().items() if name != key}
    return Case(text=json.dumps({"name": "shop", "config": config}))


def server(settings: str) -> Case:
    return Case(text=SERVER + settings.replace(" ", "\n") + "\n", suffix=".properties")


def foreign(kind: str, **options: str) -> Case:
    return Case({"connector.class": f"io.debezium.connector.{kind}", **options})


def page(sql: str, options: dict[str, str]) -> Case:
    return Case(text=BESIDE_SQL.format(sql, json.dumps(options)[1:-1]), suffix=".md")


def compose(image: str, command: str, table: str = "a.b") -> Case:
    kind = "io.debezium.connector.mariadb.MariaDbConnector"
    text = f"services:\n  db:\n    image: {image}\n    command: {command}\n"
    return Case(text=f"{text}x: {{connector.class: {kind}, table.include.list: {table}}}\n", suffix=".yml")


FILTERED = {
    "plugin.name": "pgoutput",
    "publication.name": "p",
    "publication.autocreate.mode": "filtered",
    "slot.name": "s",
    "table.include.list": "public.outbox",
}
XSTREAM = {"database.connection.adapter": "xstream"}
SIGNALS = "signal.data.collection"
IDENTITY = "no bigint generated always as identity"
UNCHANGED = {"table.include.list": "a.t", "skip.messages.without.change": "true"}
COMPACTED = {"table.include.list": "a.t", "topic.creation.default.cleanup.policy": "compact"}
OVERRIDE = "snapshot.select.statement.overrides"
DECIMALS = {
    "table.include.list": "a.t",
    "value.converter": f"{KAFKA}.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}
SINK = {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", "transforms": ""}
ROWS_ONLY = {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector"}
ROW = {"transforms": "row", "transforms.row.type": UNWRAP}
DROP = {"transforms.row.delete.tombstone.handling.mode": "drop"}
HANDLERS = "com.mongodb.kafka.connect.sink.cdc.debezium."
HANDLER = f"{HANDLERS}rdbms.RdbmsHandler"
MONGO = "transforms.outbox.collection."
SNOWFLAKE = "com.snowflake.kafka.connector.records.SnowflakeJsonConverter"
WATERMARKS = '"signal.data.collection": "public.signals",'
LOGIN = {"producer.override.sasl.mechanism": "PLAIN"}
VITESS = "io.debezium.connector.vitess.VitessConnector"
MYSQL = {"connector.class": "io.debezium.connector.mysql.MySqlConnector"}
QUIET = {"include.schema.changes": "false"}
SOURCE = "debezium.source.connector.class"
SENT = (
    'Save as `a.json`:\n\n```json\n{{"name": "a", "config": {{"connector.class": "a.B", "database.password": "{}"}}}}\n'
    "```\n\n```sh\n{}\n```\n"
)
WORKER = (
    "services:\n  c:\n    image: {}\n    environment:\n      CONNECT_CONFIG_STORAGE_TOPIC: a\n{}"
    "x: {{connector.class: a.B}}\n"
)


def of_image(release: str, folder: str) -> Case:
    run = f"docker run -v $PWD/conf:{folder} debezium/server:{release}"
    return Case(text=f"```properties\n{SERVER}```\n\n```sh\n{run}\n```\n", suffix=".md", release=release)


def sent(password: str, command: str) -> Case:
    return Case(text=SENT.format(password, command), suffix=".md")


def worker(image: str, more: str = "") -> Case:
    return Case(text=WORKER.format(image, more), suffix=".yml")


def filtered(**options: str) -> Case:
    return step("Filter", "f", predicate="isOutbox", **options)


def quoted(value: str) -> Case:
    return Case(text=f'curl -d \'{{\n"connector.class": "a.B",\n"a.condition": "{value}"\n}}\' c\n', suffix=".sh")


def handled(body: str) -> Case:
    options = 'Map.of("connector.class", "a.B")'
    text = f"class A {{ Map<String, String> c = {options}; void run() {{ engine.notifying(this::take); }}\n"
    return Case(text=f"{text}void take(Event e) {{ {body} }} }}\n", suffix=".java")


IN_CONTAINER = f"""class ATest {{
  PostgreSQLContainer<?> database = new PostgreSQLContainer<>("postgres");
  void create() {{ run("CREATE TABLE outbox (id UUID, aggregatetype TEXT, aggregateid TEXT, payload TEXT)"); }}
  ConnectorConfiguration options = ConnectorConfiguration.forJdbcContainer(database)
    .with("transforms", "outbox").with("transforms.outbox.type", "{ROUTER}");
}}
"""
S3 = {"connector.class": "io.confluent.connect.s3.S3SinkConnector", "rotate.interval.ms": "1000", "transforms": ""}
TO_FILL = (
    f"{SERVER}debezium.source.topic.prefix=a\ndebezium.source.database.hostname=b\ndebezium.source.database.dbname=c\n"
    "debezium.source.database.user=\n"
)
STRIMZI = """kind: KafkaConnect
metadata: {{name: a}}
spec:
  bootstrapServers: {worker}
  tls:
    trustedCertificates: []
  config:
    config.storage.topic: c
---
kind: KafkaConnector
metadata: {{name: b, labels: {{strimzi.io/cluster: a}}}}
spec:
  class: io.debezium.connector.mysql.MySqlConnector
  config:
    schema.history.internal.kafka.bootstrap.servers: {history}
"""
LOOP = "for t in {}; do kafka-topics --create --topic ${{t%%:*}} --config cleanup.policy=compact; done"


def envelope(options: str, body: str) -> Case:
    types = f'"connector.class", "a.B", "transforms", "outbox", "transforms.outbox.type", "{ROUTER}"{options}'
    text = f"class A {{ Map<String, String> c = Map.of({types}); void run() {{ engine.notifying(this::take); }}\n"
    return Case(text=f"{text}void take(Event e) {{ {body} }} }}\n", suffix=".java")


def slotted(slot: str) -> str:
    kind = "io.debezium.connector.postgresql.PostgresConnector"
    return f'class A {{ Map<String, String> c = Map.of("connector.class", "{kind}", "slot.name", "s_" + {slot}); }}\n'


def closing(statement: str) -> str:
    engine = "DebeziumEngine<E> engine = DebeziumEngine.create(Json.class).using(c).build()"
    block = f"try ({engine}) {{ executor.execute(engine); {statement} }}"
    return f'class A {{ void run() {{ Map<String, String> c = Map.of("connector.class", "a.B");\n{block} }} }}\n'


def ported(value: str) -> Case:
    text = f'Configuration.create().with("connector.class", "a.B").with("database.port", {value}).build()'
    return Case(text=f"fun of(url: String) = {text}\n", suffix=".kt")


def gated(grant: str) -> Case:
    enabled = "exec sp_cdc_enable_table @source_schema = 'dbo', @source_name = 'outbox', @role_name = 'gate';"
    options = json.dumps(SQLSERVER | {"database.user": "cdc"})
    return Case(text=f"```sql\n{enabled}\n{grant}\n```\n\n```json\n{options}\n```\n", suffix=".md")


def granted(grant: str) -> Case:
    options = {"database.user": "cdc", "heartbeat.action.query": "insert into shop.beat values (1)"}
    kind = {"connector.class": "io.debezium.connector.mysql.MySqlConnector"}
    return Case(text=f"```sql\n{grant}\n```\n\n```json\n{json.dumps(kind | options)}\n```\n", suffix=".md")


def scripted(variable: str) -> Case:
    text = f"services:\n  c:\n    environment:\n      {variable}\n"
    return Case(text=f"{text}x: {{connector.class: a.B, transforms: f, transforms.f.type: {SCRIPT}}}\n", suffix=".yml")


def posted(command: str) -> Case:
    return Case(text=f'```json\n{{"connector.class": "a.B"}}\n```\n\n```sh\n{command}\n```\n', suffix=".md")


def searched(option: str, value: str) -> Case:
    kind = {"connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector"}
    rows = {"transforms": "row,key", "transforms.row.type": "io.debezium.transforms.ExtractNewRecordState"}
    return Case(kind | rows | {"key.converter": f"{KAFKA}.json.JsonConverter", option: value})


def made(command: str) -> Case:
    run = "docker run -e OFFSET_STORAGE_TOPIC=offsets debezium/connect:3.2"
    return Case(
        text=f'{command}\n{run}\ncurl -d \'{{"connector.class": "a.B", "topic.prefix": "a"}}\' c\n', suffix=".sh"
    )


def piped(topics: str, value: str, **source: str) -> Case:
    kind = "io.debezium.connector.postgresql.PostgresConnector"
    router = {"connector.class": kind, "transforms": "o", "transforms.o.type": ROUTER, "table.include.list": "a.b"}
    sink = {"connector.class": "a.BSinkConnector", topics: value}
    return Case(text=json.dumps([router | {key.replace("_", "."): text for key, text in source.items()}, sink]))


DOTTED = "debezium:\n  source:\n    {}\n    topic:\n      prefix: shop\n"
TO_ARCHIVE = ARCHIVE | {"value.converter": JSON}
WITHOUT_SCHEMAS = {"value.converter.schemas.enable": "false"}
TO_KEY = {"transforms": "a", "transforms.a.type": f"{KAFKA}.transforms.ValueToKey", "transforms.a.fields": "id"}
UNWRAPPED = {"transforms": "a", "transforms.a.type": UNWRAP}
OPERATIONS = script("a", "value.op != 'd'").change
TO_MONGO = {"connector.class": "com.mongodb.kafka.connect.MongoSinkConnector"}
OF_DEBEZIUM, TWO_LISTENERS = "debezium/connect", "A://kafka:29092,B://localhost:9092"
OF_MYSQL = {"connector.class": "io.debezium.connector.mysql.MySqlConnector"}
USERS = ("log.mining.username.include.list", "log.mining.username.exclude.list")
DELETES = {"key.ignore": "true", "behavior.on.null.values": "delete"}
OF_HTTP = "debezium.sink.type=http\ndebezium.sink.http.url=http://a\n"
NEAR = [
    (
        "server-position-file",
        Case(
            text="import com.hazelcast.jet.contrib.debezium.DebeziumSources;\nclass A { Configuration c() { return "
            'Configuration.create().with("name", "a").with("connector.class", "a.B").build(); } }',
            suffix=".java",
        ),
    ),
    ("invalid-slot-name", Case({"slot.name": "SHOP_SLOT_NAME"})),
    ("sentence-as-pattern", Case({"comment_database.include.list": "A list of the databases."}, on="mysql")),
    (
        "server-routing-key-not-of-topic",
        Case(
            text=f"{SERVER}debezium.sink.type=rabbitmq\ndebezium.sink.rabbitmq.routingKeyFromTopicName=true\n"
            "debezium.sink.rabbitmq.routingKey.source=topic\n",
            suffix=".properties",
        ),
    ),
    ("plain-text-secret", Case({"database.password": "EH_CONNECTION_STRING"})),
    ("option-of-another-sink", Case({"connector.class": SEARCH, "topic.index.map": "a:b"}, release="1.9")),
    ("week-year-in-format", Case({**DATED, "transforms.a.format": "yyyy-MM-dd"})),
    ("week-year-in-format", Case({**DATED, "transforms.a.format": "YYYY-'W'ww"})),
    ("week-year-in-format", Case({**DATED, "transforms.a.format": "yyyy-MM-dd'Y'"})),
    ("sink-gets-plain-value", Case({**PLAIN_VALUE, "transforms.b.type": f"{KAFKA}.transforms.ReplaceField$Value"})),
    ("sink-gets-plain-value", Case({**PLAIN_VALUE, "transforms": "b"})),
    ("sink-gets-plain-value", Case({**PLAIN_VALUE, "connector.class": "io.confluent.connect.s3.S3SinkConnector"})),
    ("avro-name-invalid", Case(AVRO | {"transforms": "", "topic.prefix": "my_shop"})),
    (
        "avro-name-invalid",
        Case(AVRO | {"transforms": "", "topic.prefix": "a-b", "schema.name.adjustment.mode": "avro"}),
    ),
    ("avro-name-invalid", Case({"transforms": "", "topic.prefix": "a-b"})),
    ("registry-api-of-apicurio", Case(AVRO)),
    ("registry-api-of-apicurio", Case(AVRO | {REGISTRY: "http://registry:8080/apis/ccompat/v7"})),
    ("mongo-key-field", Case({**KEYED, "transforms.a.field": "id"}, on="mongodb")),
    ("mongo-key-field", Case(KEYED)),
    ("group-expanded", Case(text=EXPANDED_NAME.replace("(.*)", ".*"), suffix=".sh")),
    ("quotes-lost", Case(text=QUOTING.replace("''b''", r"'\''b'\''"), suffix=".sh")),
    ("duplicate-connector-name", put(other="store")),
    ("duplicate-connector-name", put(other="$OTHER")),
    ("method-refused", put()),
    ("body-refused", put()),
    *(
        ("file-not-mounted", Case(text=text, suffix=".yaml"))
        for text in (
            MOUNTED.replace("/secret/db", "/secrets/db"),
            MOUNTED.replace("quay.io/debezium", "acme"),
            MOUNTED.replace("mountPath: /secrets", "mountPath: /secret/db.properties"),
            MOUNTED.replace("volumeMounts", "command: [cp, /a, /secret]\n          volumeMounts"),
            MOUNTED.replace("/secret/", "/etc/ssl/"),
            MOUNTED.replace("/secret/", "$DIR/"),
            MOUNTED.replace("- image", "- {{ .Values.more }}: a\n          image"),
            MOUNTED.split("---")[1],
            MOUNTED.replace("volumeMounts: [{name: secrets, mountPath: /secrets}]", "# ```"),
        )
    ),
    ("reference-without-provider", Case(text=MANAGED, suffix=".tf")),
    ("reference-without-provider", Case(text=MANAGED.replace("=sm", "=${local.providers}"), suffix=".tf")),
    ("reference-without-provider", Case(text=MANAGED.replace("config.providers=sm", ""), suffix=".tf")),
    ("dotted-yaml-key", Case(text=DOTTED.format("connector: {class: a.B} # application.yaml"), suffix=".yaml")),
    ("dotted-yaml-key", Case(text=DOTTED.format("connector.class: a.B # values of a chart"), suffix=".yaml")),
    ("history-among-schema-changes", Case({"schema.history.internal.kafka.topic": "shop"}, on="mysql")),
    (
        "history-among-schema-changes",
        Case(
            {
                **{"schema.history.internal.kafka.topic": "shop", "include.schema.changes": "true"},
                **{"value.converter": JSON, "value.converter.schemas.enable": "false"},
            },
            on="mysql",
        ),
    ),
    ("sink-converter-differs", pipeline({"value.converter": JSON}, TO_ARCHIVE)),
    ("sink-converter-differs", pipeline({"value.converter": STRING}, TO_ARCHIVE)),
    ("sink-converter-differs", pipeline({}, TO_ARCHIVE)),
    (
        "sink-converter-differs",
        pipeline({"value.converter": JSON}, TO_ARCHIVE | {"value.converter.schemas.enable": "false"}),
    ),
    ("sink-converter-differs", pipeline(AVRO, TO_ARCHIVE | {"topics": "shop.public.other"})),
    (
        "server-sink-incomplete",
        Case(
            text="services:\n  s:\n    env_file: a.env\n    environment: {DEBEZIUM_SOURCE_CONNECTOR_CLASS: "
            "io.debezium.connector.postgresql.PostgresConnector, DEBEZIUM_SINK_TYPE: http}\n",
            suffix=".yml",
        ),
    ),
    ("server-sink-incomplete", Case(text=SERVER + OF_HTTP + "debezium.format.value=json\n", suffix=".properties")),
    (
        "worker-variable-without-prefix",
        Case(
            text="a:\n  image: confluentinc/cp-kafka-connect:7\n  environment: {CONNECT_CONFIG_STORAGE_TOPIC: a}\n"
            "x: {connector.class: a.B}\n",
            suffix=".yml",
        ),
    ),
    (
        "predicate-option-missing",
        Case(
            {
                "predicates": "a",
                "predicates.a.type": f"{KAFKA}.transforms.predicates.HasHeaderKey",
                "predicates.a.name": "b",
            }
        ),
    ),
    ("transformation-option-missing", step("TimestampConverter$Value", target_type="unix")),
    ("transformation-option-missing", step("InsertField$Value", topic_field="a")),
    ("lists-of-different-length", step("HeaderFrom$Value", fields="a, b", headers="c,d")),
    ("topics-and-pattern", Case({"connector.class": "a.BSinkConnector", "topics": "", "topics.regex": "a.*"})),
    ("sink-needs-fields", Case(ARCHIVE | {"timestamp.extractor": "Record", "value.converter": STRING})),
    ("sink-needs-fields", Case(ARCHIVE | {"timestamp.extractor": "RecordField", "value.converter": JSON})),
    ("nested-field-not-cast", step("Cast$Value", spec="amount:float64")),
    (
        "nested-field-not-cast",
        Case(
            {
                **{"transforms": "a,b", "transforms.a.type": f"{KAFKA}.transforms.Flatten$Value"},
                **{"transforms.b.type": f"{KAFKA}.transforms.Cast$Value", "transforms.b.spec": "a.b:int32"},
            }
        ),
    ),
    ("key-of-tombstone", Case({"connector.class": SEARCH, **TO_KEY, "behavior.on.null.values": "ignore"})),
    ("tombstone-refused", Case({"connector.class": SEARCH, **UNWRAPPED, "behavior.on.null.values": "ignore"})),
    ("tombstone-refused", pipeline({"tombstones.on.delete": "false"}, {"connector.class": SEARCH, **UNWRAPPED})),
    ("invalid-connection-string", Case({"connector.class": "a.BSinkConnector", "connection.uri": "mongodb://a:27017"})),
    ("topic-is-no-text", routing("topic + '.' + value.after.region")),
    ("topic-is-no-text", routing('"${topic}.a".toString()')),
    ("partition-field-not-found", Case(PARTITIONS | {"transforms.a.partition.payload.fields": "change.tenant_id"})),
    ("post-processor-without-type", Case({"post.processors": "again", "post.processors.again.type": "a.B"})),
    ("post-processor-without-type", Case({"post.processors": "again", "again.type": "a.B"})),
    ("script-without-rows", Case(OPERATIONS | {"heartbeat.interval.ms": "0"}, on="mysql")),
    ("column-filter-never-matches", Case({"column.include.list": "public.book.(id|title)"})),
    ("xstream-not-used", Case({**XSTREAM, "xstream.out.server.name": "a"}, on="oracle")),
    ("sink-inserts-again", pipeline({}, {**TO_MONGO, "document.id.strategy": "a.B"})),
    ("sink-inserts-again", pipeline({"transforms": "a", "transforms.a.type": ROUTER}, TO_MONGO)),
    (
        "internal-topics-replicated",
        composed(
            "confluentinc/cp-kafka-connect:7.7.1",
            worker="CONNECT_CONFIG_STORAGE_TOPIC: a\n      CONNECT_CONFIG_STORAGE_REPLICATION_FACTOR: 1",
            connector={},
        ),
    ),
    ("port-of-host", composed(OF_DEBEZIUM, database="ports: ['5433:5432']", connector={"database.port": "5432"})),
    (
        "port-of-host",
        composed(
            OF_DEBEZIUM, database="ports: ['5433:5432']", connector={"database.port": "5433", "database.hostname": "h"}
        ),
    ),
    (
        "broker-advertises-localhost",
        composed(OF_DEBEZIUM, broker=f"KAFKA_ADVERTISED_LISTENERS: {TWO_LISTENERS}", connector={}),
    ),
    (
        "topics-not-created",
        composed(
            OF_DEBEZIUM,
            broker="KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false'",
            connector={"topic.creation.default.replication.factor": "1"},
        ),
    ),
    ("server-too-new", composed(OF_DEBEZIUM, database="image: mysql:8.4", connector=OF_MYSQL)),
    ("server-too-new", composed(OF_DEBEZIUM, database="image: mysql:8.0", connector=OF_MYSQL, release="2.4")),
    ("oracle-mining-options", Case({"lob.enabled": "true", "log.mining.include.redo.sql": "false"}, on="oracle")),
    ("oracle-mining-options", Case({"log.mining.username.include.list": "A"}, on="oracle")),
    ("foreign-option-missing", foreign("vitess.VitessConnector", **{"tasks.max": "1"})),
    ("foreign-option-missing", foreign("jdbc.JdbcSinkConnector", **{"insert.mode": "insert"})),
    (
        "foreign-option-missing",
        foreign("jdbc.JdbcSinkConnector", **{"insert.mode": "upsert", "primary.key.mode": "record_key"}),
    ),
    ("foreign-value-refused", replace(foreign("db2.Db2Connector", **{"snapshot.mode": "schema_only"}), release="3.2")),
    ("exactly-once-unsupported", Case({"exactly.once.support": "required"})),
    ("exactly-once-unsupported", foreign("db2.Db2Connector", **{"exactly.once.support": "requested"})),
    (
        "sink-option-idle",
        Case({"connector.class": SEARCH, "key.ignore": "true", "behavior.on.null.values": "ignore", "transforms": ""}),
    ),
    ("topic-naming-unknown", Case({"topic.naming.strategy": "io.debezium.schema.SchemaRegexTopicNamingStrategy"})),
    ("topic-naming-unknown", Case({"topic.naming.strategy": "org.example.OwnNaming"})),
    ("server-folder-of-settings", of_image("2.7", "/debezium/conf")),
    ("server-folder-of-settings", of_image("3.2", "/debezium/config")),
    ("history-in-memory", Case({"schema.history.internal": "a.Memory", "x": "y"}, on="mysql")),
    (
        "multiple-tables",
        Case({"table.include.list": "a.letters,b.letters", "transforms.outbox.predicate": ""}, on="mysql"),
    ),
    ("predicate-matches-no-topic", without("predicates.isOutbox.pattern", step("Cast$Value", predicate="isOutbox"))),
    ("handler-expects-envelope", envelope("", 'send(map(e.value()).get("aftermath"));')),
    (
        "handler-expects-envelope",
        envelope(', "transforms.outbox.predicate", "p"', 'send(e.value().getStruct("after"));'),
    ),
    ("handler-expects-envelope", handled('send(e.value().getStruct("after"));')),
    ("port-of-scheme", ported('url.substringAfterLast(":").substringBefore("/")')),
    ("port-of-scheme", ported('url.substringAfter("//").substringAfter(":").substringBefore("/")')),
    ("handler-swallows-error", handled("gateway.send(e);")),
    ("handler-swallows-error", handled('try { gateway.send(e); } catch (Exception x) { LOG.warn("x"); throw x; }')),
    ("handler-swallows-error", handled("try { gateway.send(e); } catch (Exception x) { dead.save(e); }")),
    ("handler-swallows-error", handled('try { gateway.send(e); } catch (InterruptedException x) { LOG.warn("x"); }')),
    ("handler-swallows-error", handled('try { count(e); } catch (Exception x) { LOG.warn("x"); } gateway.wait();')),
    ("pooler-as-host", Case({"database.hostname": "carpooler", "database.port": "5432"})),
    ("gating-role-without-user", page("exec sp_cdc_enable_table @source_name = 'o', @role_name = NULL;", {})),
    ("gating-role-without-user", gated("alter role gate add member cdc;")),
    ("gating-role-without-user", gated("exec sp_addrolemember N'gate', N'cdc';")),
    ("gating-role-without-user", gated("alter role db_owner add member cdc;")),
    ("gating-role-without-user", gated("alter role gate add member etl;")),  # nothing is shown of the user
    ("heartbeat-not-granted", granted("grant all privileges on shop.* to cdc;")),
    ("heartbeat-not-granted", granted("grant select, insert on shop.beat to 'cdc'@'%';")),
    ("heartbeat-not-granted", granted("grant select on *.* to 'other'@'%';")),
    ("scripting-not-enabled", scripted("- ENABLE_DEBEZIUM_SCRIPTING=true")),
    ("scripting-not-enabled", scripted("- 'ENABLE_DEBEZIUM_SCRIPTING=true'")),
    ("scripting-not-enabled", scripted("ENABLE_DEBEZIUM_SCRIPTING: 'true'")),
    ("sent-file-without-type", posted("curl -d @a.json -H 'content-type: application/json' c/connectors")),
    ("sent-file-without-type", posted("curl --json @a.json c/connectors")),
    (
        "sent-file-without-type",
        posted("curl -X POST \\\n  -d @a.json \\\n  -H 'Content-Type: application/json' c/connectors"),
    ),
    (
        "sent-file-without-type",
        posted("curl c/connectors -d @a.json \\\n  -H 'Content-Type: application/json'"),
    ),
    ("sent-file-without-type", posted("curl -d @a.json c/subjects")),
    ("decimal-as-bytes", page("create table t (id int, n numeric(12));", DECIMALS)),
    (
        "decimal-as-bytes",
        page("create table t (id int, n numeric(12,2));", DECIMALS | {"decimal.handling.mode": "string"}),
    ),
    ("decimal-as-bytes", page("create table other (id int, n numeric(12,2));", DECIMALS)),
    ("search-key-is-struct", searched("key.ignore", "true")),
    ("search-key-is-struct", searched("transforms.key.type", f"{KAFKA}.transforms.ExtractField$Key")),
    ("search-key-is-struct", searched("key.converter", f"{KAFKA}.storage.StringConverter")),
    ("internal-topic-not-compacted", made("kafka-topics --create --topic offsets --config cleanup.policy=compact")),
    ("internal-topic-not-compacted", made("kafka-topics --create --topic offsets.other")),
    ("setting-needs-restart", page("alter system set wal_level = logical; -- then restart the server", {})),
    ("session-without-binlog", page("set sql_log_bin = 0; insert into import.log values (1);", {})),
    ("option-of-another-sink", Case(SINK | {"auto.create": "false", "pk.mode": "none"})),
    ("history-topic-expires", page("kafka-topics --create --topic other --config cleanup.policy=compact", {})),
    ("sink-needs-value", Case(SINK | {"delete.enabled": "true", "primary.key.mode": "record_key"})),
    ("field-not-in-envelope", step("ReplaceField$Value", include="after,op")),
    ("field-not-in-envelope", step("ReplaceField$Value", before=False, include="total")),
    ("envelope-field-of-row", step("ExtractField$Value", field="after")),
    ("envelope-field-of-row", step("ExtractField$Value", before=False, field="total")),
    ("envelope-field-of-row", step("MaskField$Value", before=False, fields="after")),
    ("handler-without-envelope", pipeline({}, {"change.data.capture.handler": HANDLER})),
    ("handler-without-envelope", pipeline(ROW, {"change.data.capture.handler": "a.B"})),
    ("deletes-not-sent", pipeline(ROW | DROP, {"delete.enabled": "false"})),
    ("deletes-not-sent", pipeline(ROW, {"delete.enabled": "true"})),
    ("deletes-not-sent", pipeline(ROW | DROP | {"transforms.row.predicate": "p"}, {"delete.enabled": "true"})),
    ("topic-changed-before-search", searched("flush.synchronously", "TRUE")),
    ("sink-gets-change-events", pipeline(ROW, ROWS_ONLY)),
    ("sink-gets-change-events", pipeline({}, ROWS_ONLY | ROW)),
    ("sink-gets-change-events", pipeline({}, ROWS_ONLY | {"topics": "shop.public.parcels"})),
    ("sink-gets-change-events", pipeline({}, {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector"})),
    ("sink-without-topics", Case({"connector.class": "a.BSinkConnector", "topics.regex": "a.*"})),
    ("tombstone-refused", pipeline({"tombstones.on.delete": "false"}, ARCHIVE)),
    ("tombstone-refused", pipeline({"skipped.operations": "d"}, ARCHIVE)),
    ("tombstone-refused", pipeline({}, ROWS_ONLY)),
    ("tombstone-refused", pipeline(ROW, ROWS_ONLY | {"delete.enabled": "true", "pk.mode": "record_key"})),
    ("table-filter-never-matches", Case({"table.include.list": "public\\..*,public[.][a-z]*"})),
    ("plain-text-secret", Case({"database.password": "senha_segura_9"})),
    ("unknown-sink-setting", server("debezium.sink.type=jdbc debezium.sink.jdbc.connection.pool.max_size=5")),
    ("tombstone-refused", pipeline(ROW | DROP, ARCHIVE)),
    ("tombstone-refused", pipeline({}, ARCHIVE | {"behavior.on.null.values": "ignore"})),
    ("tombstone-refused", pipeline({}, ARCHIVE | {"topics": "other.public.orders_of_others"})),
    ("converter-of-sink", Case({"connector.class": "a.B", "transforms": None, "value.converter": SNOWFLAKE})),
    ("incremental-snapshot-without-table", Case(text=SIGNALLED.format('"read.only": "true",'), suffix=".sh")),
    ("incremental-snapshot-without-table", Case(text=SIGNALLED.format(WATERMARKS), suffix=".sh")),
    (
        "incremental-snapshot-without-table",
        Case(text=SIGNALLED.format("").replace("INCREMENTAL", "BLOCKING"), suffix=".sh"),
    ),
    ("pluggable-database-not-named", Case({"database.dbname": "FREE"}, on="oracle")),
    ("setting-loses-capitals", server("debezium.sink.type=pulsar debezium.sink.pulsar.client.serviceUrl=pulsar://a")),
    ("sink-reads-other-topics", routed("Order.events")),
    ("sink-reads-other-topics", routed("other,Order.events")),
    (
        "event-hubs-user-expanded",
        Case({"producer.override.sasl.jaas.config": 'A required username="$ConnectionString";'}),
    ),
    ("search-key-is-struct", pipeline({}, searched("key.ignore", "false").change | {"transforms": ""})),
    ("contents-as-path", Case({"database.sslrootcert": "/mnt/certificates/ca.crt"})),
    ("contents-as-path", Case({"database.password": "${directory:/mnt/login:password}"})),
    ("exclusive-flags", Case(BIGQUERY | {"useStorageWriteApi": "true", "upsertEnabled": "false"})),
    ("required-option-missing", Case(BIGQUERY | {"project": "a", "defaultDataset": "a"})),
    ("statement-of-no-topic", Case(NEO4J | {"topics": "a,b", "neo4j.topic.cypher.b": "merge (n)"})),
    ("sink-gets-schema-changes", pipeline(MYSQL, ROWS_ONLY | {"topics": "", "topics.regex": "shop[.].*"})),
    ("sink-gets-schema-changes", pipeline(MYSQL | QUIET, ROWS_ONLY | {"topics": "", "topics.regex": "shop.*"})),
    ("sink-gets-change-events", pipeline({}, ROWS_ONLY | {"fields.whitelist": "id"})),
    ("unknown-header-field", Case(ROW | {"transforms.row.add.headers": "op:kind,source.ts_ms,before.name,lsn"})),
    ("engine-name-missing", Case(text=ENGINE.format('.with("name", "a")'), suffix=".java")),
    ("engine-name-missing", Case(text=ENGINE.format(".with(EmbeddedEngineConfig.ENGINE_NAME, x)"), suffix=".java")),
    (
        "handler-without-envelope",
        pipeline({}, {"change.data.capture.handler": HANDLER.replace("Rdbms", "mysql.Mysql")}),
    ),
    ("server-position-file", Case(text=f'class A {{ void f() {{ c.put("{SOURCE}", "a.B"); }} }}', suffix=".java")),
    ("invalid-value", Case({"tasks.max": "TASKS"})),
    ("plain-text-secret", server("debezium.sink.type=iceberg debezium.sink.iceberg.s3.access-key-id=kQ7vmZx2LpTd94Rw")),
    ("login-missing", Case(LOGIN | {"producer.override.sasl.jaas.config": "${env:LOGIN}"})),
    ("login-missing", Case({"producer.override.sasl.mechanism": "GSSAPI"})),
    ("class-without-package", Case({"connector.class": "AcmeConnector"})),
    ("class-without-package", Case(text=SERVER.replace("io.debezium", "${CLASS}"), suffix=".properties")),
    ("converter-not-in-image", Case(text=IN_IMAGE.format("1.9", "a:/data"), suffix=".yaml")),
    ("converter-not-in-image", Case(text=IN_IMAGE.format("2.6", "./avro:/kafka/connect/avro"), suffix=".yaml")),
    ("server-folder-of-settings", Case(text=f"{SERVER}# mountPath: /debezium/config\n", suffix=".properties")),
    ("foreign-value-refused", Case({"connector.class": VITESS, "vitess.tablet.type": "replica"})),
    ("sink-without-topics", Case({"connector.class": "a.BSourceConnector"})),
    ("unknown-endpoint-parameter", Case(text=ENDPOINT.format("&tableIncludeList=public.outbox"), suffix=".java")),
    ("unknown-endpoint-parameter", Case(text=ENDPOINT.format("&additionalProperties.slot.name=a"), suffix=".java")),
    ("struct-as-text", Case(text=BESIDE_WORKER.format("json.JsonConverter"), suffix=".yaml")),
    ("key-of-tombstone", tombstones({"transforms.row.delete.tombstone.handling.mode": "drop"})),
    ("key-of-tombstone", tombstones({"tombstones.on.delete": "false"})),
    ("key-of-tombstone", tombstones({"transforms.key.predicate": "p"})),
    ("passes-without-envelope", step("TimezoneConverter", before=True, converted_timezone="UTC")),
    ("unknown-storage-option", Case({"schema.history.internal.producer.acks": "all"}, on="mysql")),
    ("unknown-storage-option", Case({"schema.history.internal": "a.B", "schema.history.internal.b": "c"}, on="mysql")),
    ("unknown-storage-option", server("debezium.source.offset.storage=a.B debezium.source.offset.storage.c=d")),
    ("sample-event-fails", Case({f"{MONGO}field.event.timestamp": "sent_at"}, on="mongodb")),
    ("sink-needs-value", Case(SINK | {"delete.enabled": "false"})),
    ("invalid-topic-in-list", Case(SINK | {"topics": "shop.public.orders,${env:MORE}"})),
    ("invalid-topic-in-list", Case(SINK | {"topics.regex": "shop[.].*"})),
    ("update-of-new-table", Case(SINK | {"insert.mode": "update"})),
    ("deletes-not-enabled", Case(SINK | {"tombstones.on.delete": "true", "delete.enabled": "true"})),
    ("misspelt-option-of-connect", Case(SINK | {"task.max": "1"})),
    ("replacement-without-group", step("RegexRouter", regex="(?<a>.*)", replacement="${a}-$1")),
    ("handler-reads-past-payload", envelope("", 'send(json.readTree(e.value()).path("payload").path("after"));')),
    ("required-option-missing", Case(text=TO_FILL, suffix=".properties.example")),
    ("plain-text-secret", Case({"database.password": "s4v1ngs-4pp", "database.dbname": "savings"})),
    ("history-without-security", Case(text=STRIMZI.format(worker="kafka:9093", history="other:9092"), suffix=".yaml")),
    (
        "history-without-security",
        Case(text=STRIMZI.format(worker="kafka:9092", history="kafka:9092").replace("tls", "x"), suffix=".yaml"),
    ),
    ("random-slot-name", Case({"slot.name": "random_orders"})),
    ("random-slot-name", Case(text=slotted("UUID.randomUUID()") + "// forJdbcContainer\n", suffix=".java")),
    ("random-slot-name", Case(text=slotted("slotOf(tenant)"), suffix=".java")),
    ("engine-closed-at-once", Case(text=closing("latch.await();"), suffix=".java")),
    ("engine-closed-at-once", Case(text=closing("while (true) { Thread.sleep(9); }"), suffix=".java")),
    ("sentence-as-pattern", Case({"table.include.list": "public.a, public.b, public.c, public.d"})),
    ("negate-of-predicate", Case({"transforms.outbox.negate": "true"})),
    ("consumer-option-without-prefix", Case(SINK | {"consumer.override.max.poll.records": "10"})),
    ("consumer-option-without-prefix", Case(SINK | {"consumer.of.our.own": "10"})),
    *(
        (
            "terminal-for-text",
            Case(text=f'{command}\ncurl -d \'{{"connector.class": "a.B"}}\' c/connectors\n', suffix=".sh"),
        )
        for command in (
            "docker exec -it db psql -c 'select 1'",
            "docker exec -i db psql <<E\n1\nE",
            "psql -t <<E\n1\nE",
        )
    ),
    ("key-field-none", Case(SINK | {"primary.key.mode": "none", "primary.key.fields": "none"})),
    ("key-field-none", Case(SINK | {"primary.key.mode": "record_key", "primary.key.fields": "none_of_them"})),
    (
        "converter-option-without-prefix",
        Case({"connector.class": "a.SinkConnector", **PLAIN_JSON, "schemas.enable": "false"}),
    ),
    ("reference-with-default", Case({"database.user": "${env:USER}"})),
    ("reference-with-default", Case({"database.user": "${file:/a/b:user}"})),
    ("former-connector-class", Case({"connector.class": "org.neo4j.connectors.kafka.sink.Neo4jConnector"})),
    ("unknown-class", Case({"connector.class": "PostgresConnector"})),
    ("unknown-class", Case({"connector.class": "$CLASS"})),
    ("tombstone-refused", Case({"connector.class": SEARCH, "topics": "orders"})),
    (
        "tombstone-refused",
        Case({"connector.class": SEARCH, "topics": "a.public.b", "behavior.on.null.values": "ignore"}),
    ),
    ("consumer-option-without-prefix", Case({"max.poll.records": "10"})),
    (
        "sink-option-idle",
        Case(S3 | {"partitioner.class": "io.confluent.connect.storage.partitioner.TimeBasedPartitioner"}),
    ),
    ("history-topic-expires", page(LOOP.format("other:1 ddl:3"), {})),
    ("quotes-lost", quoted("value.op == '\\''c'\\''")),
    ("quotes-lost", quoted('value.op == \\"c\\"')),
    ("quotes-lost", Case({"transforms.a.condition": "value.op == ''c''"})),
    ("variable-in-sent-file", sent("${env:CDC_PASSWORD}", "curl -d @a.json c/connectors")),
    ("variable-in-sent-file", sent("${CDC_PASSWORD}", "envsubst < a.json | curl -d @- c/connectors")),
    ("variable-in-sent-file", sent("${CDC_PASSWORD}", "curl -d @b.json c/connectors")),
    ("worker-variable-prefixed", worker("confluentinc/cp-kafka-connect:7.9.0")),
    ("worker-variable-prefixed", worker("quay.io/debezium/connect:3.1", "      CONFIG_STORAGE_TOPIC: a\n")),
    ("sink-without-schema", Case(SINK | {"value.converter": f"{KAFKA}.json.JsonConverter"})),
    ("sink-without-schema", Case(SINK | {"value.converter.schemas.enable": "false"})),
    ("sink-reads-other-topics", piped("topics", "x,outbox.event.order")),
    ("sink-reads-other-topics", piped("topics.regex", r"outbox\.event\.(a|b)")),
    ("sink-reads-other-topics", piped("topics.regex", r".*\.order")),
    ("sink-reads-other-topics", piped("topics", "x", transforms="")),  # its topics have a prefix that is not shown
    ("sink-reads-other-topics", piped("topics", "x", transforms_o_route_topic_replacement="${routedByValue}")),
    ("router-input-filtered-out", filtered(negate="true")),
    ("router-input-filtered-out", step("Filter", "f", predicate="other")),
    ("server-routing-key-empty", server("debezium.sink.rabbitmq.exchange=a debezium.sink.rabbitmq.routingKey=b")),
    ("server-routing-key-empty", server("debezium.sink.rabbitmq.exchange=")),
    ("server-default-with-hyphen", server("debezium.sink.redis.address=${R:redis:6379}")),
    ("server-default-with-hyphen", server("debezium.sink.redis.address=$${R:-redis}")),
    ("table-filter-never-matches", Case({"table.include.list": r"public\.outbox.*"})),
    ("table-filter-never-matches", Case({"table.include.list": "public.*"})),
    (
        "errors-tolerance-all",
        Case(SINK | {"topics": "a", "errors.tolerance": "all", "errors.deadletterqueue.topic.name": "dead"}),
    ),
    ("publication-name-unquoted", Case({"publication.name": "Shop-Events"})),
    ("publication-name-unquoted", Case({"publication.name": "shop_1$", "publication.autocreate.mode": "filtered"})),
    ("filter-of-another-database", Case({"database.include.list": "shop"}, on="mysql")),
    ("filter-of-another-database", Case({"schema.include.list": "public"})),
    ("filter-of-another-database", Case({"database.exclude.list": "other"})),
    ("key-columns-never-match", Case({"message.key.columns": "public.outbox:id;(.*).orders:a,b"})),
    ("whole-name-expected", Case({"signal.data.collection": "public.signals"})),
    ("whole-name-expected", Case({"snapshot.include.collection.list": ".*"})),
    ("whole-name-expected", Case({"signal.data.collection": "ORCL.C##SHOP.SIGNALS"}, on="oracle")),
    ("blank-in-database-names", Case(SQLSERVER | {"database.names": "Shop,Store"}, on="mysql")),
    ("table-filter-never-matches", Case({"table.include.list": r"public\.outbox"})),
    ("channel-not-enabled", Case({"signal.kafka.topic": "a", "signal.enabled.channels": "source, kafka"})),
    ("channel-not-enabled", Case({"signal.kafka.topic": "a"}, release="2.2", on="mysql")),
    (
        "override-of-unlisted-table",
        Case({OVERRIDE: "public.a, public.outbox", f"{OVERRIDE}.public.outbox": "select 1"}),
    ),
    ("mongo-literal-filter", Case({"filters.match.mode": "literal"}, on="mongodb")),
    ("mongo-literal-filter", Case({"collection.include.list": "shop.out.*"}, on="mongodb")),
    ("mongo-field-not-qualified", Case({"field.exclude.list": "shop.outbox.a, shop.outbox.a.b"}, on="mongodb")),
    ("mongo-full-update-without-effect", Case({"capture.mode.full.update.type": "lookup"}, on="mongodb")),
    ("mongo-pipeline-removes-id", Case({"cursor.pipeline": '[{"$match": {"ns._id": 0}}]'}, on="mongodb")),
    ("mongo-pipeline-removes-id", Case({"cursor.pipeline": '[{"$project": {"_id": 1, "ns": 1}}]'}, on="mongodb")),
    ("exactly-once-unsupported", Case({"exactly.once.support": "required"}, release="3.3", on="mysql")),
    ("exactly-once-unsupported", Case({"exactly.once.support": "requested"}, release="2.7", on="mysql")),
    ("envelope-changed-before-router", step("SetSchemaMetadata$Value", schema_name="a.b.Envelope")),
    ("envelope-changed-before-router", step("SetSchemaMetadata$Value", schema_version="2")),
    ("envelope-changed-before-router", step("SetSchemaMetadata$Key", schema_name="a")),
    ("envelope-changed-before-router", step("Flatten$Value", predicate="isOutbox")),
    ("envelope-changed-before-router", step("SetSchemaMetadata$Value", before=False, schema_name="a")),
    ("filter-keeps-what-it-names", script("dropInternal", "value.after.visibility == 'public'")),
    ("filter-keeps-what-it-names", script("dropInternal", "value.after.kind != 'internal'")),
    ("filter-keeps-what-it-names", script("skipDeletes", "value.op == 'c'")),
    ("filter-keeps-what-it-names", script("keepInternal", "value.after.kind == 'internal'")),
    ("payload-cast-to-base64", step("Cast$Value", before=False, spec="a:string")),
    ("replacement-without-group", step("RegexRouter", regex="(a)", replacement="$1")),
    ("server-word-unknown", server("debezium.sink.type=rabbitmq debezium.sink.rabbitmq.routingKey.source=topic")),
    ("server-word-unknown", server("debezium.sink.type=rabbitmq debezium.sink.rabbitmq.routingKey.source=${A}")),
    ("server-format-not-taken", server("debezium.sink.type=redis debezium.format.value=simplestring")),
    ("server-format-not-taken", server("debezium.sink.type=kafka debezium.format.value=avro")),
    ("server-format-not-taken", server("debezium.sink.type=nats-jetstream debezium.format.value=binary")),
    ("server-address-of-emulator", server("debezium.sink.pubsub.address=localhost:8085")),
    ("server-setting-superseded", server("debezium.sink.eventhubs.partitionid=1")),
    ("server-namespace-of-tenant", server("debezium.sink.pulsar.namespace=events")),
    ("unknown-server-format", server("debezium.format.value=Connect")),
    ("publication-without-inserts", page("create publication p for table a with (publish = 'insert');", FILTERED)),
    ("publication-without-inserts", page("create publication q for table a with (publish = 'delete');", FILTERED)),
    ("slot-parameter-unknown", Case({"slot.stream.params": "binary=false;messages=true"})),
    (
        "slot-parameter-unknown",
        Case({"slot.stream.params": "add-tables=a.b", "plugin.name": "wal2json"}, release="1.9"),
    ),
    (
        "loose-json",
        Case(text='const a = <Code>{`{"connector.class": "a.B", // it\n"x": "y"}`}</Code>;\n', suffix=".tsx"),
    ),
    ("no-table-filter", Case(text=IN_CONTAINER, suffix=".java")),
    ("predicate-never-matches", Case({"topic.prefix": "$(Values.prefix)"})),
    ("plain-text-secret", Case({"database.password": "Segredo!"})),
    ("plain-text-secret", Case({"key.converter.apicurio.auth.service.token.endpoint": "http://keys/token"})),
    ("exclude-list-never-matches", Case({"table.exclude.list": r"public\.audit,.*\.log"})),
    ("signal-columns-left-out", Case({"signal.data.collection": "public.s", "column.include.list": "public[.]s[.].*"})),
    ("table-filter-never-matches", Case({"table.include.list": "a.b_,a.c_"})),
    ("foreign-table-never-matches", foreign("db2.Db2Connector", **{"table.include.list": "SHOP.OUTBOX"})),
    ("foreign-option-missing", foreign("vitess.VitessConnector", **{"vitess.gtid": "current", "vitess.shard": "0"})),
    ("required-option-missing", Case({**XSTREAM, "database.out.server.name": "a"}, on="oracle", release="3.4")),
    ("oracle-pdb-as-database", Case({"database.dbname": "PDB1", "database.pdb.name": "PDB1"}, on="oracle")),
    ("tombstone-not-sent", Case({"tombstones.on.delete": "false"})),
    ("publication-of-all-tables", page("create publication p for all tables;", FILTERED | {"publication.name": "q"})),
    ("publication-of-all-tables", page("create publication p for table a;", FILTERED)),
    ("slot-of-another-plugin", page("select pg_create_logical_replication_slot('s', 'pgoutput');", FILTERED)),
    ("server-setting-unfit", page("-- postgres -c wal_level=logical", FILTERED)),
    ("server-setting-unfit", page("-- wal_level=replica is the default", FILTERED)),
    ("signal-table-columns", page("create table s (id int, type text, data text);", {SIGNALS: "public.s"})),
    ("generated-column-read", page(f"create table public.outbox (id uuid, {IDENTITY}, aggregateid int);", FILTERED)),
    ("unchanged-rows-sent", page("create table t (id int, b int); alter table t replica identity full;", UNCHANGED)),
    ("compacted-without-key", page("create table t (id int, b int, primary key (id));", COMPACTED)),
    ("compacted-without-key", page("create table t (id int, b int);", COMPACTED | {"message.key.columns": "a.t:id"})),
    ("binlog-not-enabled", compose("mariadb:11", "--log-bin")),
    ("binlog-not-enabled", compose("mysql:8", "--x=1")),
    ("database-not-logged", compose("mariadb:11", "--log-bin --binlog-do-db=shop", "shop.outbox")),
    (
        "escape-lost",
        Case(text='const c = {"connector.class": "a.B", "table.include.list": "a.b_\\\\d"};\n', suffix=".ts"),
    ),
    ("escape-lost", Case(text='c = {"connector.class": "a.B", "table.include.list": "a.b_\\d"}\n', suffix=".py")),
    ("overlapping-tables", Case(text=f"[{capturing('a', 'shop[.]o.*')}, {capturing('b', 'shop.b')}]")),
]


def jetstream(subjects: str) -> Case:
    nats = "debezium.sink.nats-jetstream."
    router = f"debezium.transforms=o debezium.transforms.o.type={ROUTER}"
    return server(f"debezium.sink.type=nats-jetstream {nats}create-stream=true {nats}subjects={subjects} {router}")


SUBJECTS = [
    ("server-subject-not-in-stream", jetstream(each)) for each in ("outbox.event.*", "outbox.>", "a,*.*.*", "${A}")
]


def rules_of(case: Case) -> set[str]:
    """The rules that report something of a case."""
    text = case.text or json.dumps({"name": "shop", "config": case.config()})
    findings = run.check(with_peers(from_text(text, f"a{case.suffix}", Version.of(case.release))))
    return {rule for finding in findings for rule in finding.facts["rules"]}


@pytest.mark.parametrize(("rule", "case"), [*NEAR, *SUBJECTS])
def test_it_is_silent(rule: str, case: Case) -> None:
    assert rule not in rules_of(case)


def test_topics_of_a_sink_end_as_those_of_the_router() -> None:
    assert "sink-reads-other-topics" in rules_of(routed("Order.created"))


@pytest.mark.parametrize("handler", ["DebeziumCdcHandler", "rdbms.Handler"])
def test_a_class_that_is_no_handler_is_reported(handler: str) -> None:
    assert "handler-without-envelope" in rules_of(pipeline({}, {"change.data.capture.handler": HANDLERS + handler}))


def test_localhost_of_msk_connect_is_its_worker() -> None:
    text = """resource "aws_mskconnect_connector" "a" {{
  connector_configuration = {{
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"
    "database.hostname" = "{}"
  }}
}}
"""
    assert "localhost-of-container" in rules_of(Case(text=text.format("localhost"), suffix=".tf"))
    assert "localhost-of-container" not in rules_of(Case(text=text.format("db.example.org"), suffix=".tf"))


@pytest.mark.parametrize("entry", ["public\\.*", "public[.]*"])
def test_dots_that_are_repeated_match_no_table(entry: str) -> None:
    assert "table-filter-never-matches" in rules_of(Case({"table.include.list": entry}))


@pytest.mark.parametrize(("source", "sink"), [(ROW, ROWS_ONLY), ({}, ROWS_ONLY | ROW)])
def test_a_sink_for_jdbc_without_deletes_refuses_a_tombstone(source: dict[str, str], sink: dict[str, str]) -> None:
    assert "tombstone-refused" in rules_of(pipeline(source, sink))


def test_a_list_without_its_last_word_is_a_slip() -> None:
    assert "unknown-option" in rules_of(Case({"database.include": "shop", "database.include.list": None}, on="mysql"))


@pytest.mark.parametrize(
    ("changes", "severities"),
    [
        ({f"{R}table.field.event.keys": "order_id"}, {"error"}),
        ({f"{R}table.field.event.kye": "order_id"}, {"error"}),
        ({f"{R}route.topic.replacment": "shop"}, {"error"}),
        ({f"{R}table.field.event.ids": "id"}, {"warning"}),  # the default
        ({f"{R}route.by.words": "a"}, {"warning"}),  # like no option
        ({"heartbeat.intervall.ms": "5", "heartbeat.interval.ms": None}, {"error"}),
        ({"heartbeat.intervall.ms": "5", "heartbeat.interval.ms": "5000"}, {"warning"}),
        ({"schema.include": "sales", "table.include.list": None}, {"error"}),
        ({"schema.include": "public", "table.include.list": "public.outbox"}, {"warning"}),
    ],
)
def test_a_misspelt_option_whose_effect_is_lacking_is_an_error(
    changes: dict[str, str | None], severities: set[str]
) -> None:
    text = json.dumps({"name": "shop", "config": Case(changes).config()})
    findings = run.check(with_peers(from_text(text, "a.json", None)))
    unknown = {"unknown-option", "unknown-router-option"}
    assert {finding.severity for finding in findings if unknown & {*finding.facts["rules"]}} == severities


@pytest.mark.parametrize(
    ("rule", "case"),
    [
        ("transformation-option-missing", step("TimestampConverter$Value", target_type="string")),
        ("transformation-option-missing", step("InsertField$Value")),
        (
            "transformation-option-missing",
            Case(PARTITIONS),
        ),
        ("invalid-value", step("Cast$Value", spec="amount:decimal")),
        ("invalid-value", step("RegexRouter", regex="*.public.(.*)", replacement="$1")),
        ("key-of-tombstone", Case({"connector.class": SEARCH, **TO_KEY, "behavior.on.null.values": "delete"})),
        ("unknown-class", Case({"connector.class": "jdbc_sink"})),
        ("former-connector-class", Case({"connector.class": "com.datamountaineer.streamreactor.connect.A"})),
        ("consumer-option-without-prefix", Case(SINK | {"consumer.max.poll.records": "10"})),
        ("tombstone-refused", Case({"connector.class": SEARCH, "transforms": "", "topics": "shop.public.orders"})),
        ("tombstone-refused", Case({"connector.class": SEARCH, **UNWRAPPED})),
        ("tombstone-refused", pipeline({}, {"connector.class": SEARCH, **UNWRAPPED})),
        (
            "invalid-connection-string",
            Case({"connector.class": "a.BSinkConnector", "connection.uri": "mongodb+srv://a:1"}),
        ),
        ("script-without-rows", Case(OPERATIONS, on="mysql")),
        ("column-filter-never-matches", Case({"column.include.list": "book.(id|title)"})),
        (
            "struct-after-router",
            Case(
                {
                    **{"transforms": "outbox,a", "transforms.a.type": "io.debezium.transforms.ByLogicalTableRouter"},
                    **{"transforms.a.topic.regex": "a", "transforms.a.topic.replacement": "b"},
                    "transforms.a.key.enforce.uniqueness": "false",
                }
            ),
        ),
        (
            "server-word-unknown",
            Case(
                text=SERVER + "debezium.sink.type=kinesis\ndebezium.sink.kinesis.region=a\n"
                "debezium.sink.kinesis.batch.size=501\n",
                suffix=".properties",
            ),
        ),
        ("required-option-missing", Case({**XSTREAM, "database.out.server.name": "a"}, on="oracle")),
        (
            "required-option-missing",
            Case({"database.connection.adapter": "olr", "openlogreplicator.host": "a"}, on="oracle"),
        ),
        ("oracle-mining-options", Case({"secondary.hostname": "db"}, on="oracle")),
        ("oracle-mining-options", Case(dict.fromkeys(USERS, "A"), on="oracle")),
        ("needed-at-start", Case({"log.mining.strategy": "dictionary_from_file"}, on="oracle")),
        ("needed-at-start", Case({"log.mining.buffer.type": "ehcache"}, on="oracle")),
        ("group-expanded", Case(text=EXPANDED_NAME, suffix=".sh")),
        ("group-expanded", Case(text=EXPANDED_NAME.replace("(.*)", ".*").replace("$1", "$0"), suffix=".sh")),
        ("quotes-lost", Case(text=QUOTING, suffix=".sh")),
        ("plain-text-secret", Case({"database.password": "EH1_CONNECTION_x9"})),
        ("option-of-another-sink", Case({"connector.class": SEARCH, "topic.index.map": "a:b"})),
        (
            "week-year-in-format",
            Case({"converters": "c", "c.type": "x.TimestampConverter", "c.format.date": "YYYY-MM-dd"}),
        ),
        ("duplicate-connector-name", put()),
        ("method-refused", put(method="POST")),
        ("body-refused", put('{"name": "shop", "config": {"connector.class": "a.JdbcSinkConnector", "a": "b"}}')),
        ("foreign-option-missing", foreign("vitess.VitessConnector", **{"tasks.max": "4"})),
        ("reference-without-provider", Case(text=MANAGED.replace("{sm:", "{SM:"), suffix=".tf")),
        (
            "file-not-mounted",
            Case(
                text=MOUNTED.replace('"database.password', '"database.sslrootcert').replace(
                    "${file:/secret/db.properties:password}", "/secret/ca.crt"
                ),
                suffix=".yaml",
            ),
        ),
        ("foreign-option-missing", foreign("jdbc.JdbcSinkConnector", **{"insert.mode": "UPSERT"})),
        ("foreign-value-refused", foreign("db2.Db2Connector", **{"snapshot.mode": "schema_only"})),
        ("exactly-once-unsupported", foreign("db2.Db2Connector", **{"exactly.once.support": "required"})),
        ("server-sink-incomplete", Case(text=SERVER + OF_HTTP, suffix=".properties")),
        (
            "server-sink-incomplete",
            Case(
                text=SERVER + "debezium.sink.type=jdbc\ndebezium.sink.jdbc.insert.mode=upsert\n"
                "debezium.sink.jdbc.connection.url=a\ndebezium.sink.jdbc.connection.username=a\n"
                "debezium.sink.jdbc.connection.password=a\n",
                suffix=".properties",
            ),
        ),
        (
            "sink-option-idle",
            Case({"connector.class": SEARCH} | DELETES),
        ),
        ("tombstone-refused", pipeline({}, ARCHIVE | {"topics": "shop.public.ORDERS"})),
        ("tombstone-refused", pipeline({}, ARCHIVE | {"topics": "", "topics.regex": "shop.public.*"})),
        (
            "sink-converter-differs",
            pipeline({"value.converter": JSON, "value.converter.schemas.enable": "false"}, TO_ARCHIVE),
        ),
        (
            "conflicting-options",
            Case(
                text="def f(a, b):\n    return {'connector.class': 'io.debezium.connector.mysql.MySqlConnector', "
                "'gtid.source.includes': a, 'gtid.source.excludes': b}\n",
                suffix=".py",
            ),
        ),
        (
            "invalid-value",
            Case(
                text='class A { Configuration c() { return Configuration.create().with("connector.class", '
                '"io.debezium.connector.postgresql.PostgresConnector").with("topic.prefix", "a")'
                ".with(PostgresConnectorConfig.SNAPSHOT_MODE, PostgresConnectorConfig.SnapshotMode.NEVER).build(); } }",
                suffix=".java",
            ),
        ),
    ],
)
def test_it_is_reported(rule: str, case: Case) -> None:
    assert rule in rules_of(case)
