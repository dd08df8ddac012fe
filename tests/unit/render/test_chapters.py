"""The chapters of runbooks: their metadata, their links, and what leads to each of them."""

import re

import pytest

from outbox_kit import databases
from outbox_kit.doctor.rule import RULES
from outbox_kit.findings.rule import Severity
from outbox_kit.monitoring.alerts import alerts
from outbox_kit.operate.drill.chapter_steps import chapter_steps
from outbox_kit.operate.drill.model import Act, Detector, drills
from outbox_kit.render import chapters, runbook
from outbox_kit.render.chapters import Chapter
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.routes import Routes
from tests.support import example_files

CHAPTERS = list(chapters.every().values())
EXAMPLES = example_files.all_outboxes()
EVENTS = [{"type": "OrderPlaced", "aggregate": "Order"}]
RUN_ACTIONS = {
    *("slot-lost", "slot-growing", "task-failed", "poison-event", "duplicates", "loss-suspected", "snapshot-repeated"),
    *("connector-upgrade", "password", "failover", "partitions-added", "schema-change", "hand-over", "restore"),
    *("region-loss", "truncated", "first-deployment", "cut-over", "nothing-arrives", "offsets"),
}
"""The chapters that an operator of PostgreSQL with a connector must find."""


def shop(delivery: str, **more: str) -> Outbox:
    document = {
        "service": "shop",
        "database": {"dialect": "postgres"},
        "events": EVENTS,
        "delivery": {"by": delivery, **more},
    }
    return Outbox.model_validate(document)


def with_jmx(outbox: Outbox) -> Outbox:
    return outbox.model_copy(update={"monitoring": outbox.monitoring.model_copy(update={"jmx": True})})


def page(delivery: str, **more: str) -> str:
    return runbook.runbook(Routes(shop(delivery, **more)))


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: f"{chapter.delivery}-{chapter.id}")
def test_a_chapter_has_a_drill_or_says_why_not(chapter: Chapter) -> None:
    assert bool(chapter.drills) != bool(chapter.undrilled)
    assert re.fullmatch("[a-z-]+", chapter.id) and chapter.severity in ("", "critical", "high", "low")
    for name in chapter.drills:
        drill = drills()[name]
        assert drill.chapter == chapter.id and chapter.delivery in (drill.delivery, chapters.ANY)
    assert {*chapter.findings} <= {*RULES.rules}
    assert chapter.severity == "" or "**Symptom:**" in chapter.body


def test_every_drill_is_named_by_its_chapter() -> None:
    assert {name for chapter in CHAPTERS for name in chapter.drills} == {*drills()}


def test_a_finding_of_doctor_leads_to_a_chapter_or_has_a_fix_of_its_own() -> None:
    led = {name for chapter in CHAPTERS for name in chapter.findings}
    weighty = [rule for rule in RULES if rule.severity in (Severity.error, Severity.warning, Severity.inconclusive)]
    assert [rule.id for rule in weighty if rule.id not in led and not rule.fix] == []
    assert len(led) >= 40


def test_every_action_of_an_operator_has_a_chapter() -> None:
    assert {chapter.id for chapter in CHAPTERS if chapter.delivery in ("connector", "any")} >= RUN_ACTIONS


@pytest.mark.parametrize("outbox", EXAMPLES, ids=lambda outbox: outbox.service)
def test_every_link_has_its_chapter_and_every_step_its_number(outbox: Outbox) -> None:
    text = runbook.runbook(Routes(outbox))
    anchors = re.findall('<a id="(.*?)"></a>', text)
    assert len({*anchors}) == len(anchors)
    assert {*re.findall(r"\]\(#([^)]*)\)", text)} <= {*anchors}
    assert {alert.chapter for alert in alerts(outbox)} <= {*anchors}
    for part in text.split("<a id=")[1:]:
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", part, re.MULTILINE)]
        assert numbers == [*range(1, len(numbers) + 1)]


def test_a_decision_table_comes_before_the_first_step() -> None:
    for chapter in CHAPTERS:
        if chapter.severity and chapter.drills:
            table, step = chapter.body.find("|---|"), re.search(r"^1\. ", chapter.body, re.MULTILINE)
            assert 0 < table < (step.start() if step else 0), chapter.id


@pytest.mark.parametrize("name", drills())
def test_a_drill_executes_steps_that_the_generated_chapter_has(name: str) -> None:
    drill = drills()[name]
    source = {"source": drill.source} if drill.delivery == "relay" else {}
    outbox = shop(drill.delivery, **source)
    outbox = with_jmx(outbox) if drill.delivery == "connector" else outbox
    steps = chapter_steps(page(drill.delivery, **source), drill.chapter)
    assert {*drill.alerts, *drill.jmx_alerts} <= {alert.name for alert in alerts(outbox)}
    if drill.signal and drill.signal.detector is Detector.alert:
        assert drill.signal.name in {alert.name for alert in alerts(outbox)}
    elif drill.signal and drill.signal.detector is Detector.doctor:
        assert drill.signal.name in RULES.rules
    for step in drill.steps:
        assert isinstance(step, Act) or steps[step], step


def test_every_alert_of_an_outbox_on_the_local_stack_has_a_drill() -> None:
    shown = {name for drill in drills().values() for name in (*drill.alerts, *drill.jmx_alerts)}
    shown |= {drill.signal.name for drill in drills().values() if drill.signal}
    outboxes = [with_jmx(shop("connector")), *(shop("relay", source=source) for source in ("log", "table"))]
    assert {alert.name for outbox in outboxes for alert in alerts(outbox)} <= shown


def test_commands_are_read_as_they_are_typed_with_their_exit_codes() -> None:
    steps = chapter_steps(page("connector"), "nothing-arrives")
    assert [(command.line, command.codes) for command in steps[1]] == [
        ("outbox-kit doctor", {1}),
        ("outbox-kit gen-ddl --apply", {0}),
    ]
    assert [command.line for command in steps[4]] == ['outbox-kit resend --since "$LOST_SINCE" --yes']
    with pytest.raises(KeyError):
        chapter_steps(page("connector"), "relay-stopped")


def test_every_database_has_chapters_for_a_connector() -> None:
    for dialect in databases.ALL.values():
        assert {"paused", "task-failed"} <= {chapter.id for chapter in chapters.of(dialect)}
