"""Options that a file shows in other places than one map of names and values."""

import json

import pytest

from outbox_kit.lint import run
from outbox_kit.lint.formats import documents
from outbox_kit.lint.subjects import with_peers
from outbox_kit.lint.texts import from_text
from tests.unit.lint.cases import BESIDE_WORKER

JAVA_MEMBERS = """class A {
  @JsonProperty("connector.class")
  public String getClass() { return "a.B"; }
  @JsonProperty("slot.name")
  public String getSlot() { return slot; }
}"""
PROPERTIES = """connector.class=io.debezium.connector.postgresql.PostgresConnector
database.hostname=db
database.dbname=orders
plugin.name=pgoutput
topic.prefix=shop
slot.name=shop"""
CSHARP_MEMBERS = """class A {
  [JsonProperty("connector.class")] public string Class { get; } = "a.B";
  [JsonPropertyName("slot.name")] public string Slot { get; set; }
}"""
RUST_FIELDS = """struct Config {
  #[serde(rename = "connector.class")] connector_class: &'static str,
  transforms: &'static str,
}
const ALIAS: &str = "outbox";
fn new() -> Config { Config { connector_class: "a.B", transforms: ALIAS } }
"""
GO_FIELDS = """package a
type Config struct {
	Class string `json:"connector.class"`
	Slot  string `json:"slot.name,omitempty"`
}
var c = Config{Class: "a.B", Slot: "s"}
"""
CONSTANTS = """import io.debezium.connector.postgresql.PostgresConnectorConfig;
void f() {
  props.setProperty("connector.class", "a.B");
  props.setProperty(PostgresConnectorConfig.HOSTNAME.name(), "db");
  props.setProperty(PostgresConnectorConfig.DATABASE_NAME.name(), "shop");
  props.setProperty("offset.storage", "x");
}"""
LINES = """await write("application.properties", [
  "debezium.source.connector.class=a.B",
  "debezium.source.slot.name=" + slot,
].join("\\n"));"""
VARIABLES = """make(env=[
  {"name": "DEBEZIUM_SOURCE_CONNECTOR_CLASS", "value": "a.B"},
  {"name": "DEBEZIUM_SOURCE_SLOT_NAME", "valueFrom": secret},
])"""
PHP_DEFAULT = """<?php
$class = $c['class'] ?? 'a.B';
$config = ['connector.class' => $class, 'database.user' => $user];
"""
SPRING_DEFAULT = """class A {
  @Value("${db.user:root}") private String user;
  @ConfigProperty(name = "c", defaultValue = "a.B") String connector;
  Object a() { return Map.of("connector.class", connector, "database.user", user); }
}"""
LIST_IN_TERRAFORM = """environment = [
  { name = "DEBEZIUM_SOURCE_CONNECTOR_CLASS", value = "a.B" },
  { name = "JAVA_OPTS", value = "-Xmx1g -Ddebezium.source.slot.name=s" },
  { name = "DEBEZIUM_SOURCE_DATABASE_PASSWORD", valueFrom = aws.arn },
]"""
MAP_IN_TERRAFORM = """environment_variables = {
  DEBEZIUM_SOURCE_CONNECTOR_CLASS = "a.B"
  DEBEZIUM_SOURCE_DATABASE_USER   = var.user
}
secure_environment_variables = { DEBEZIUM_SOURCE_SLOT_NAME = "s" }
"""
QUARKUS = """quarkus.debezium.topic.prefix=shop
%dev.quarkus.debezium.offset.storage=x
quarkus.datasource.db-kind=postgresql
"""
PRINTED = """```
$ kubectl get kafkaconnector a -o json | jq .spec
{"class": "a.B", "config": {"slot.name": "s", "transforms": "o", "transforms.o.type": "x.outbox.EventRouter"}}
```"""
UNFENCED = """Post this body: {
  "connector.class": "a.B",  // ours
  "slot.name": "s"
}
"""


def config(text: str, name: str) -> dict[str, str]:
    (document,) = documents(text, name)
    return {**document.config}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("A.java", JAVA_MEMBERS, {"slot.name": "$(slot)"}),
        ("A.cs", CSHARP_MEMBERS, {"slot.name": "$(slot.name)"}),
        ("a.rs", RUST_FIELDS, {"transforms": "outbox"}),
        ("a.go", GO_FIELDS, {"slot.name": "s"}),
        ("A.java", CONSTANTS, {"database.hostname": "db", "database.dbname": "shop"}),
        ("a.ts", LINES, {"slot.name": "$(slot)"}),
        ("a.py", VARIABLES, {"slot.name": "$(value)"}),
        ("a.php", PHP_DEFAULT, {"database.user": "$(user)"}),
        ("A.java", SPRING_DEFAULT, {"database.user": "root"}),
        ("a.tf", LIST_IN_TERRAFORM, {"slot.name": "s"}),
        ("a.tf", MAP_IN_TERRAFORM, {"slot.name": "s", "database.user": "$(var.user)"}),
        ("README.md", PRINTED, {"slot.name": "s"}),
        ("README.md", UNFENCED, {"slot.name": "s"}),
    ],
)
def test_the_options_are_read(name: str, text: str, expected: dict[str, str]) -> None:
    assert {"connector.class": "a.B", **expected}.items() <= config(text, name).items()


def test_an_option_that_is_not_known_makes_a_config_incomplete() -> None:
    (document,) = documents(CONSTANTS.replace("HOSTNAME", "OWN_FIELD"), "A.java")
    assert document.partial and not documents(CONSTANTS, "A.java")[0].partial


def test_the_extension_for_quarkus_has_the_class_of_its_datasource() -> None:
    (document,) = documents(QUARKUS, "application.properties")
    assert document.config["connector.class"].endswith("PostgresConnector")
    assert document.config["topic.prefix"] == "shop" and document.settings == {"offset.storage": "x"}


def test_a_part_of_a_server_s_settings_is_no_connector_of_its_own() -> None:
    whole = "cat > a.properties <<A\ndebezium.source.connector.class=a.B\ndebezium.sink.type=http\nA\n"
    part = "cat >> a.properties <<A\ndebezium.source.slot.name=s\ndebezium.source.topic.prefix=shop\nA\n"
    assert len(documents(whole + part, "a.sh")) == 1
    (document,) = documents(part, "a.sh")
    assert document.partial


def names(text: str, name: str) -> set[str]:
    found = run.check(with_peers(from_text(text, name, None)))
    return {rule for finding in found for rule in finding.facts["rules"]}


TABLE = "create table {name} (id uuid, {columns}, payload jsonb){end};"
CONNECTOR = """```json
{{"name": "{name}", "config": {{"connector.class": "io.debezium.connector.postgresql.PostgresConnector",
 "plugin.name": "pgoutput", "slot.name": "s", "table.include.list": "public.outbox", "transforms": "o",
 "transforms.o.type": "io.debezium.transforms.outbox.EventRouter"{more}}}}}
```
"""


def test_the_last_table_before_a_connector_is_its_own() -> None:
    first = TABLE.format(name="outbox", columns="aggregatetype text, aggregateid text", end="")
    second = TABLE.format(name="outbox", columns="aggregate_type text, aggregate_id text", end="")
    connector = CONNECTOR.format(name="a", more="")
    assert "column-not-in-table" in names(f"{first}\n{second}\n{connector}", "README.md")
    assert "column-not-in-table" not in names(f"{second}\n{first}\n{connector}", "README.md")
    assert "column-not-in-table" not in names(f"{connector}\n{first}\n{second}", "README.md")


def test_a_partitioned_table_needs_the_name_of_its_root() -> None:
    columns = "aggregatetype text, aggregateid text"
    table = TABLE.format(name="outbox", columns=columns, end=" partition by range (id)")
    assert "partitions-published-separately" in names(f"{table}\n{CONNECTOR.format(name='a', more='')}", "README.md")
    plain = TABLE.format(name="outbox", columns=columns, end="") + " select 1 over (partition by id);"
    assert "partitions-published-separately" not in names(
        f"{plain}\n{CONNECTOR.format(name='a', more='')}", "README.md"
    )


def test_connectors_of_a_page_that_have_two_names_may_run_together() -> None:
    one, other = CONNECTOR.format(name="a", more=""), CONNECTOR.format(name="b", more=', "poll.interval.ms": "5"')
    assert "shared-slot" in names(one + other, "README.md")
    assert "shared-slot" not in names(one + other.replace('"b"', '"a"'), "README.md")


@pytest.mark.parametrize(
    "shown",
    [
        "### {request}\n```json\n{body}\n```\n",
        "Then `{request}`:\n\n```json\n{body}\n```\n",
        "```http\n{request}\nContent-Type: application/json\n\n{body}\n```\n",
        "```sh\ncurl -H 'Content-Type: application/json' -X {request} -d '{body}'\n```\n",
    ],
)
def test_two_requests_of_a_page_with_one_address_replace_each_other(shown: str) -> None:
    config = dict(line.split("=") for line in PROPERTIES.splitlines())
    first = shown.format(request="PUT http://a:8083/connectors/a/config", body=json.dumps(config))
    other_database = first.replace('"orders"', '"parcels"')
    assert "duplicate-connector-name" in names(first + other_database, "README.md")
    assert "duplicate-connector-name" not in names(first + other_database.replace("/a/", "/b/"), "README.md")
    assert "duplicate-connector-name" not in names(first + first.replace('"pgoutput"', '"decoderbufs"'), "README.md")


def test_another_connector_of_the_file_shows_the_columns_of_a_table() -> None:
    one, other = (
        CONNECTOR.format(name="a", more=""),
        CONNECTOR.format(name="b", more=', "transforms.o.table.field.event.key": "aggregate_id"'),
    )
    assert "default-column-differs" in names(one + other, "README.md")
    assert "default-column-differs" not in names(one + other.replace("public.outbox", "public.other"), "README.md")


def test_a_worker_that_is_not_shown_completely_is_not_judged() -> None:
    worker = "kind: KafkaConnect\nspec:\n  bootstrapServers: a:9092\n  config:\n    group.id: a\n{more}---\n"
    connector = """kind: KafkaConnector
metadata: {name: a, labels: {strimzi.io/cluster: a}}
spec:
  class: io.debezium.connector.postgresql.PostgresConnector
  config: {database.password: "${secrets:a/b:c}"}
"""
    rule = "reference-without-provider"
    assert rule in names(worker.format(more="") + connector, "a.yaml")
    assert rule not in names(worker.format(more="    # ...\n") + connector, "a.yaml")
    listed = "    config.providers: secrets,env\n"
    assert rule in names(worker.format(more=listed) + connector, "a.yaml")
    listed += "    config.providers.secrets.class: io.strimzi.kafka.KubernetesSecretConfigProvider\n"
    assert rule not in names(worker.format(more=listed) + connector, "a.yaml")
    allowed = "    config.providers.secrets.param.allowlist.pattern: '^A_.*'\n"
    of_environment = connector.replace("secrets:a/b:c", "secrets:B_C")
    assert rule in names(worker.format(more=listed + allowed) + of_environment, "a.yaml")
    assert rule not in names(worker.format(more=listed + allowed) + of_environment.replace("B_C", "A_C"), "a.yaml")
    assert rule not in names(connector, "a.yaml")


def test_an_option_of_all_formats_is_one_of_any_of_them() -> None:
    text = """debezium.source.connector.class=a.B
debezium.format.value=avro
debezium.format.schema.registry.url=http://registry
"""
    assert not {"unknown-option", "registry-not-named"} & names(text, "a.properties")
    assert "unknown-option" in names(text.replace("avro", "json"), "a.properties")


def test_the_converter_of_the_worker_is_in_use_if_the_connector_has_none() -> None:
    text = BESIDE_WORKER.format("storage.StringConverter")
    assert "struct-as-text" in names(text, "a.yaml")
    assert "struct-as-text" not in names(
        text.replace("shop}", "shop, key.converter: a.B, value.converter: a.B}"), "a.yaml"
    )
