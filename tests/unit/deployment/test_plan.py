"""The rules of a plan, who owns a connector, and the report."""

from dataclasses import replace
from typing import Any

import pytest

from outbox_kit import databases
from outbox_kit.connect.deploy import Deployment
from outbox_kit.connect.plan import between, masked
from outbox_kit.connect.planned import PlannedConnector
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.delivery.debezium import deployment as run
from outbox_kit.delivery.debezium import ownership
from outbox_kit.deployment import report
from outbox_kit.deployment.rule import RULES, findings
from outbox_kit.errors import ConnectUnreachable, UnsafeChange
from outbox_kit.findings import formats
from outbox_kit.findings.rule import Severity
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from tests.support.cli import invoke

RUNNING = ConnectorStatus("RUNNING", ("RUNNING",), ("w",))


def outbox(dialect: str = "postgres", **more: Any) -> Outbox:
    base = {"service": "shop", "database": {"dialect": dialect}, "events": [{"type": "Placed", "aggregate": "Order"}]}
    return Outbox.model_validate(base | more)


def planned(live: dict[str, str] | None, status: ConnectorStatus | None = RUNNING) -> PlannedConnector:
    box = outbox()
    config = connector.config(box)
    edits = between(live, config)
    action = "create" if live is None else "update" if edits else "none"
    before = status if live is not None else None
    deployment = Deployment(
        "shop-outbox", action, edits, before=before, live=live, config=config, masked=masked(live, config)
    )
    return PlannedConnector(box, deployment, ownership.differences(box, live, config))


CONFIG = connector.config(outbox())
CASES: list[tuple[str, str, PlannedConnector]] = [
    ("PLN-01", "shop-outbox", planned(None)),
    ("PLN-02", "shop-outbox", planned({**CONFIG, "connector.class": "com.example.Other"})),
    ("PLN-03", "shop-outbox", planned(CONFIG, ConnectorStatus("RUNNING", ("FAILED",), ("w",), "trace"))),
    ("PLN-04", "shop-outbox", planned(CONFIG, ConnectorStatus("STOPPED", (), ("w",)))),
    ("PLN-11", "poll.interval.ms", planned({**CONFIG, "poll.interval.ms": "77"})),
    ("PLN-12", "slot.name", planned({**CONFIG, "slot.name": "other"})),
    ("PLN-13", "value.converter", planned({**CONFIG, "value.converter": "a.B"})),
    ("PLN-14", "key.converter", planned({**CONFIG, "key.converter": "a.B"})),
    ("PLN-15", "table.include.list", planned({**CONFIG, "table.include.list": "other"})),
    ("PLN-16", "database.password", planned({**CONFIG, "database.password": "********"})),
]


def test_every_rule_has_a_case() -> None:
    assert {rule.id for rule in RULES} == {name for name, *_ in CASES}


@pytest.mark.parametrize(("rule", "subject", "plan"), CASES, ids=[name for name, *_ in CASES])
def test_a_rule_finds_its_case_and_nothing_in_an_empty_plan(rule: str, subject: str, plan: PlannedConnector) -> None:
    assert (rule, subject) in {(finding.id, finding.subject) for finding in findings(plan)}
    assert findings(planned(CONFIG)) == []


@pytest.mark.parametrize("dialect", sorted(databases.ALL))
def test_the_own_connector_is_known_in_every_database(dialect: str) -> None:
    box = outbox(dialect)
    config = connector.config(box)
    assert ownership.differences(box, None, config) == () == ownership.differences(box, config, config)
    moved = connector.config(outbox(dialect, database={"dialect": dialect, "host": "elsewhere"}))
    assert len(ownership.differences(box, moved, config)) == 1
    named = connector.config(outbox(dialect, database={"dialect": dialect, "name": "other"}))
    assert ownership.differences(box, named, config)


@pytest.mark.parametrize(
    ("change", "foreign"),
    [
        ({"slot.name": "another"}, False),
        ({"topic.prefix": "another"}, False),
        ({"slot.name": "another", "topic.prefix": "another"}, False),
        ({"slot.name": "another", "topic.prefix": "another", "table.include.list": "public.other"}, True),
        ({"table.include.list": "public.outbox,public.outbox_heartbeat", "slot.name": "b", "topic.prefix": "b"}, False),
        ({"database.port": "5433"}, True),
        ({"database.port": None}, False),
        ({"database.hostname": "${env:HOST}"}, False),
        ({"database.hostname": "********"}, False),
        ({"database.dbname": None}, True),
        ({"connector.class": "io.example.Jdbc"}, True),
    ],
)
def test_a_connector_is_known_by_what_it_reads(change: dict[str, str | None], foreign: bool) -> None:
    live = {key: value for key, value in {**CONFIG, **change}.items() if value is not None}
    assert bool(ownership.differences(outbox(), live, CONFIG)) is foreign


def test_a_password_in_an_address_of_another_connector_is_not_shown() -> None:
    box = outbox("mongodb")
    config = connector.config(box)
    live = {**config, "mongodb.connection.string": "mongodb://me:hunter2@elsewhere:27017"}
    (difference,) = ownership.differences(box, live, config)
    assert "hunter2" not in difference


def test_what_needs_a_permission_is_refused_without_it() -> None:
    foreign, unsafe = (planned({**CONFIG, **change}) for change in ({"database.dbname": "x"}, {"slot.name": "x"}))
    for adopt, allow in ((False, True), (True, False)):
        with pytest.raises(UnsafeChange, match="nothing was changed"):
            run.refuse(foreign, "http://w", adopt=adopt, allow_destructive=allow)
    run.refuse(foreign, "http://w", adopt=True, allow_destructive=True)
    with pytest.raises(UnsafeChange, match="1 of 1 changes"):
        run.refuse(unsafe, "http://w", adopt=False, allow_destructive=False)


@pytest.mark.parametrize("name", formats.names())
def test_a_plan_is_reported_in_every_format_without_secrets(name: str) -> None:
    plan = planned({**CONFIG, "poll.interval.ms": "77", "database.password": "hunter2hunter"})
    text = formats.render(name, report.report([plan], {}, findings(plan), Severity.warning, {None: "abc"}))
    assert "poll.interval.ms" in text and "hunter2" not in text


def test_the_text_has_a_line_for_each_option() -> None:
    plan = planned({**CONFIG, "poll.interval.ms": "77", "own.option": "1"})
    plan = replace(plan, deployment=replace(plan.deployment, cluster="k", neutral=[]))
    lines = formats.render(
        "text", report.report([plan], {}, findings(plan), Severity.warning, {None: "abc"})
    ).splitlines()
    assert lines[0] == "CHANGES: update 'shop-outbox' (2 options)"
    assert "  update connector 'shop-outbox' on Kafka cluster k" in lines
    assert {"  ~ poll.interval.ms = 77 -> 5", "  - own.option = 1"} <= set(lines)
    empty = formats.render("text", report.report([planned(CONFIG)], {}, [], Severity.warning, {None: "abc"}))
    assert empty.startswith("NO CHANGES: leave 'shop-outbox'")


def test_a_connector_without_a_plan_is_not_reported_as_unchanged() -> None:
    problems = {"other-outbox (prod)": ConnectUnreachable("Kafka Connect does not answer")}
    result = report.report([planned(CONFIG)], problems, [], Severity.warning, {"dev": "abc", "prod": None})
    text = formats.render("text", result)
    assert text.startswith("INCONCLUSIVE: leave 'shop-outbox'; no plan for 'other-outbox (prod)'")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--env-connect", "prod"), "expected ENV=URL"),
        (("--env-connect", "prod="), "expected ENV=URL"),
        (("--env-connect", "dev=http://a"), "'dev', which is not planned"),
        (("--env-connect", "prod=http://a", "--env-connect", "prod=http://b"), "names environment 'prod' twice"),
        (("--env-connect", "prod=http://u:hunter2hunter@a"), "visible to every user"),
    ],
)
def test_a_connect_url_of_an_environment_is_validated(arguments: tuple[str, ...], problem: str) -> None:
    refused = invoke("plan", "--env", "prod", *arguments, code=2).stderr
    assert problem in refused and "hunter2" not in refused


def test_a_command_for_one_environment_refuses_two() -> None:
    for repeated in (("--env", "dev", "--env=prod"), ("--env=dev", "--env", "prod")):
        assert "takes one environment" in invoke("remove", "--yes", *repeated, code=2).stderr
