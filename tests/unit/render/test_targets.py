"""What each target's file says: read again, it is the config of Kafka Connect's REST API but for what the target is."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outbox_kit import secret
from outbox_kit.errors import UsageProblem
from outbox_kit.lint import run
from outbox_kit.lint.formats import documents
from outbox_kit.lint.managed import as_connect
from outbox_kit.lint.subjects import from_configs
from outbox_kit.render import server_sinks, targets
from outbox_kit.render.deployed import DeployedConnector, deployed
from outbox_kit.render.targets import debezium_server
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.wire.shape import Config
from tests.support.cli import invoke
from tests.unit.render.outboxes import outboxes

EXAMPLES = Path(__file__).parents[2] / "examples"
SAME = ("rest", "strimzi", "terraform", "properties", "msk-connect")
SPELLED = "hunTer2zYgote9"
RAW = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)


def example(name: str, **changes: object) -> Outbox:
    (outbox,) = read(EXAMPLES / name).outboxes
    return outbox.model_copy(update=changes)


def read_again(target: str, connector: DeployedConnector) -> Config:
    """The one config in a target's file, without the name that some files have among the options."""
    (document,) = map(as_connect, documents(targets.document(target, connector), "file"))
    assert document.name in (connector.name, None)
    return {name: value for name, value in document.config.items() if name != "name"}


def secrets(config: Config) -> set[str]:
    return {name for name, value in config.items() if value and options.holds_secret(config, name)}


def expect_no_template(config: Config) -> None:
    """Leave out values that `check` takes for those of a template language, which Hypothesis finds among our texts."""
    assume(not any(mark in value for value in (*config, *config.values()) for mark in ("{{", "{%")))


@given(outboxes(), RAW)
@settings(max_examples=40, deadline=None)
def test_every_option_is_in_the_file_of_each_target(outbox: Outbox, raw: str) -> None:
    connector = deployed(outbox)
    connector = replace(connector, name="a-connector", config=connector.config | {"my.option": raw})
    expect_no_template(connector.config)
    for target in SAME:
        again = read_again(target, connector)
        of_secrets = secrets(connector.config) if target == "msk-connect" else set()
        assert {k: v for k, v in again.items() if k not in of_secrets} == {
            k: v for k, v in connector.config.items() if k not in of_secrets
        }, target
        assert all(secret.refers(again[name]) for name in of_secrets)


@given(outboxes(), st.sampled_from(server_sinks.names()), RAW)
@settings(max_examples=40, deadline=None)
def test_debezium_server_has_every_option_that_is_not_kafka_connects(outbox: Outbox, sink: str, raw: str) -> None:
    connector = deployed(outbox, sink=sink)
    config = connector.config | {"my.option": raw, f"{debezium_server.STEP}{debezium_server.TOMBSTONES}": "false"}
    config.pop("exactly.once.support", None)
    expect_no_template(config)
    again = read_again("debezium-server", replace(connector, config=config))
    kept = {name: value for name, value in config.items() if not name.startswith(debezium_server.OF_CONNECT)}
    assert again.keys() - kept.keys() <= {"schema.history.internal", "schema.history.internal.file.filename"}
    differing = {name for name in kept if again.get(name) != kept[name]}
    assert {name for name in differing if not name.endswith(debezium_server.PLACEMENT)} == secrets(kept)
    (placement,) = (name for name in kept if name.endswith(debezium_server.PLACEMENT))
    key = next(value for name, value in kept.items() if name.endswith(debezium_server.KEY_COLUMN))
    added = f",{key}:header:message-key" if server_sinks.get(sink).key_as_header else ""
    assert again[placement] == kept[placement] + added


@pytest.mark.parametrize("text", ["${", "$", "$$", "$${", "a$b", "x$$y", "$$$", r"a\$b", r"\\$", r"\${x}", r"\$$"])
def test_debezium_server_expands_nothing_in_a_value(text: str) -> None:
    connector = deployed(example("minimal.yaml"), sink="http")
    again = read_again("debezium-server", replace(connector, config=connector.config | {"my.option": text}))
    assert again["my.option"] == text


@pytest.mark.parametrize("file", ["minimal.yaml", "orders/outbox.yaml"])
def test_check_finds_nothing_in_the_file_of_a_target(file: str) -> None:
    for target in targets.names():
        connector = deployed(example(file), sink="rabbitmq")  # the example's host is that of a developer's machine
        text = targets.document(target, replace(connector, config=connector.config | {"database.hostname": "db"}))
        found = {finding.rule.id for finding in run.check(from_configs(text, target, None))}
        assert found == set(), target


def test_a_secret_is_a_reference_in_every_file() -> None:
    connector = deployed(example("minimal.yaml"), sink="rabbitmq")
    spelled = connector.config | {
        "database.password": SPELLED,
        "producer.override.sasl.jaas.config": f'x password="{SPELLED}";',
    }
    for target in set(targets.names()) - {"rest"}:
        config = spelled if target != "confluent-cloud" else connector.config | {"database.password": SPELLED}
        text = targets.document(target, replace(connector, config=config))
        assert SPELLED not in text
        assert re.search(r"DATABASE_PASSWORD|database_password", text), target
    elsewhere = replace(connector, config=connector.config | {"database.password": "${vault:db:password}"})
    for target in ("strimzi", "properties", "terraform", "msk-connect"):
        assert read_again(target, elsewhere)["database.password"] == "${vault:db:password}"


def test_the_managed_connector_has_the_same_options_in_its_own_words() -> None:
    config = deployed(example("minimal.yaml")).config
    again = read_again("confluent-cloud", deployed(example("minimal.yaml")))
    changed = {name for name in again.keys() & config.keys() if again[name] != config[name]}
    assert changed == {"database.password", "value.converter", "transforms.outbox.table.expand.json.payload"}
    assert again.keys() - config.keys() == {
        "after.state.only",
        "value.converter.schemas.enable",
        "transforms.outbox.table.json.payload.null.behavior",
    }
    named = replace(deployed(example("minimal.yaml")), config=config | {REGEX: "(?<topic>.*)"})
    assert "(?P<topic>.*)" in targets.document("confluent-cloud", named)
    assert read_again("confluent-cloud", named)[REGEX] == "(?<topic>.*)"


REGEX = "transforms.outbox.route.topic.regex"
REFUSED = {
    "only": ("mysql.yaml", "confluent-cloud", {}, "supports PostgreSQL only"),
    "no option": ("minimal.yaml", "confluent-cloud", {"decimal.handling.mode": "string"}, "'decimal.handling.mode'"),
    "another step": ("minimal.yaml", "confluent-cloud", {"transforms": "a,outbox"}, "the transformation 'a'"),
    "a lookahead": ("minimal.yaml", "confluent-cloud", {REGEX: "(?!x)(.*)"}, "RE2/J"),
    "no sink": ("minimal.yaml", "debezium-server", {}, "--sink"),
    "exactly once": ("minimal.yaml", "debezium-server", {"exactly.once.support": "required"}, "at least once"),
    "tombstones": ("orders/outbox.yaml", "debezium-server", {}, "drops events without a payload"),
    "avro": ("minimal.yaml", "debezium-server", {"value.converter": "a.Converter"}, "no format"),
    "a name": ("minimal.yaml", "strimzi", {}, "invalid connector name"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_target_refuses_what_it_cannot_run(case: str) -> None:
    file, target, changes, message = REFUSED[case]
    connector = deployed(read(EXAMPLES / file).outboxes[0], sink={"no sink": "", "avro": "redis"}.get(case, "http"))
    name = "Orders_outbox" if case == "a name" else connector.name
    with pytest.raises(UsageProblem) as refused:
        targets.document(target, replace(connector, name=name, config=connector.config | changes))
    assert message in "\n".join(refused.value.lines())


def test_payloads_that_are_not_json_are_not_for_the_managed_connector() -> None:
    with pytest.raises(UsageProblem, match="cannot send these events"):
        targets.document("confluent-cloud", replace(deployed(example("minimal.yaml")), json_payloads=False))


def test_a_sink_without_its_target_names_the_command() -> None:
    refused = invoke("gen-connector", "--sink", "redis", str(EXAMPLES / "minimal.yaml"), code=2).stderr
    assert "outbox-kit gen-connector --target debezium-server --sink redis" in refused


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "mariadb", "sqlserver", "oracle"])
def test_the_statement_for_a_table_that_is_called_secret_is_in_each_file(dialect: str) -> None:
    document = {
        "service": "shop",
        "database": {"dialect": dialect, "name": "shop"},
        "table": {"name": "client_secret"},
        "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
    }
    connector = deployed(Outbox.model_validate(document))
    (name,) = (name for name in connector.config if name.startswith("snapshot.select.statement.overrides."))
    for target in SAME:
        assert read_again(target, connector)[name].startswith("SELECT"), target
