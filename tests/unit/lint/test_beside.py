"""What a file shows beside a connector, and how the connector fits it."""

import json

import pytest

from outbox_kit.lint.run import check
from outbox_kit.lint.texts import from_text

POSTGRES = '"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "plugin.name": "pgoutput"'
ROUTER = '"transforms": "o", "transforms.o.type": "io.debezium.transforms.outbox.EventRouter"'
MYSQL = '"connector.class": "io.debezium.connector.mysql.MySqlConnector"'
HISTORY = f'{{{MYSQL}, "schema.history.internal.kafka.topic": "h"}}'
OF_HISTORY = "schema.history.internal.kafka.bootstrap.servers"
TABLE = "create table outbox (id uuid, aggregatetype text, aggregateid text, type text, payload jsonb)"
PUBLISHED = '"publication.autocreate.mode": "disabled", "publication.name": "p", "table.include.list": "public.outbox"'


def page(code: str, connector: str) -> str:
    """A page with code of SQL, of a shell or of Java, and a connector."""
    return f"```\n{code}\n```\n\n```json\n{connector}\n```\n"


def rules(text: str, file: str = "README.md", rule: str = "") -> list[str]:
    """The options at which a rule finds something."""
    findings = [finding for finding in check(from_text(text, file, None)) if rule in finding.facts["rules"]]
    return [option for finding in findings for option in finding.facts["options"]]


@pytest.mark.parametrize(
    ("code", "expires"),
    [
        ("kafka-topics.sh --create --topic h --config retention.ms=-1 --partitions 1", False),
        ("kafka-topics --bootstrap-server k:9092 \\\n  --create --topic h", True),
        ("kafka-topics --create --topic h --config retention.ms=-1 --partitions 3", True),
        ("kafka-topics --create --topic other", False),
        ("kafka-topics --describe --topic h", False),
        ("kafka-topics --create --topic h.other", False),
        ("kind: KafkaTopic\nmetadata: {name: h}\nspec: {partitions: 1, config: {retention.ms: -1}}", False),
        ("kind: KafkaTopic\nmetadata: {name: h}\nspec: {partitions: 1}", True),
    ],
)
def test_the_topic_of_the_history_keeps_all_records(code: str, *, expires: bool) -> None:
    assert bool(rules(page(code, HISTORY), rule="history-topic-expires")) is expires


@pytest.mark.parametrize(
    ("config", "expires"), [("", True), ('config = { "retention.ms" = "-1" }', False), ("partitions = 2", True)]
)
@pytest.mark.parametrize("name", ['"h"', "kafka_topic.history.name"])
def test_terraform_creates_the_topic_of_the_history(config: str, name: str, *, expires: bool) -> None:
    text = f"""resource "kafka_topic" "history" {{
  name = "h"
  {config}
}}
resource "kafka-connect_connector" "a" {{
  config = {{
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"
    "schema.history.internal.kafka.topic" = {name}
  }}
}}
"""
    assert bool(rules(text, "main.tf", "history-topic-expires")) is expires


@pytest.mark.parametrize(
    ("statement", "options"),
    [
        ("create publication p for table outbox;", []),
        ("create publication p for table outbox (id, aggregatetype, aggregateid, type, payload);", []),
        ("create publication p for table outbox (id, aggregatetype, aggregateid, type);", ["payload"]),
    ],
)
def test_a_publication_passes_on_the_columns_that_are_read(statement: str, options: list[str]) -> None:
    text = page(f"{TABLE}; {statement}", f"{{{POSTGRES}, {PUBLISHED}, {ROUTER}}}")
    expected = [f"transforms.o.table.field.event.{name}" for name in options]
    assert rules(text, rule="column-not-in-table") == expected


@pytest.mark.parametrize(
    ("options", "lost"), [("", True), (" with (publish_via_partition_root = true)", False), ("; -- other", True)]
)
def test_a_publication_of_a_partitioned_table_names_its_root(options: str, *, lost: bool) -> None:
    code = f"{TABLE} partition by range (id); create publication p for table outbox{options};"
    text = page(code, f"{{{POSTGRES}, {PUBLISHED}, {ROUTER}}}")
    assert bool(rules(text, rule="partitions-published-separately")) is lost


@pytest.mark.parametrize(
    ("statement", "skipped", "stops"),
    [
        ("update public.outbox set sent = true", "t", True),
        ('UPDATE "outbox" SET sent = true', "t", True),
        ("update public.outbox set sent = true", "u,t", False),
        ("update outbox_archive set sent = true", "t", False),
        ("select 1", "t", False),
    ],
)
def test_an_update_of_the_outbox_stops_a_task_that_takes_it_for_fatal(
    statement: str, skipped: str, *, stops: bool
) -> None:
    fatal = f'"transforms.o.table.op.invalid.behavior": "fatal", "skipped.operations": "{skipped}"'
    text = page(statement, f"{{{POSTGRES}, {PUBLISHED}, {ROUTER}, {fatal}}}")
    assert bool(rules(text, rule="updated-row-stops")) is stops


@pytest.mark.parametrize(
    ("text", "unfilled"),
    [
        ('import os\nconfig = {"connector.class": "a.B", "x": "${NAME}"}\n', True),
        ('import os\nconfig = {"connector.class": "a.B", "x": os.path.expandvars("${NAME}")}\n', False),
        ('import os\nconfig = {"connector.class": "a.B", "x": f"{NAME}"}\n', False),
        ('const config = {"connector.class": "a.B", "x": "${NAME}"}\n', False),
    ],
)
def test_nothing_replaces_a_variable_in_a_text_of_python(text: str, *, unfilled: bool) -> None:
    file = "a.py" if "import" in text else "a.ts"
    assert bool(rules(text, file, "unfilled-variable")) is unfilled


@pytest.mark.parametrize(
    ("command", "replaced"),
    [("envsubst < a.json", True), ("envsubst '$HOST' < a.json", False), ("cat a.json", False)],
)
def test_envsubst_replaces_the_group_of_the_topic(command: str, *, replaced: bool) -> None:
    replacement = '"transforms.o.route.topic.replacement": "a.${routedByValue}"'
    script = f"cat > a.json <<'E'\n{{{POSTGRES}, {ROUTER}, {replacement}}}\nE\n{command} | curl -d @- c/connectors\n"
    assert bool(rules(script, "a.sh", "group-expanded")) == replaced


@pytest.mark.parametrize(
    ("servers", "secured"),
    [
        ("aws_msk_cluster.a.bootstrap_brokers_tls", True),
        ("data.aws_msk_cluster.a.bootstrap_brokers_sasl_iam", True),
        ("aws_msk_cluster.a.bootstrap_brokers", False),
        ("var.brokers", False),
    ],
)
def test_the_history_in_a_secured_cluster_of_terraform(servers: str, *, secured: bool) -> None:
    options = f'"connector.class" = "io.debezium.connector.mysql.MySqlConnector"\n"{OF_HISTORY}" = {servers}'
    resource = f'resource "aws_mskconnect_connector" "a" {{\n  connector_configuration = {{\n{options}\n  }}\n}}\n'
    assert bool(rules(resource, "a.tf", "history-without-security")) == secured


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("db2.Db2", ["database.hostname", "database.user", "schema.history.internal.kafka.topic"]),
        ("informix.Informix", ["database.hostname", "database.user", "schema.history.internal.kafka.topic"]),
        ("vitess.Vitess", ["database.hostname", "vitess.keyspace"]),
        ("spanner.Spanner", ["gcp.spanner.change.stream"]),
        ("cassandra.Cassandra", []),
    ],
)
def test_connectors_of_other_databases_have_what_they_require(name: str, missing: list[str]) -> None:
    config = f'{{"connector.class": "io.debezium.connector.{name}Connector", "topic.prefix": "a"}}'
    options = rules(config, "a.json", "required-option-missing")
    assert set(missing) <= set(options) and bool(missing) == bool(options)
    kept = config.replace("}", ', "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory"}')
    assert "schema.history.internal.kafka.topic" not in rules(kept, "a.json", "required-option-missing")


@pytest.mark.parametrize(
    ("password", "rule"),
    [("123456789", "example-password"), ("01234567", "example-password"), ("48151623", "plain-text-secret")],
)
def test_digits_in_their_order_are_a_password_of_examples(password: str, rule: str) -> None:
    assert rules(f'{{{POSTGRES}, "database.password": "{password}"}}', "a.json", rule) == ["database.password"]


def test_a_transformation_that_takes_the_topic_from_a_column_publishes_events() -> None:
    topic = '"transforms": "t", "transforms.t.type": "io.confluent.connect.transforms.ExtractTopic$Value"'
    for chain, expected in ((topic, ["snapshot.mode"]), ('"tasks.max": "1"', [])):
        config = f'{{{POSTGRES}, {chain}, "snapshot.mode": "no_data"}}'
        assert rules(config, "a.json", "snapshot-mode-no-data") == expected


def test_an_option_of_one_connector_tells_a_class_that_is_not_shown() -> None:
    """As a container of a test gives it."""
    shown = '"plugin.name": "pgoutput", "table.whitelist": "public.outbox", "table.include.list": "public.outbox"'
    for name, expected in (("${CLASS}", ["table.whitelist"]), ("a.B", [])):
        assert rules(f'{{"connector.class": "{name}", {shown}}}', "a.json", "removed-option") == expected


def test_a_managed_connector_has_the_registry_of_the_cloud() -> None:
    options = (
        '"connector.class" = "PostgresCdcSourceV2"\n"output.data.format" = "AVRO"\n"output.key.format" = "JSON_SR"'
    )
    text = f'resource "confluent_connector" "a" {{\n  config_nonsensitive = {{\n{options}\n  }}\n}}\n'
    assert rules(text, "a.tf", "registry-not-named") == []


def test_a_managed_connector_is_examined_in_every_format() -> None:
    options = {
        "connector.class": "PostgresCdcSourceV2",
        "output.data.format": "AVRO",
        "kafka.api.secret": "2ZqT7MXJ4LRWB3NAx9",
        "kafka.endpoint": "SASL_SSL://kafka.example.org:9092",
        "database.server.name": "shop",
        "after.state.only": "false",
    }
    texts = {
        "a.json": json.dumps({"name": "a", "config": options}),
        "a.yaml": "kind: KafkaConnector\nspec:\n  config:\n"
        + "".join(f"    {name}: '{value}'\n" for name, value in options.items()),
    }
    for name, text in texts.items():
        assert rules(text, name, "plain-text-secret") == ["kafka.api.secret"]
        assert rules(text, name, "removed-option") == ["topic.prefix", "database.server.name"]
        assert rules(text, name, "unknown-option") + rules(text, name, "registry-not-named") == []


@pytest.mark.parametrize(
    ("databases", "tables", "is_wrong"),
    [
        ("shop.outbox", "", True),
        ("shop.outbox,shop.carts", "shop.outbox", True),
        ("shop,shop.outbox", "", False),
        ("my.shop", "my.shop.outbox", False),
        (r"my\\.shop", r"my\\.shop\\.outbox", False),
        ("shop.*", "", False),
    ],
)
def test_a_table_is_no_database(databases: str, tables: str, *, is_wrong: bool) -> None:
    listed = f'"database.include.list": "{databases}"' + (f', "table.include.list": "{tables}"' if tables else "")
    assert bool(rules(f"{{{MYSQL}, {listed}}}", "a.json", "database-filter-never-matches")) == is_wrong


def test_a_database_and_a_table_may_have_dots() -> None:
    listed = r'"database.include.list": "my\\.shop", "table.include.list": "my\\.shop\\.the\\.outbox"'
    assert rules(f"{{{MYSQL}, {listed}}}", "a.json", "outer-filter-excludes-table") == []


def test_debezium_server_before_2_0_needs_a_history() -> None:
    text = "debezium.source.connector.class=io.debezium.connector.mysql.MySqlConnector\ndebezium/server:1.9\n"
    assert "database.history.kafka.topic" in rules(text, "application.properties", "required-option-missing")
    kept = f"{text}debezium.source.database.history=io.debezium.server.redis.RedisDatabaseHistory\n"
    assert "database.history.kafka.topic" not in rules(kept, "application.properties", "required-option-missing")


@pytest.mark.parametrize(("key", "clear"), [("ValueToKey", False), ("ExtractField$Key", True)])
def test_only_a_field_taken_out_of_the_key_is_a_text(key: str, *, clear: bool) -> None:
    steps = f'"transforms": "k", "transforms.k.type": "org.apache.kafka.connect.transforms.{key}"'
    text = f'{{{POSTGRES}, {steps}, "key.converter": "org.apache.kafka.connect.storage.StringConverter"}}'
    assert ("key.converter" not in rules(text, "a.json", "struct-as-text")) == clear
