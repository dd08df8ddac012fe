"""What becomes of answers that are late or missing: no figure is kept from an earlier scrape."""

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from outbox_kit.databases.figures import DatabaseFigures, LogFigures, SlotFigures, TableFigures, UnpublishedFigures
from outbox_kit.errors import DatabaseUnreachable, UsageProblem
from outbox_kit.exporter import report
from outbox_kit.exporter.collection import Collection
from outbox_kit.exporter.metrics import Reports, page, served
from outbox_kit.exporter.question import SystemQuestion
from outbox_kit.monitoring.metrics import MetricSample, sample
from outbox_kit.schema.model import Outbox
from tests.support.monitored import values
from tests.support.waiting import until

BASE = {
    "service": "shop",
    "database": {"dialect": "postgres"},
    "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
}
OUTBOX = Outbox.model_validate(BASE)


class Scripted(Collection):
    """A collection whose database gives answers from a list; an error is raised."""

    def __init__(self, *answers: DatabaseFigures | Exception, outbox: Outbox = OUTBOX) -> None:
        super().__init__(outbox, "", None, 1.0)
        self.answers = [*answers]

    def _read_database(self) -> DatabaseFigures:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def seen(at: float, end: int, confirmed: int, inserted: int, **slot: object) -> DatabaseFigures:
    facts = {
        "active": True,
        "wal_status": "reserved",
        "retained": 9,
        "unconfirmed": 9,
        "safe": None,
        "inactive_seconds": None,
    }
    figures = SlotFigures(confirmed=confirmed, **(facts | slot))  # type: ignore[arg-type]
    return DatabaseFigures(LogFigures(at, end), slot=figures, table=TableFigures(inserted=inserted), horizon=())


def collected(collection: Collection) -> Sequence[MetricSample]:
    return collection.collect().samples


def test_a_database_that_does_not_answer_has_no_figures() -> None:
    collection = Scripted(seen(0, 100, 100, 5), DatabaseUnreachable("gone"), seen(30, 100, 100, 5))
    assert values([*collected(collection)], "slot_active") == {"shop_outbox": 1}
    missing = collection.collect()
    assert values([*missing.samples], "up") == {"database": 0}
    assert {each.metric for each in missing.samples} == {"outbox_kit_up", "outbox_kit_scrape_seconds"}
    assert values([*collected(collection)], "up") == {"database": 1}


def test_an_age_that_is_not_known_is_reported_when_its_lower_limit_passes_the_threshold() -> None:
    collection = Scripted(*(seen(at, 100 + at, 50, 5 + at) for at in (0, 15, 30, 45)))
    ages = [values([*collected(collection)], "oldest_seconds") for _ in range(4)]
    assert ages == [{}, {}, {"": 30}, {"": 45}]
    first = Scripted(seen(0, 100, 50, 5)).collect()
    assert report.unknown(first) == ["oldest_seconds", "pending_events"] and "--wait" in report.why_unknown(first)


def test_an_age_without_a_confirmed_position_does_not_become_known() -> None:
    absent = Scripted(replace(seen(0, 100, 50, 5), slot=None)).collect()
    assert report.unknown(absent) and not report.becomes_known(absent)
    assert report.why_unknown(absent) == "no position of the log is confirmed"


def test_rows_since_the_slot_is_inactive_are_a_lower_limit() -> None:
    collection = Scripted(*(seen(at, 100, 50, 5, active=False, inactive_seconds=900.0) for at in (1000, 1015)))

    class Rows:
        def rows_since(self, at: float) -> UnpublishedFigures:
            return UnpublishedFigures(7, 800.0) if at < 110 else UnpublishedFigures(0, None)

        def close(self) -> None:
            """Nothing is open."""

    collection._reader = Rows()  # type: ignore[assignment]
    assert values([*collected(collection)], "pending_events") == {"": 7}
    assert values([*collected(collection)], "oldest_seconds") == {}  # no row since: nothing is known of those before


def test_a_part_that_is_refused_is_no_absent_slot() -> None:
    figures = DatabaseFigures(LogFigures(0, 100), unread={"slot": "denied"})
    samples = [*collected(Scripted(figures))]
    assert values(samples, "part_up")["slot"] == 0 and not values(samples, "slot_status")


def test_states_never_end_and_a_new_word_is_one_more() -> None:
    samples = [*collected(Scripted(seen(0, 1, 1, 0, wal_status="new")))]
    assert values(samples, "slot_status") == {
        **dict.fromkeys(("reserved", "extended", "unreserved", "lost", "absent"), 0),
        "new": 1,
    }


def test_a_late_answer_is_not_the_answer_of_the_next_scrape() -> None:
    asked, go_on = list[int](), threading.Event()

    def ask() -> int:
        asked.append(len(asked))
        go_on.wait(30)
        return asked[-1]

    question = SystemQuestion("test", ask)
    question.begin()
    with pytest.raises(TimeoutError):
        question.answer(0.01)
    question.begin()  # the first one is still open
    with pytest.raises(TimeoutError, match="last question"):
        question.answer(5)
    go_on.set()
    until(lambda: not question._is_asking, "the first one is answered")
    question.begin()
    assert question.answer(5) == 1


def test_thresholds_are_passed_as_in_the_alerts() -> None:
    samples = [
        sample("oldest_seconds", 31),
        sample("slot_status", 1, slot="s", status="lost"),
        sample("up", 1, system="connect"),
    ]
    passed = report.passed(OUTBOX, samples)
    assert [each.alert.name for each in passed] == ["OutboxLate", "OutboxSlotLost"]
    assert [each.line() for each in passed] == [
        "OutboxLate: oldest_seconds is 31 s; the threshold is > 30 s",
        "OutboxSlotLost: slot_status slot=s status=lost is 1",
    ]
    assert not report.passed(
        OUTBOX, [sample("oldest_seconds", 30), sample("slot_status", 1, slot="s", status="reserved")]
    )


@pytest.mark.parametrize(
    ("cap", "slot_bytes", "text"),
    [(None, 1, "slot_share"), (100, 100, "slot_bytes '100' never fires"), (101, 100, "")],
)
def test_a_threshold_that_never_fires_with_the_server_s_settings(cap: int | None, slot_bytes: int, text: str) -> None:
    outbox = Outbox.model_validate(BASE | {"monitoring": {"slot_bytes": slot_bytes}})
    figures = seen(0, 1, 1, 0)
    limited = DatabaseFigures(LogFigures(0, 1, cap=cap), slot=figures.slot)
    sentences = [*report.impossible(Scripted(limited, outbox=outbox).collect())]
    assert [text in sentence for sentence in sentences] == ([True] if text else [])


def test_a_page_has_each_metric_once_with_the_service() -> None:
    text = page(
        's"hop', [sample("relay_hangs", True, process='a "b"\n\\'), sample("inserted_rows_total", 3, table="outbox")]
    ).decode()
    assert 'outbox_kit_relay_hangs{process="a \\"b\\"\\n\\\\",service="s\\"hop"} 1.0' in text
    assert 'outbox_kit_inserted_rows_total{service="s\\"hop",table="outbox"} 3.0' in text


def test_a_problem_is_reported_when_it_begins_and_when_it_is_over() -> None:
    lines: list[str] = []
    collection = Scripted(DatabaseUnreachable("gone"), DatabaseUnreachable("gone"), seen(0, 1, 1, 0))
    reports = Reports(lines.append)
    for _ in range(3):
        reports.tell(collection.collect())
    assert lines == ["error: gone", "database: answers again"]


def test_the_first_scrape_finds_figures_that_were_collected_before() -> None:
    collection = Scripted(seen(0, 100, 100, 5), seen(1, 100, 100, 5))
    with served("shop", collection, ("127.0.0.1", 0), print):
        assert len(collection.answers) == 1
    with (
        pytest.raises(UsageProblem, match="another database"),
        served("shop", Scripted(UsageProblem("another database")), ("127.0.0.1", 0), print),
    ):
        pass
