"""What a deployment would change, and what a failure means."""

from dataclasses import replace

import pytest

from outbox_kit.connect.causes import catalogue, explain, root_lines
from outbox_kit.connect.deploy import Deployment, digest
from outbox_kit.connect.plan import between, masked, neutral, refuse_unsafe
from outbox_kit.connect.redact import HIDDEN, is_secret, redact
from outbox_kit.connect.status import connector_status
from outbox_kit.errors import UnsafeChange
from outbox_kit.router.chain import PREDICATES
from outbox_kit.router.options import Effect, resolve
from outbox_kit.versions import Version

TRACE = """org.apache.kafka.connect.errors.ConnectException: Tolerance exceeded in error handler
\tat org.apache.kafka.connect.runtime.Worker.run(Worker.java:1)
Caused by: org.apache.kafka.connect.errors.DataException: nonsense is not a valid field name
\tat org.apache.kafka.connect.data.Struct.lookupField(Struct.java:254)
"""


def test_the_same_config_is_no_change_and_a_new_connector_is_harmless() -> None:
    assert between({"a": "1"}, {"a": "1"}) == []
    refuse_unsafe("c", between(None, {"slot.name": "s", "a": "1"}))


POSTGRES = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector"}
ROUTER = {
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.predicate": "isOutbox",
    "predicates": "isOutbox",
    "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.isOutbox.pattern": "a",
}
FILTER = {"transforms": "drop", "transforms.drop.type": "org.apache.kafka.connect.transforms.Filter"}
UNKNOWN = {"transforms": "own", "transforms.own.type": "com.example.Own", "transforms.own.word": "a"}


def test_each_edit_knows_what_it_does() -> None:
    live = {"poll.interval.ms": "1", "slot.name": "a", "key.converter": "x", "errors.tolerance": "none", "gone": "1"}
    wanted = {"poll.interval.ms": "5", "slot.name": "b", "key.converter": "y", "errors.tolerance": "all", "new": "1"}
    edits = between(POSTGRES | live, POSTGRES | wanted)
    assert {edit.key: (edit.sign, edit.effect) for edit in edits} == {
        "errors.tolerance": ("~", Effect.loss),
        "gone": ("-", Effect.restart),
        "key.converter": ("~", Effect.order),
        "new": ("+", Effect.restart),
        "poll.interval.ms": ("~", Effect.restart),
        "slot.name": ("~", Effect.position),
    }
    with pytest.raises(UnsafeChange) as error:
        refuse_unsafe("c", edits)
    assert len(error.value.details) == 3


@pytest.mark.parametrize(
    ("key", "before", "after", "effect"),
    [
        ("errors.tolerance", "none", " ALL", Effect.loss),
        ("errors.tolerance", None, "all", Effect.loss),
        ("errors.tolerance", "all", "none", Effect.restart),
        ("errors.tolerance", "all", None, Effect.restart),
        ("errors.tolerance", "none", None, Effect.none),
        ("errors.tolerance", None, " NONE ", Effect.none),
        ("snapshot.mode", "never", "no_data", Effect.none),  # renamed
        ("snapshot.mode", None, "initial", Effect.none),
        ("snapshot.mode", "initial", "always", Effect.position),
        ("skipped.operations", "u, d", "u,d", Effect.none),
        ("poll.interval.ms", "500", None, Effect.none),
        ("poll.interval.ms", "5", None, Effect.restart),
        ("producer.override.linger.ms", None, "5", Effect.restart),  # the worker may set another value
        ("producer.override.partitioner.class", None, "a.B", Effect.order),
        ("transforms.outbox.table.field.event.key", "aggregateid", None, Effect.none),
        ("transforms.outbox.table.field.event.key", "aggregateid", "id", Effect.order),
        ("slot.drop.on.stop", "true", "false", Effect.restart),
        ("slot.drop.on.stop", "false", "true", Effect.loss),
        ("table.include.list", "public.outbox", "public.other", Effect.loss),
        ("table.include.list", None, "public.outbox", Effect.loss),
        ("table.include.list", "public.outbox", None, Effect.restart),
        ("publication.name", "own", None, Effect.loss),  # the default is another one
        ("publication.name", "dbz_publication", None, Effect.none),
        ("topic.prefix", "a", "b", Effect.position),
        ("binary.handling.mode", None, "bytes", Effect.none),
        ("binary.handling.mode", None, "hex", Effect.wire),
        ("key.converter.schemas.enable", "true", "false", Effect.wire),
        ("value.converter.of.our.own", "1", "2", Effect.wire),
        ("transforms.outbox.route.by.field", "type", "kind", Effect.wire),
        ("transforms.outbox.table.op.invalid.behavior", "warn", "error", Effect.restart),
        ("transforms.outbox.predicate", "isOutbox", None, Effect.restart),
        ("transforms.outbox.predicate", None, "isOutbox", Effect.loss),
        ("transforms.outbox.negate", "true", None, Effect.loss),
        ("transforms.outbox.negate", "false", None, Effect.none),
        ("transforms.drop.predicate", "isOutbox", None, Effect.loss),  # it drops every record then
        ("predicates.isOutbox.pattern", "a", "b", Effect.loss),
        ("predicates.isOutbox.type", "a", f"{PREDICATES}HasHeaderKey", Effect.loss),
        ("transforms.own.word", "a", "b", Effect.wire),
        ("max.batch.size", "1", "2", Effect.restart),
    ],
)
def test_a_change_is_judged_by_its_direction(key: str, before: str | None, after: str | None, effect: Effect) -> None:
    base = POSTGRES | (UNKNOWN if ".own." in key else FILTER if ".drop." in key else ROUTER)
    base.pop(key, None)
    live, wanted = (base | ({} if value is None else {key: value}) for value in (before, after))
    edits = between(live, wanted)
    assert [edit.effect for edit in edits] == [effect] * (effect is not Effect.none)
    (edit,) = edits or neutral(live, wanted)
    assert (edit.key, edit.effect) == (key, effect)


def test_a_default_is_that_of_the_release() -> None:
    live, config = POSTGRES, {**POSTGRES, "publication.autocreate.mode": "all_tables"}
    assert between(live, config) == []
    setting = "schema.name.adjustment.mode"
    changed = resolve(POSTGRES, setting).option
    assert changed is not None and changed.default_at(Version.of("3.6")) == changed.default
    assert between(POSTGRES, {**POSTGRES, setting: str(changed.default)}, Version.of("3.6")) == []


def test_a_digest_changes_with_everything_that_is_done_and_tells_no_secret() -> None:
    config = {**POSTGRES, "database.password": "${env:P}", "poll.interval.ms": "5"}
    plan = Deployment("c", "update", cluster="k", live={**config, "poll.interval.ms": "6"}, config=config)
    same = digest([plan])
    others = [
        replace(plan, connector="d"),
        replace(plan, cluster="other"),
        replace(plan, action="create"),
        replace(plan, resumed=True),
        replace(plan, live={**config, "poll.interval.ms": "7"}),
        replace(plan, live=None),
        replace(plan, config={**config, "max.batch.size": "1"}),
    ]
    assert len({same, *(digest([other]) for other in others)}) == len(others) + 1
    assert digest([plan, others[0]]) == digest([others[0], plan]) != same
    literal = [replace(plan, live={**config, "database.password": word}) for word in ("hunter2", "swordfish")]
    assert digest(literal[:1]) == digest(literal[1:])


def test_a_masked_live_value_is_no_drift_and_a_secret_is_not_shown() -> None:
    assert masked({"database.password": "********", "a": "1"}, {"database.password": "${env:P}"}) == [
        "database.password"
    ]
    assert between({"database.password": "********"}, {"database.password": "${env:P}"}) == []
    edit = between({"database.password": "hunter2"}, {"database.password": "${env:P}"})[0]
    assert "hunter2" not in edit.line() and "${env:P}" in edit.line()


def test_a_key_that_only_sounds_secret_is_shown() -> None:
    assert is_secret("database.password") and not is_secret("transforms.outbox.table.field.event.key")
    assert redact("key.converter=a.B") == "key.converter=a.B"
    assert redact("password=abc, x=1") == f"password={HIDDEN}, x=1"


def test_the_deepest_cause_is_explained_and_shown_first() -> None:
    cause = explain(TRACE)
    assert cause is not None and "column" in cause.means
    assert root_lines(TRACE)[0].endswith("nonsense is not a valid field name")
    assert explain("something new") is None


def test_every_known_cause_says_what_it_means_and_what_to_do() -> None:
    for cause in catalogue():
        assert cause.means.endswith(".") and cause.fix and not cause.fix.endswith("."), cause.text


@pytest.mark.parametrize(
    ("connector", "tasks", "running"),
    [
        ("RUNNING", ["RUNNING"], True),
        ("RUNNING", [], False),
        ("RUNNING", ["FAILED"], False),
        ("PAUSED", ["PAUSED"], False),
    ],
)
def test_running_means_the_connector_and_every_task(connector: str, tasks: list[str], running: bool) -> None:
    status = {
        "connector": {"state": connector, "worker_id": "w"},
        "tasks": [{"state": state, "worker_id": "w"} for state in tasks],
    }
    assert connector_status(status).running is running
    assert not connector_status(None).running
