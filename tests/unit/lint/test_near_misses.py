"""Configs that look like a flaw and have none: the rule that they come near to is silent."""

import json

import pytest

from outbox_kit.lint import run
from outbox_kit.lint.texts import from_text
from outbox_kit.versions import Version
from tests.unit.lint.cases import KAFKA, ROUTER, SERVER, SQLSERVER, Case

SCRIPT = "io.debezium.transforms.Filter"


def script(name: str, condition: str) -> Case:
    keys = {f"transforms.{name}.type": SCRIPT, f"transforms.{name}.language": "groovy"}
    return Case({"transforms": f"{name},outbox", **keys, f"transforms.{name}.condition": condition})


def step(kind: str, name: str = "a", *, before: bool = True, **values: str) -> Case:
    keys = {f"transforms.{name}.{key.replace('_', '.')}": value for key, value in values.items()}
    order = f"{name},outbox" if before else f"outbox,{name}"
    return Case({"transforms": order, f"transforms.{name}.type": f"{KAFKA}.transforms.{kind}", **keys})


def server(settings: str) -> Case:
    return Case(text=SERVER + settings.replace(" ", "\n") + "\n", suffix=".properties")


OVERRIDE = "snapshot.select.statement.overrides"
NEAR = [
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
]


def jetstream(subjects: str) -> Case:
    nats = "debezium.sink.nats-jetstream."
    router = f"debezium.transforms=o debezium.transforms.o.type={ROUTER}"
    return server(f"debezium.sink.type=nats-jetstream {nats}create-stream=true {nats}subjects={subjects} {router}")


SUBJECTS = [
    ("server-subject-not-in-stream", jetstream(each)) for each in ("outbox.event.*", "outbox.>", "a,*.*.*", "${A}")
]


@pytest.mark.parametrize(("rule", "case"), [*NEAR, *SUBJECTS])
def test_it_is_silent(rule: str, case: Case) -> None:
    text = case.text or json.dumps({"name": "shop", "config": case.config()})
    findings = run.check(from_text(text, f"a{case.suffix}", Version.of(case.release)))
    assert [finding.text for finding in findings if rule in finding.facts["rules"]] == []
