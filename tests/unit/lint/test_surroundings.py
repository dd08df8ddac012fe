"""What a file has beside a connector: what does not fit is reported, and what fits or is not known is not."""

import json

import pytest

from outbox_kit.lint.run import check
from outbox_kit.lint.subjects import with_peers
from outbox_kit.lint.texts import from_text
from outbox_kit.versions import Version
from tests.unit.lint.cases import COMPOSED, COMPOSED_MYSQL, WITH_BROKER
from tests.unit.lint.resources import MYSQL, POSTGRES, RDS, RDS_OF_MYSQL, STRIMZI

TEXTS = {"rds": (RDS, "a.tf"), "mysql": (RDS_OF_MYSQL, "a.tf"), "strimzi": (STRIMZI, "a.yaml")}
COMPOSE = f"""services:
  db:
    image: postgres:16
  connect:
    image: debezium/connect:3.6
    environment:
      CONFIG_STORAGE_TOPIC: a
      BOOTSTRAP_SERVERS: a
x: {{connector.class: {POSTGRES}, database.hostname: db, database.user: cdc}}
"""
MARIADB = """services:
  db:
    image: mariadb:11
    command: --log-bin=a
x: {connector.class: io.debezium.connector.mariadb.MariaDbConnector}
"""
MSSQL = """services:
  db:
    image: mcr.microsoft.com/mssql/server:2022-latest
x: {connector.class: io.debezium.connector.sqlserver.SqlServerConnector, database.hostname: db}
"""
MONGO = """docker exec m mongosh --eval 'rs.initiate({_id: "a", members: [{_id: 0, host: "localhost:27017"}]})'
curl -d '{"connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
"mongodb.connection.string": "mongodb://mongo:27017/?replicaSet=a"}' a
"""
SLOTS = f"""```json
{{"connector.class": "{POSTGRES}", "database.hostname": "db", "slot.name": "a"}}
```
```json
{{"connector.class": "{POSTGRES}", "database.hostname": "db", "slot.name": "b"}}
```
postgres -c max_replication_slots=1
"""
ROLE = f"""```sql
create role cdc login password 'x';
```
```json
{{"connector.class": "{POSTGRES}", "database.user": "cdc"}}
```
"""
ANSIBLE = f"""- postgresql_user:
    name: cdc
    role_attr_flags: LOGIN
- uri:
    body: {{connector.class: {POSTGRES}, database.user: cdc}}
"""
PUBLICATION = f"""```sql
create publication p for table outbox;
```
```json
{{"connector.class": "{POSTGRES}", "plugin.name": "pgoutput", "publication.name": "p",
 "publication.autocreate.mode": "disabled", "table.include.list": "public.outbox"}}
```
"""
TOPICS = """topic() {
  kafka-topics.sh --create --topic "$1" --config cleanup.policy=$2
}
topic offsets delete
docker run -e CONFIG_STORAGE_TOPIC=configs -e OFFSET_STORAGE_TOPIC=offsets debezium/connect:3.6
curl -d '{"connector.class": "a.B", "topic.prefix": "shop"}' a
"""
INI = f"""- ini_file:
  loop:
    - {{key: binlog_row_image, value: MINIMAL}}
- uri:
    body: {{connector.class: {MYSQL}}}
"""
TEXTS |= {
    "composed": (COMPOSED, "a.yml"),
    "composed of mysql": (COMPOSED_MYSQL, "a.yml"),
    "topics": (TOPICS, "a.sh"),
    "ini": (INI, "a.yml"),
    "compose": (COMPOSE, "a.yml"),
    "mariadb": (MARIADB, "a.yml"),
    "mssql": (MSSQL, "a.yml"),
    "mongo": (MONGO, "a.sh"),
    "slots": (SLOTS, "README.md"),
    "role": (ROLE, "README.md"),
    "ansible": (ANSIBLE, "a.yml"),
    "publication": (PUBLICATION, "README.md"),
}


def rules(text: str, name: str, release: str = "3.6") -> set[str]:
    """The names of the rules that a file breaks."""
    findings = check(with_peers(from_text(text, name, Version.of(release))))
    return {rule for finding in findings for rule in finding.facts["rules"]}


@pytest.mark.parametrize(
    ("text", "change", "rule", "reported"),
    [
        ("rds", ("parameter_group_name    =", "db_name ="), "parameter-group-not-used", True),
        ("rds", ("", ""), "parameter-group-not-used", False),
        ("rds", ('resource "aws_db_instance" "a"', 'data "aws_db_instance" "a"'), "parameter-group-not-used", False),
        ("mysql", ("parameter_group_name    =", "db_name ="), "parameter-group-not-used", True),
        ("mysql", ("", ""), "backups-switched-off", False),
        ("mysql", ("period = 7", "period = 0"), "backups-switched-off", True),
        ("rds", ("period = 7", "period = 0"), "backups-switched-off", False),
        ("rds", ("", ""), "plugin-archive-not-read", False),
        ("rds", ('"debezium.zip"', "aws_s3_object.a.key"), "plugin-archive-not-read", False),
        ("rds", ("", ""), "network-of-managed-missing", False),
        ("strimzi", ("", ""), "strimzi-cluster-unknown", False),
        ("strimzi", ("cluster: pipes", 'cluster: "{{ .Values.cluster }}"'), "strimzi-cluster-unknown", False),
        ("strimzi", ("kind: KafkaConnect\n", "kind: Kafka\n"), "strimzi-cluster-unknown", False),
        ("strimzi", ("", ""), "strimzi-version-not-served", False),
        ("strimzi", ("", ""), "worker-without-plugin", False),
        ("strimzi", ("image: pipes:1", "build: {output: {}}"), "worker-without-plugin", False),
        ("strimzi", ("image: pipes:1", "{{ .Values.image }}"), "worker-without-plugin", False),
        ("strimzi", ("  image: pipes:1\n", ""), "worker-without-plugin", True),
        ("strimzi", ("", ""), "secret-not-readable", False),
        ("strimzi", ("KubernetesSecretConfigProvider", "Other"), "secret-not-readable", False),
        ("strimzi", ("", ""), "topic-not-granted", False),
        ("strimzi", ("topic: pipes.history", "topic: history"), "topic-not-granted", False),
        ("strimzi", ("topic: pipes.history", "topic: historic"), "topic-not-granted", True),
        ("strimzi", ("name: pipes., patternType: prefix", 'name: "*"'), "topic-not-granted", False),
        ("strimzi", ("", ""), "variable-not-in-worker", False),
        ("strimzi", ("{env:ORDERS_DB_PASSWORD", "{env:OTHER"), "variable-not-in-worker", False),
        ("strimzi", ("", ""), "folder-as-file", False),
        ("strimzi", ("{file:/mnt/login/a.properties", "{dir:/mnt/login"), "folder-as-file", False),
        ("compose", ("", ""), "wal-level-left-at-default", True),
        ("compose", ("postgres:16", "debezium/postgres:16"), "wal-level-left-at-default", False),
        (
            "compose",
            ("postgres:16", "postgres:16\n    command: -c wal_level=logical"),
            "wal-level-left-at-default",
            False,
        ),
        (
            "compose",
            ("postgres:16", "postgres:16\n    volumes: [./c.conf:/postgresql.conf]"),
            "wal-level-left-at-default",
            False,
        ),
        (
            "compose",
            ("postgres:16", "postgres:16\n    volumes: [./a:/docker-entrypoint-initdb.d]"),
            "wal-level-left-at-default",
            False,
        ),
        ("compose", (POSTGRES, MYSQL), "wal-level-left-at-default", False),
        ("compose", ("hostname: db", "hostname: localhost"), "localhost-of-container", True),
        (
            "compose",
            ("database.hostname: db", "schema.history.internal.kafka.bootstrap.servers: localhost:9092"),
            "localhost-of-container",
            True,
        ),
        (
            "compose",
            ("database.hostname: db", "schema.history.internal.kafka.bootstrap.servers: kafka:9092"),
            "localhost-of-container",
            False,
        ),
        ("mariadb", ("", ""), "binlog-format-mixed", True),
        ("mariadb", ("--log-bin=a", "--log-bin=a --binlog-format=ROW"), "binlog-format-mixed", False),
        ("mariadb", ("mariadb:11", "mysql:8"), "binlog-format-mixed", False),
        ("mssql", ("", ""), "certificate-not-trusted", True),
        ("mssql", ("hostname: db", "hostname: db, database.encrypt: false"), "certificate-not-trusted", False),
        (
            "mssql",
            ("hostname: db", "hostname: db, driver.trustServerCertificate: true"),
            "certificate-not-trusted",
            False,
        ),
        ("mssql", ("mcr.microsoft.com", "artifacts.example.org"), "certificate-not-trusted", False),
        ("composed", ("", ""), "database-not-created", False),
        ("composed", ("hostname: db", "hostname: other\n  x: b"), "account-password-differs", False),
        ("compose", ("hostname: db", "hostname: db.example.org"), "wal-level-left-at-default", False),
        ("compose", ("hostname: db", "hostname: $DB_HOST"), "wal-level-left-at-default", False),
        ("compose", ("hostname: db", "hostname: localhost"), "wal-level-left-at-default", True),
        ("compose", ("hostname: db", "hostname: shop-db"), "wal-level-left-at-default", False),
        ("compose", ("postgres:16", "postgres:16\n    build: ."), "wal-level-left-at-default", False),
        ("mssql", ("hostname: db", "hostname: sql.example.org"), "certificate-not-trusted", False),
        ("composed", ("dbname: shop", "dbname: postgres"), "database-not-created", False),
        ("composed", ("dbname: shop", "dbname: store # create database store"), "database-not-created", True),
        ("composed", ("dbname: shop", "dbname: store\n# create database store"), "database-not-created", False),
        ("composed", ("postgres:17", "postgres:17\n    env_file: a"), "database-not-created", False),
        ("composed", ("POSTGRES_DB: shop", 'POSTGRES_DB: "${DB}"'), "database-not-created", False),
        ("composed", ("", ""), "account-password-differs", False),
        ("composed", ("password: a", "password: ${PASSWORD}"), "account-password-differs", False),
        ("composed", ("POSTGRES_PASSWORD: a", 'POSTGRES_PASSWORD: "${PASSWORD}"'), "account-password-differs", False),
        ("composed", ("user: shop", "user: other"), "account-password-differs", False),
        ("composed of mysql", ("", ""), "account-without-replication", True),
        (
            "composed of mysql",
            ("services", "# GRANT ALL ON *.* TO shop\nservices"),
            "account-without-replication",
            False,
        ),
        ("composed of mysql", ("user: shop", "user: root"), "account-without-replication", False),
        (
            "composed of mysql",
            ("mysql:8", "mysql:8\n    volumes: [./a:/docker-entrypoint-initdb.d]"),
            "account-without-replication",
            False,
        ),
        ("topics", ("", ""), "internal-topic-not-compacted", True),
        ("topics", ("offsets delete", "offsets compact"), "internal-topic-not-compacted", False),
        ("topics", ("topic offsets", "topic other"), "internal-topic-not-compacted", False),
        ("ini", ("", ""), "server-setting-unfit", True),
        ("ini", ("MINIMAL", "FULL"), "server-setting-unfit", False),
        ("mssql", ("hostname: db", "hostname: db, driver.encrypt: false"), "certificate-not-trusted", False),
        (
            "strimzi",
            ("    schema.history.internal.kafka.topic: pipes.history", "    topic.prefix: a"),
            "topic-not-granted",
            True,
        ),
        (
            "strimzi",
            ("    schema.history.internal.kafka.topic: pipes.history", "    topic.prefix: pipes"),
            "topic-not-granted",
            False,
        ),
        ("publication", ('"publication.name": "p"', '"publication.name": "q"'), "publication-not-created", True),
        ("publication", ("", ""), "publication-not-created", False),
        (
            "publication",
            ("create publication p for", "-- the right to create publication p is not ours, for"),
            "publication-not-created",
            False,
        ),
        ("publication", ("disabled", "filtered"), "publication-not-created", False),
        ("publication", ("table outbox", 'table public."outbox"'), "publication-lacks-table", False),
        (
            "publication",
            ("create publication", "create table app.outbox (id uuid); create publication"),
            "table-in-another-schema",
            True,
        ),
        (
            "publication",
            ("create publication", "create table outbox (id uuid); create publication"),
            "table-in-another-schema",
            False,
        ),
        (
            "publication",
            ("create publication", "create table public.outbox (id uuid); create publication"),
            "table-in-another-schema",
            False,
        ),
        ("mongo", ("?replicaSet=a", "?replicaSet=b"), "replica-set-differs", True),
        ("mongo", ("", ""), "replica-set-differs", False),
        ("mongo", ("?replicaSet=a", ""), "replica-set-differs", False),
        ("mongo", ("", ""), "mongo-member-is-localhost", True),
        ("mongo", ('host: "localhost', 'host: "mongo'), "mongo-member-is-localhost", False),
        ("mongo", ("//mongo:", "//localhost:"), "mongo-member-is-localhost", False),
        ("slots", ("", ""), "too-few-slots", True),
        ("slots", ("slots=1", "slots=2"), "too-few-slots", False),
        ("slots", ('"db", "slot.name": "b"', '"other", "slot.name": "b"'), "too-few-slots", False),
        ("slots", ('"slot.name": "b"', '"slot.name": "a"'), "too-few-slots", False),
        ("role", ("", ""), "role-without-replication", True),
        ("role", ("login", "login replication"), "role-without-replication", False),
        ("role", ("login", "superuser"), "role-without-replication", False),
        ("role", ("'x';", "'x'; alter role cdc replication;"), "role-without-replication", False),
        ("role", ("'x';", "'x'; grant rds_replication to cdc;"), "role-without-replication", False),
        ("role", ("login", "login noreplication"), "role-without-replication", True),
        ("role", ("create role cdc", "create role app"), "role-without-replication", False),
        ("ansible", ("", ""), "role-without-replication", True),
        ("ansible", ("LOGIN", "LOGIN,REPLICATION"), "role-without-replication", False),
        ("publication", ("", ""), "publication-lacks-table", False),
        ("publication", ("public.outbox", "app.outbox"), "publication-lacks-table", True),
        (
            "publication",
            ("create publication", "set search_path = app; create publication"),
            "publication-lacks-table",
            False,
        ),
        ("publication", ("table outbox", "table app.outbox"), "publication-lacks-table", True),
        ("publication", ('"public.outbox"', r'"public\\.outbox"'), "publication-lacks-table", False),
        (
            "publication",
            ('"public.outbox"', '"public.outbox", "signal.data.collection": "public.signals"'),
            "publication-lacks-table",
            True,
        ),
        (
            "publication",
            ('"public.outbox"', '"public.outbox", "signal.data.collection": "public.outbox"'),
            "publication-lacks-table",
            False,
        ),
    ],
)
def test_what_does_not_fit_is_reported(text: str, change: tuple[str, str], rule: str, *, reported: bool) -> None:
    content, name = TEXTS[text]
    assert change[0] in content
    assert (rule in rules(content.replace(*change) if change[0] else content, name)) is reported


def test_a_server_of_mysql_5_has_no_binary_log_by_default() -> None:
    text = f"services:\n  db:\n    image: mysql:5.7\nx: {{connector.class: {MYSQL}}}\n"
    assert "binlog-not-enabled" in rules(text, "a.yml")
    assert "binlog-not-enabled" not in rules(text.replace("5.7", "8"), "a.yml")
    assert "binlog-not-enabled" not in rules(text.replace("5.7", "5.7\n    command: --log-bin=a"), "a.yml")


@pytest.mark.parametrize(
    ("options", "rule", "reported"),
    [
        ({"insert.mode": "upsert"}, "foreign-option-missing", True),
        ({"insert.mode": "upsert", "pk.mode": "none"}, "foreign-option-missing", True),
        ({"insert.mode": "upsert", "pk.mode": "record_key"}, "foreign-option-missing", False),
        ({"insert.mode": "insert"}, "foreign-option-missing", False),
    ],
)
def test_a_sink_that_updates_rows_finds_them(options: dict[str, str], rule: str, *, reported: bool) -> None:
    sink = {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", "connection.url": "jdbc:a", "topics": "a"}
    assert (rule in rules(json.dumps(sink | options), "a.json")) is reported


@pytest.mark.parametrize(
    ("kind", "reported"),
    [
        ("io.debezium.connector.postgresql.PostgresSinkConnector", True),
        ("io.debezium.connector.jdbc.JdbcConnector", True),
        ("io.debezium.connector.jdbc.JdbcSinkConnector", False),
        ("io.debezium.connector.mongodb.MongoDbSinkConnector", False),
        ("io.debezium.connector.cassandra.Cassandra4Connector", False),
        ("io.debezium.connector.yugabytedb.YugabyteDBgRPCConnector", False),
        ("io.debezium.connector.postgresql.YugabyteDBConnector", False),
        ("com.example.transform.common.BytesToString", True),
        ("io.debezium.transforms.outbox.EventRouter", True),
        ("io.example.connector.postgresql.PostgresSinkConnector", False),
    ],
)
def test_a_class_in_a_package_of_debezium_is_one_that_exists(kind: str, *, reported: bool) -> None:
    assert ("unknown-class" in rules(json.dumps({"connector.class": kind}), "a.json")) is reported


@pytest.mark.parametrize(
    ("handling", "release", "reported"),
    [
        ({"delete.tombstone.handling.mode": "drop"}, "3.6", True),
        ({"delete.tombstone.handling.mode": "rewrite"}, "3.6", True),
        ({"delete.tombstone.handling.mode": "delete-to-tombstone"}, "3.6", False),
        ({"delete.tombstone.handling.mode": "none"}, "3.6", False),
        ({}, "3.6", False),
        ({}, "2.3", True),
        ({"delete.handling.mode": "rewrite"}, "2.3", True),
        ({"drop.tombstones": "false"}, "2.3", False),
    ],
)
def test_a_sink_that_deletes_gets_tombstones(handling: dict[str, str], release: str, *, reported: bool) -> None:
    source = {
        "connector.class": POSTGRES,
        "topic.prefix": "shop",
        "table.include.list": "public.orders",
        "transforms": "u",
        "transforms.u.type": "io.debezium.transforms.ExtractNewRecordState",
        **{f"transforms.u.{name}": value for name, value in handling.items()},
    }
    sink = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "topics": "shop.public.orders",
        "delete.enabled": "true",
        "pk.mode": "record_key",
    }
    assert ("deletes-not-sent" in rules(json.dumps([source, sink]), "a.json", release)) is reported


@pytest.mark.parametrize(
    ("variable", "reported"),
    [
        ('- CONNECT_KEY_CONVERTER="a.B"', True),
        ("- CONNECT_KEY_CONVERTER='a.B'", True),
        ('- "CONNECT_KEY_CONVERTER=a.B"', False),
        ("- CONNECT_KEY_CONVERTER=a.B", False),
        ('- HEAP_OPTS="-Xmx1g"', False),
    ],
)
def test_quotes_in_an_item_of_a_list_belong_to_the_value(variable: str, *, reported: bool) -> None:
    worker = "services:\n  connect:\n    environment:\n      - CONNECT_CONFIG_STORAGE_TOPIC=a\n"
    text = f"{worker}      {variable}\nx: {{connector.class: a.B}}\n"
    assert ("quoted-worker-variable" in rules(text, "a.yml")) is reported


@pytest.mark.parametrize(("name", "reported"), [("secretsManager", True), ("secretsmanager", False)])
def test_a_provider_that_a_variable_names_has_no_capitals(name: str, *, reported: bool) -> None:
    text = f"""```
CONNECT_CONFIG_PROVIDERS: "{name}"
CONNECT_CONFIG_PROVIDERS_SECRETSMANAGER_CLASS: a.B
```
```json
{{"connector.class": "a.B", "database.password": "${{{name}:a:b}}"}}
```
"""
    assert ("reference-without-provider" in rules(text, "README.md")) is reported


@pytest.mark.parametrize(
    ("connector", "names", "reported"),
    [
        (POSTGRES, "op,lsn,source.txId", False),
        (POSTGRES, "op,source.gtid", True),
        (MYSQL, "table,schema", True),
        (MYSQL, "table:t,gtid,file,pos", False),
        (MYSQL, "unknown,transaction.id", False),
    ],
)
def test_a_field_is_in_the_source_block_of_the_connector(connector: str, names: str, *, reported: bool) -> None:
    step = {"transforms": "a", "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState"}
    config = {"connector.class": connector, **step, "transforms.a.add.fields": names}
    assert ("field-of-another-source" in rules(json.dumps(config), "a.json")) is reported


@pytest.mark.parametrize(
    ("subjects", "reported"),
    [("shop.>", True), ("outbox.event.*", False), ("shop.>,outbox.>", False), ("$SUBJECTS", False)],
)
def test_a_stream_of_nats_takes_the_topics(subjects: str, *, reported: bool) -> None:
    text = f"""services:
  stream:
    image: natsio/nats-box
    command: nats stream add SHOP --subjects "{subjects}" --storage file
  server:
    image: debezium/server:3.6
    environment:
      DEBEZIUM_SINK_TYPE: nats-jetstream
      DEBEZIUM_SOURCE_CONNECTOR_CLASS: {POSTGRES}
      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST: public.outbox
      DEBEZIUM_SOURCE_TOPIC_PREFIX: shop
      DEBEZIUM_TRANSFORMS: outbox
      DEBEZIUM_TRANSFORMS_OUTBOX_TYPE: io.debezium.transforms.outbox.EventRouter
"""
    assert ("server-subject-not-in-stream" in rules(text, "a.yml")) is reported


@pytest.mark.parametrize(
    ("option", "reported"),
    [
        ("table.format", True),
        ("table.name.format", False),
        ("hibernate.c3p0.idle_test_period", False),
        ("consumer.override.max.poll.records", False),
        ("errors.deadletterqueue.topic.name", False),
        ("pk.mode", False),  # of another sink, which has a rule of its own
    ],
)
def test_an_option_of_debezium_s_sink_is_known(option: str, *, reported: bool) -> None:
    config = {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", "topics": "a", option: "b"}
    assert ("unknown-option-of-sink" in rules(json.dumps(config), "a.json")) is reported


SQL_TABLE = """```json
{{"connector.class": "{kind}", "database.hostname": "db", "table.include.list": "public.users"}}
```
```sql
CREATE TABLE warehouse.users (id Int32, name String) {engine};
```
"""


@pytest.mark.parametrize(
    ("engine", "reported"),
    [
        ("", True),
        ("ENGINE = InnoDB", True),
        ("ENGINE = ReplacingMergeTree(version) ORDER BY id", False),
        ("engine=OLAP", False),
        ("WITH ('connector' = 'kafka', 'topic' = 'a')", False),
        ("USING iceberg", False),
    ],
)
def test_a_table_of_another_product_is_not_captured(engine: str, *, reported: bool) -> None:
    text = SQL_TABLE.format(kind=POSTGRES, engine=engine)
    assert ("table-in-another-schema" in rules(text, "README.md")) is reported


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({}, True),
        ({"read.only": "true"}, True),
        ({"read.only": "true", "signal.enabled.channels": "kafka"}, False),
        ({"signal.enabled.channels": "kafka"}, True),
        ({"read.only": "true", "signal.enabled.channels": "source,kafka"}, True),
    ],
)
def test_a_table_for_signals_that_is_read_has_its_whole_name(options: dict[str, str], *, reported: bool) -> None:
    config = {"connector.class": POSTGRES, "signal.data.collection": "signals"}
    assert ("whole-name-expected" in rules(json.dumps(config | options), "a.json")) is reported


@pytest.mark.parametrize(
    ("options", "severity"),
    [
        ({"database.whitelist": "shop"}, "info"),
        ({"table.whitelist": "public.orders"}, "error"),
    ],
)
def test_a_removed_filter_without_a_use_does_no_harm(options: dict[str, str], severity: str) -> None:
    findings = check(from_text(json.dumps({"connector.class": POSTGRES} | options), "a.json", None))
    (severities,) = [each.severity.name for each in findings if "removed-option" in each.facts["rules"]]
    assert severities == severity


@pytest.mark.parametrize(
    ("topic", "reported"),
    [
        ("shop.db.dbo.orders", True),
        ("shop.db.history", False),
        ("history.db.dbo.orders", False),
        ("shop.other.dbo.orders", False),
    ],
)
def test_the_history_has_a_topic_of_its_own(topic: str, *, reported: bool) -> None:
    kind = "io.debezium.connector.sqlserver.SqlServerConnector"
    config = {"connector.class": kind, "topic.prefix": "shop", "database.names": "db"}
    config["schema.history.internal.kafka.topic"] = topic
    assert ("history-among-events" in rules(json.dumps(config), "a.json")) is reported


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({}, True),
        ({"insert.mode": "upsert"}, False),
        ({"pk.mode": "none"}, False),
        ({"auto.create": "false"}, False),
        ({"transforms": ""}, False),
    ],
)
def test_a_row_of_an_update_is_not_inserted_again(options: dict[str, str], *, reported: bool) -> None:
    sink = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "insert.mode": "insert",
        "auto.create": "true",
        "pk.mode": "record_key",
        "transforms": "a",
        "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState",
    }
    assert ("update-inserted-again" in rules(json.dumps(sink | options), "a.json")) is reported


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("${topic}", False),
        ("${source.table}", False),
        ("${TABLE}", False),
        ("${topic.tail}", True),
        ("a_${table}", True),
    ],
)
def test_the_name_of_a_table_is_made_of_what_the_sink_knows(name: str, *, reported: bool) -> None:
    sink = {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", "table.name.format": name}
    assert ("unknown-table-variable" in rules(json.dumps(sink), "a.json")) is reported


@pytest.mark.parametrize(
    ("value", "file", "reported"),
    [
        ("PG_TABLES", "README.md", False),
        ("PG_TABLES", "a.json", True),
        ("orders", "README.md", True),
    ],
)
def test_a_page_says_what_is_to_be_filled_in(value: str, file: str, *, reported: bool) -> None:
    config = json.dumps({"connector.class": POSTGRES, "database.hostname": "db", "table.include.list": value})
    text = f"```json\n{config}\n```\n" if file.endswith(".md") else config
    assert ("table-filter-never-matches" in rules(text, file)) is reported


EXCERPT = "```properties\ndebezium.source.connector.class={kind}\ndebezium.source.max.batch.size=8\n{more}```\n"


@pytest.mark.parametrize(
    ("more", "reported"),
    [("", False), ("debezium.source.database.hostname=db\n", True)],
)
def test_a_page_may_show_a_few_options_alone(more: str, *, reported: bool) -> None:
    assert ("required-option-missing" in rules(EXCERPT.format(kind=POSTGRES, more=more), "README.md")) is reported


@pytest.mark.parametrize(
    ("member", "reported"),
    [("_comment", True), ("//", True), ("initial_state", False)],
)
def test_a_request_has_no_remarks(member: str, *, reported: bool) -> None:
    text = json.dumps({"name": "a", member: "RUNNING", "config": {"connector.class": POSTGRES}})
    assert ("body-refused" in rules(text, "a.json")) is reported


def test_a_group_whose_name_is_not_known_is_not_judged() -> None:
    for group, reported in (("$alias", False), ("orders", True)):
        text = json.dumps({"connector.class": POSTGRES, f"topic.creation.{group}.partitions": "1"})
        assert ("topic-creation-group-not-listed" in rules(text, "a.json")) is reported


STAMP = {"transforms.stamp.type": "org.apache.kafka.connect.transforms.InsertField$Value"}
ROUTER = {"transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"}


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({"transforms": "stamp", "transforms.stamp.timestamp.field": "at"}, True),
        ({"transforms": "stamp,outbox", "transforms.stamp.timestamp.field": "at"}, True),
        ({"transforms": "outbox,stamp", "transforms.stamp.timestamp.field": "at"}, False),
        ({"transforms": "stamp", "transforms.stamp.topic.field": "topic"}, False),
        ({"transforms": "stamp", "transforms.stamp.type": "org.apache.kafka.connect.transforms.TimestampRouter"}, True),
        ({"transforms": "stamp", "transforms.stamp.timestamp.field": "at", "connector.class": "a.BSink"}, False),
    ],
)
def test_a_record_of_a_source_has_no_timestamp_yet(options: dict[str, str], *, reported: bool) -> None:
    text = json.dumps({"connector.class": POSTGRES} | STAMP | ROUTER | options)
    assert ("record-without-timestamp" in rules(text, "a.json")) is reported


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({}, True),
        ({"key.ignore": "false"}, False),
        ({"transforms": ""}, False),
        ({"transforms.a.field": "id"}, False),
        ({"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector"}, False),
    ],
)
def test_a_search_engine_has_one_document_for_a_row(options: dict[str, str], *, reported: bool) -> None:
    sink = {
        "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
        "key.ignore": "true",
        "transforms": "a",
        "transforms.a.type": "org.apache.kafka.connect.transforms.ExtractField$Value",
        "transforms.a.field": "after",
    }
    assert ("search-key-ignored" in rules(json.dumps(sink | options), "a.json")) is reported


@pytest.mark.parametrize(
    ("url", "reported"),
    [
        ("jdbc:oracle:thin:@(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=A)))", False),
        ("jdbc:oracle:thin:@(DESCRIPTION=(CONNECT_DATA=SERVICE_NAME=A)))", True),
        ("jdbc:oracle:thin:@//db:1521/A", False),
        ("jdbc:oracle:thin:@(DESCRIPTION=${env:DESCRIPTION}", False),
    ],
)
def test_the_brackets_of_a_descriptor_of_oracle(url: str, *, reported: bool) -> None:
    kind = "io.debezium.connector.oracle.OracleConnector"
    text = json.dumps({"connector.class": kind, "database.url": url})
    assert ("invalid-connect-descriptor" in rules(text, "a.json")) is reported


@pytest.mark.parametrize(("name", "reported"), [("warehouse", False), ("other", True)])
def test_a_password_that_is_the_name_of_the_account_is_an_example(name: str, *, reported: bool) -> None:
    text = (
        f"debezium.source.connector.class={POSTGRES}\ndebezium.sink.type=redis\n"
        f"debezium.sink.redis.user={name}\ndebezium.sink.redis.password=warehouse\n"
    )
    assert ("plain-text-secret" in rules(text, "application.properties")) is reported


def test_a_form_to_fill_in_is_no_config() -> None:
    form = '{\n"name": "",\n"config": {\n"connector.class": "",\n// of a sink\n"topics": ""\n}'
    item = {"request": {"method": "POST", "url": "http://a/connectors", "body": {"raw": form}}}
    config = {"request": {"method": "POST", "url": "http://a/connectors", "body": {"raw": form.replace('""', '"a.B"')}}}
    assert "unreadable-config" in rules(json.dumps({"item": [config]}), "a.json")
    both = {"item": [item, {"connector.class": POSTGRES}]}
    assert "unreadable-config" not in rules(json.dumps(both), "a.json")


def test_a_container_with_curl_may_have_the_config_in_a_variable() -> None:
    config = json.dumps({"connector.class": POSTGRES, "table.exclude.list": "audit"})
    begin = f"services:\n  a:\n    image: curlimages/curl\n    environment:\n      C: '{config}'\n"
    text = f'{begin}    command: sh -c "a"\n'
    assert "exclude-list-never-matches" in rules(text, "compose.yml")


@pytest.mark.parametrize(("option", "severity"), [({}, "error"), ({"type.name": "_doc"}, "warning")])
def test_a_former_sink_for_elasticsearch_flushes_otherwise(option: dict[str, str], severity: str) -> None:
    sink = {
        "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
        "transforms": "a",
        "transforms.a.type": "org.apache.kafka.connect.transforms.RegexRouter",
    }
    findings = check(from_text(json.dumps(sink | option), "a.json", None))
    severities = [each.severity.name for each in findings if "topic-changed-before-search" in each.facts["rules"]]
    assert severities == [severity]


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({"key.converter": "org.apache.kafka.connect.json.JsonConverter"}, True),
        ({"value.converter": "io.confluent.connect.avro.AvroConverter"}, True),
        ({"value.converter": "org.apache.kafka.connect.storage.StringConverter"}, False),
        ({}, False),
        (
            {
                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "transforms": "a",
                "transforms.a.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
            },
            False,
        ),
    ],
)
def test_a_sink_for_redis_takes_texts(options: dict[str, str], *, reported: bool) -> None:
    sink = {"connector.class": "com.github.jcustenborder.kafka.connect.redis.RedisSinkConnector"}
    assert ("sink-takes-text" in rules(json.dumps(sink | options), "a.json")) is reported


@pytest.mark.parametrize(
    ("kind", "options", "reported"),
    [
        ("io.confluent.connect.jdbc.JdbcSinkConnector", {"pk.mode": "record_id"}, True),
        ("io.confluent.connect.jdbc.JdbcSinkConnector", {"pk.mode": "RECORD_KEY"}, False),
        ("io.aiven.connect.jdbc.JdbcSinkConnector", {"insert.mode": "multi"}, False),
        ("io.aiven.kafka.connect.opensearch.OpensearchSinkConnector", {"index.write.method": "update"}, True),
        ("io.confluent.connect.elasticsearch.ElasticsearchSinkConnector", {"behavior.on.null.values": "drop"}, True),
        ("io.confluent.connect.elasticsearch.ElasticsearchSinkConnector", {"behavior.on.null.values": "DELETE"}, False),
    ],
)
def test_a_word_of_a_sink_is_known(kind: str, options: dict[str, str], *, reported: bool) -> None:
    assert ("foreign-value-refused" in rules(json.dumps({"connector.class": kind} | options), "a.json")) is reported


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({"transforms.r.regex": "([^.]+)\\.([^.]+)\\.([^.]+)"}, True),
        ({"transforms.r.regex": "([^.]+)\\.([^.]+)\\.([^.]+)\\.([^.]+)"}, False),
        ({"transforms.r.regex": "(.*)\\.(.*)"}, False),
        ({"transforms.r.regex": "shop\\.dbo\\.(.*)"}, False),
        ({"transforms.r.regex": "([^.]+)\\.([^.]+)\\.([^.]+)", "topic.delimiter": "_"}, False),
    ],
)
def test_an_expression_for_a_number_of_parts_fits_the_topics(options: dict[str, str], *, reported: bool) -> None:
    config = {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "topic.prefix": "shop",
        "database.names": "db",
        "transforms": "r",
        "transforms.r.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.r.replacement": "$3",
    }
    assert ("topic-pattern-never-matches" in rules(json.dumps(config | options), "a.json")) is reported
    former = {"database.server.name" if key == "topic.prefix" else key: value for key, value in config.items()}
    assert ("topic-pattern-never-matches" in rules(json.dumps(former | options), "a.json")) is reported


EVERYWHERE = ".".join("0000")


@pytest.mark.parametrize(("host", "reported"), [(EVERYWHERE, True), ("localhost", False), ("10.0.0.0", False)])
def test_an_address_to_listen_at_is_none_of_a_server(host: str, *, reported: bool) -> None:
    text = json.dumps({"connector.class": POSTGRES, "database.hostname": host})
    assert ("localhost-of-container" in rules(text, "a.json")) is reported


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({}, True),
        ({"value.converter.schemas.enable": "true"}, False),
        ({"value.converter": "io.confluent.connect.avro.AvroConverter"}, False),
        ({"transforms": "a,row"}, False),
        ({"connector.class": POSTGRES}, False),
    ],
)
def test_a_sink_knows_a_change_event_by_its_schema(options: dict[str, str], *, reported: bool) -> None:
    sink = {
        "connector.class": "com.clickhouse.kafka.connect.ClickHouseSinkConnector",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
        "transforms": "row",
        "transforms.row.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.a.type": "com.example.A",
    }
    assert ("unwrap-without-schema" in rules(json.dumps(sink | options), "a.json")) is reported


@pytest.mark.parametrize(
    ("names", "reported"),
    [
        (("topic", "partitions", "replication.factor"), False),
        (("topic", "partitions"), True),
        (("topic",), True),
        ((), True),
    ],
)
def test_the_topic_of_the_position_is_described(names: tuple[str, ...], *, reported: bool) -> None:
    storage = "debezium.source.offset.storage"
    lines = [f"{storage}=org.apache.kafka.connect.storage.KafkaOffsetBackingStore"]
    lines += [f"debezium.source.connector.class={POSTGRES}", *(f"{storage}.{name}=1" for name in names)]
    assert ("position-topic-incomplete" in rules("\n".join(lines), "application.properties")) is reported


@pytest.mark.parametrize("name", ["MySqlConnector", "MySql", MYSQL])
def test_a_short_name_of_a_class_is_one_that_kafka_connect_finds(name: str) -> None:
    text = json.dumps({"connector.class": name, "database.server.name": "a", "transforms.o.type": "EventRouter"})
    assert "removed-option" in rules(text, "a.json")
    assert ("class-without-package" in rules(text, "a.json")) is ("." not in name)
    assert "class-without-package" not in rules(text, "a.json", "2.6")
    server = f"debezium.source.connector.class={name}\ndebezium.source.database.hostname=a\n"
    assert ("class-without-package" in rules(server, "application.properties")) is ("." not in name)


def test_a_short_name_of_a_transformation_is_known() -> None:
    config = {"connector.class": "Postgres", "transforms": "o", "transforms.o.type": "EventRouter"}
    config["transforms.o.table.field.event.aggregatetype"] = "kind"
    assert "nonexistent-option" in rules(json.dumps(config), "a.json")


@pytest.mark.parametrize(("user", "reported"), [("", False), ("cdc", True)])
def test_a_config_with_empty_accounts_is_to_be_filled_in(user: str, *, reported: bool) -> None:
    config = {"connector.class": POSTGRES, "database.hostname": "", "database.user": user, "database.password": "x"}
    findings = check(from_text(json.dumps(config), "a.json", None))
    subjects = [each.text for each in findings if "required-option-missing" in each.facts["rules"]]
    assert any("'database.hostname' is empty" in text for text in subjects) is reported


def test_typographic_quotation_marks_are_reported() -> None:
    config = f"curl -d \u2018{{ \u201cconnector.class\u201d: \u201c{POSTGRES}\u201d }}\u2018 http://a/connectors\n"
    (finding,) = check(from_text(config, "a.sh", None))
    assert finding.id == "unreadable-config"
    assert "typographic" in finding.text


def test_statements_of_ksqldb_in_a_text() -> None:
    text = "CREATE SINK CONNECTOR a WITH ('connector.class'='io.confluent.connect.s3.S3SinkConnector', 'topics'='a');\n"
    assert "required-option-missing" in rules(text, "a.txt")


@pytest.mark.parametrize(
    ("url", "option", "reported"),
    [
        ("jdbc:clickhouse://db:8123/shop", "auto.create=true", True),
        ("jdbc:clickhouse://db:8123/shop", "auto.create=false", False),
        ("jdbc:postgresql://db:5432/shop", "auto.create=true", False),
        ("${env:URL}", "auto.create=true", False),
        ("jdbc:snowflake://a.example.com/", "insert.mode=upsert", True),
        ("jdbc:snowflake://a.example.com/", "insert.mode=insert", False),
        ("jdbc:oracle:thin:@db:1521/shop", "insert.mode=upsert", False),
    ],
)
def test_a_sink_writes_into_a_database_that_it_knows(url: str, option: str, *, reported: bool) -> None:
    key, _, value = option.partition("=")
    sink = {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", "pk.mode": "record_key", key: value}
    assert ("no-dialect-for-tables" in rules(json.dumps(sink | {"connection.url": url}), "a.json")) is reported


def test_an_excerpt_of_a_server_s_settings_has_no_defaults() -> None:
    names = {"source.connector.class": POSTGRES, "source.max.batch.size": "1", "sink.type": "redis"}
    lines = [f"debezium.{name}={value}" for name, value in names.items()]
    assert "required-option-missing" not in rules("\n".join(["```properties", *lines, "```"]), "README.md")


@pytest.mark.parametrize(
    ("kind", "option", "reported"),
    [
        ("JdbcSource", "poll.intervall.ms", True),
        ("JdbcSource", "poll.interval.ms", False),
        ("JdbcSource", "poll.timeout.ms", False),
        ("JdbcSink", "delete.enable", True),
        ("JdbcSink", "delete.enabled", False),
    ],
)
def test_an_option_of_a_common_connector_is_spelt_as_it_reads_it(kind: str, option: str, *, reported: bool) -> None:
    config = {"connector.class": f"io.confluent.connect.jdbc.{kind}Connector", option: "7"}
    assert ("misspelt-option-of-connect" in rules(json.dumps(config), "a.json")) is reported


def test_a_removed_option_without_a_value_does_no_harm() -> None:
    findings = check(from_text(json.dumps({"connector.class": POSTGRES, "table.blacklist": ""}), "a.json", None))
    (severity,) = [each.severity.name for each in findings if "removed-option" in each.facts["rules"]]
    assert severity == "info"


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({"partitioner.class": "TimeBasedPartitioner"}, True),
        ({"partitioner.class": "DailyPartitioner", "locale": "en", "timezone": "UTC"}, False),
        ({"partitioner.class": "DailyPartitioner", "locale": "en"}, True),
        ({"partitioner.class": "DefaultPartitioner"}, False),
    ],
)
def test_a_partitioner_by_time_has_no_defaults(options: dict[str, str], *, reported: bool) -> None:
    sink = {"connector.class": "io.confluent.connect.s3.S3SinkConnector"} | options
    sink["partitioner.class"] = f"io.confluent.connect.storage.partitioner.{sink['partitioner.class']}"
    assert ("foreign-option-missing" in rules(json.dumps(sink), "a.json")) is reported


@pytest.mark.parametrize(
    ("steps", "converter", "reported"),
    [
        (["ValueToKey"], "storage.StringConverter", True),
        (["ValueToKey", "ExtractField$Key"], "storage.StringConverter", False),
        (["ValueToKey", "ExtractField$Key", "ValueToKey"], "storage.StringConverter", True),
        (["ValueToKey"], "json.JsonConverter", False),
        ([], "storage.StringConverter", False),
    ],
)
def test_a_key_of_any_source_is_no_struct_as_text(steps: list[str], converter: str, *, reported: bool) -> None:
    config = {"connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector", "mode": "bulk"}
    config |= {"key.converter": f"org.apache.kafka.connect.{converter}"}
    config |= {"transforms": ",".join(f"s{place}" for place in range(len(steps)))}
    for place, step in enumerate(steps):
        config[f"transforms.s{place}.type"] = f"org.apache.kafka.connect.transforms.{step}"
        config[f"transforms.s{place}.{'fields' if step == 'ValueToKey' else 'field'}"] = "id"
    assert ("struct-as-text" in rules(json.dumps(config), "a.json")) is reported
    config["connector.class"] = config["connector.class"].replace("Source", "Sink")
    assert "struct-as-text" not in rules(json.dumps(config), "a.json")


def test_the_region_of_iceberg_s_files_is_that_of_the_client() -> None:
    sink = {"connector.class": "org.apache.iceberg.connect.IcebergSinkConnector", "topics": "a", "iceberg.tables": "a"}
    assert "option-of-another-sink" in rules(json.dumps(sink | {"iceberg.catalog.s3.region": "eu"}), "a.json")
    assert "option-of-another-sink" not in rules(json.dumps(sink | {"iceberg.catalog.client.region": "eu"}), "a.json")


@pytest.mark.parametrize(
    ("updates", "reported"),
    [
        ("-X PUT c:8083/connectors/a/config --json @a.json", True),
        ("-X PUT c:8083/connectors/a/config -H 'Content-Type: application/json' -d @a.json", True),
        ("-X PUT c:8083/connectors/a/config --json @config/a.json", False),
        ("-X PUT c:8083/connectors/a/config --json @a-config.json", False),
        ("-X PUT c:8083/connectors/a/pause", False),
        ("c:8083/connectors --json @a.json", False),
    ],
)
def test_a_file_creates_or_updates(updates: str, *, reported: bool) -> None:
    config = '```json\n{"name": "a", "config": {"connector.class": "a.B"}}\n```\n\n'
    commands = f"```sh\ncurl c:8083/connectors --json @a.json\ncurl {updates}\n```\n"
    assert ("body-sent-both-ways" in rules(config + commands, "README.md")) is reported


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({"signal.enabled.channels": "Source, kafka", "signal.kafka.topic": "a"}, True),
        ({"signal.enabled.channels": "kafka", "signal.kafka.topic": "a"}, False),
        ({"signal.enabled.channels": "source,jmx"}, False),
        ({"signal.enabled.channels": "source,file", "signal.file": "a", "signal.data.collection": "a.b"}, False),
        ({"signal.enabled.channels": "source,kafka", "signal.kafka.topic": "a", "read.only": "true"}, False),
    ],
)
def test_the_channel_of_a_table_has_one(options: dict[str, str], *, reported: bool) -> None:
    text = json.dumps({"connector.class": POSTGRES} | options)
    assert ("incremental-snapshot-without-table" in rules(text, "a.json")) is reported


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({"topics": "shop.public.orders", "connection.url": "jdbc:postgresql://db:5432/copy?user=a"}, "error"),
        ({"topics": "shop.public.orders,shop.public.items", "connection.url": "jdbc:postgresql://db/copy"}, "error"),
        ({"topics": "copy.public.orders", "connection.url": "jdbc:postgresql://db:5432/copy"}, ""),
        ({"topics": "shop.public.orders", "connection.url": "jdbc:postgresql://db:5432/${env:DATABASE}"}, ""),
        ({"topics": "orders", "connection.url": "jdbc:postgresql://db:5432/copy"}, ""),
        ({"topics": "shop.orders", "connection.url": "jdbc:mysql://db:3306/copy"}, ""),
        ({"topics": "shop.shop.orders", "connection.url": "jdbc:mysql://db:3306/copy"}, "error"),
        ({"topics": "shop.shop.orders", "connection.url": "jdbc:mysql://db", "table.name.format": "orders"}, ""),
        ({"topics": "shop.dbo.orders", "connection.url": "jdbc:sqlserver://db:1433;databaseName=copy"}, ""),
        ({"topics": "a.shop.dbo.orders", "connection.url": "jdbc:sqlserver://db:1433;databaseName=copy"}, "warning"),
        ({"topics": "a.b.c", "connection.url": "jdbc:mysql://db/copy", "table.name.format": "x.${topic}"}, "warning"),
        ({"topics": '"a.b.c"', "connection.url": "jdbc:mysql://db/copy"}, ""),
        ({"topics.regex": r"a\.b\..*", "connection.url": "jdbc:mysql://db/copy"}, "error"),
        ({"topics.regex": r"a\..*", "connection.url": "jdbc:mysql://db/copy"}, ""),
        ({"topics.regex": "a.b.*", "connection.url": "jdbc:mysql://db/copy"}, ""),
    ],
)
def test_a_table_has_no_more_parts_than_its_database_knows(options: dict[str, str], *, reported: str) -> None:
    sink = {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector"} | options

    def severity(config: dict[str, str]) -> str:
        findings = check(from_text(json.dumps(config), "a.json", None))
        return "".join(each.severity.name for each in findings if "table-name-parts" in each.facts["rules"])

    assert severity(sink) == reported
    route = {"transforms": "a", "transforms.a.type": "org.apache.kafka.connect.transforms.RegexRouter"}
    assert severity(sink | route) == severity(sink | {"table.name.normalize": "true"}) == ""
    row = {"transforms": "a", "transforms.a.type": "io.debezium.transforms.ExtractNewRecordState"}
    assert severity(sink | row) == reported


@pytest.mark.parametrize(
    ("host", "password", "severity"),
    [
        ("db", "Karani1932!", "warning"),
        ("localhost", "bsg130103", "warning"),
        ("db.example.com", "Karani1932!", "error"),
        ("10.2.3.4", "Karani1932!", "error"),
        ("db", "kW8*tqLm2x_Rr-90Bz", "error"),
    ],
)
def test_a_password_that_somebody_made_for_a_server_without_a_domain_is_a_warning(
    host: str, password: str, severity: str
) -> None:
    config = {"connector.class": POSTGRES, "database.hostname": host, "database.password": password}
    findings = check(from_text(json.dumps(config), "a.json", None))
    (finding,) = [each for each in findings if "plain-text-secret" in each.facts["rules"]]
    assert finding.severity.name == severity


def test_a_description_of_options_is_no_config_with_wrong_values() -> None:
    values = {"database.port": "integer (default 5432)", "decimal.handling.mode": "enum (precise, string)"}
    values |= {"tombstones.on.delete": "boolean", "database.hostname": "string (of the server)"}
    page = f"```json\n{json.dumps({'connector.class': POSTGRES} | values)}\n```\n"
    assert not {"invalid-value", "invalid-host"} & rules(page, "README.md")
    assert "invalid-value" in rules(page.replace("integer (default 5432)", "many"), "README.md")
    assert "invalid-value" not in rules(page.replace("integer (default 5432)", "your-port"), "README.md")


def test_an_example_in_a_program_s_documentation_is_an_excerpt() -> None:
    example = f'"""\n    config = {{\n        "connector.class": "{POSTGRES}",  # ... and others\n    }}\n"""\n'
    assert not {"loose-json", "required-option-missing"} & rules(example, "a.py")
    assert "required-option-missing" in rules(example.replace("  # ... and others", ""), "a.py")


def test_the_values_of_a_chart_have_options_as_maps() -> None:
    values = (
        f"orders:\n  class: {POSTGRES}\n  config:\n    database: {{hostname: db, user: cdc, dbname: shop}}\n"
        "    table: {include: {list: outbox}}\n    topic.prefix: shop\n"
    )
    found = rules(values, "values.yaml")
    assert "table-filter-never-matches" in found
    assert not {"value-not-string", "unknown-option", "required-option-missing", "no-table-filter"} & found
    assert "value-not-string" in rules(values.replace("{include: {list: outbox}}", "[outbox]"), "values.yaml")


def test_the_class_of_a_template_may_depend_on_a_condition() -> None:
    template = (
        '{{- if eq .db "mysql" }}\n"connector.class": "io.debezium.connector.mysql.MySqlConnector",\n'
        f'"database.include.list": "shop",\n{{{{- else }}}}\n"connector.class": "{POSTGRES}",\n{{{{- end }}}}\n'
    )
    assert not rules(f'{{{template}"topic.prefix": "a"}}', "a.json.tpl")


def test_a_server_without_any_option_of_the_database_has_variables_for_it() -> None:
    settings = (
        f"debezium.source.connector.class={POSTGRES}\ndebezium.sink.type=http\ndebezium.source.plugin.name=pgoutput\n"
    )
    assert "required-option-missing" not in rules(settings, "application.properties")
    named = f"{settings}debezium.source.database.hostname=db\n"
    assert "required-option-missing" in rules(named, "application.properties")


def test_a_sink_creates_no_topics() -> None:
    config = {"connector.class": POSTGRES, "topic.creation.default.partitions": "1", "topic.creation.a.partitions": "1"}
    both = {"topic-creation-incomplete", "topic-creation-group-not-listed"}
    assert both <= rules(json.dumps(config), "a.json")
    sink = config | {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector"}
    assert not both & rules(json.dumps(sink), "a.json")


def test_the_quotes_of_variables_of_a_shell_are_no_part_of_the_value() -> None:
    lines = f'export connector.class="{POSTGRES}"\nexport database.hostname="db"\n'
    assert not {"invalid-host", "quoted-value"} & rules(f"```\n{lines}```\n", "README.md")
    assert "quoted-value" in rules(f"```\n{lines.replace('export ', '')}```\n", "README.md")


def test_a_setting_of_the_server_in_a_sentence_ends_with_its_mark() -> None:
    page = f'Start it with `-c wal_level=logical`.\n```json\n{{"connector.class": "{POSTGRES}"}}\n```\n'
    assert "server-setting-unfit" not in rules(page, "README.md")
    assert "server-setting-unfit" in rules(page.replace("logical", "replica"), "README.md")


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ({"database.hostname": "mysql", "key.converter.schema.registry.url": "http://localhost:8085"}, True),
        ({"database.hostname": "mysql", "key.converter.schema.registry.url": "http://registry:8085"}, False),
        ({"database.hostname": "localhost", "key.converter.schema.registry.url": "http://localhost:8085"}, False),
        ({"database.hostname": "db.example.com", "key.converter.schema.registry.url": "http://localhost:8085"}, False),
    ],
)
def test_a_worker_that_reaches_services_by_their_names_is_in_a_container(
    options: dict[str, str], *, reported: bool
) -> None:
    config = {"connector.class": POSTGRES} | options
    assert ("localhost-of-container" in rules(json.dumps(config), "a.json")) is reported


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        (("  kafka:\n", "  broker:\n"), True),
        (("", ""), False),
        (("  kafka:\n", "  broker:\n    container_name: kafka\n"), False),
        (("  kafka:\n", "  broker:\n    networks: {default: {aliases: [kafka]}}\n"), False),
        (("cp-kafka:8.0.0", "other:1"), False),
        (("kafka:9092", "${BROKERS}"), False),
    ],
)
def test_the_worker_finds_the_broker_of_its_file(change: tuple[str, str], *, reported: bool) -> None:
    assert ("broker-not-in-network" in rules(WITH_BROKER.replace(*change), "docker-compose.yml")) is reported


@pytest.mark.parametrize(
    ("before", "after", "line"), [('"a",', "a,", 2), ('"x": "y"', '"x": y z', 5), ("}}", "}}~", 4)]
)
def test_json_that_cannot_be_read_is_reported_in_its_line(before: str, after: str, line: int) -> None:
    text = f'{{\n  "name": "a",\n  "config": {{\n    "connector.class": "{POSTGRES}",\n    "x": "y"\n}}}}'
    findings = check(from_text(text.replace(before, after), "a.json", None))
    (finding,) = [each for each in findings if "unreadable-config" in each.facts["rules"]]
    assert finding.location is not None and finding.location.line == line
