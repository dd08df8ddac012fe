"""The pure parts of the consumer's inbox: ids, keys, statements, queues and the window."""

import subprocess
import sys
from datetime import date, timedelta
from uuid import UUID

import pytest

from outbox_kit import databases
from outbox_kit.clocks import SKEW
from outbox_kit.errors import UnknownName, UsageProblem
from outbox_kit.inbox import (
    HighWater,
    Inbox,
    InboxMessage,
    InvalidMessage,
    MessageIds,
    PartitionOffsets,
    SequenceGap,
)
from outbox_kit.inbox.message import stored_id, stored_key
from outbox_kit.inbox.problems import PartitionFenced, PurgeRefused, is_outage
from outbox_kit.inbox.queues import Backoff, Queues
from outbox_kit.inbox.sessions import completed
from outbox_kit.inbox.statements import Query, StatementResult
from outbox_kit.inbox.window import DAY, PurgeHorizon, awaits_partition, horizon
from outbox_kit.kafka.deliverable import DeliverablePartition

ID = "0190163d-8694-739b-aea5-966c26f8ad91"
HEAVY = "typer pydantic duckdb psycopg confluent_kafka sqlalchemy django pymysql jinja2 numpy ruamel requests"


def test_the_package_imports_no_library() -> None:
    code = "import sys, outbox_kit.inbox; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {*done.stdout.split()} & {*HEAVY.split()}


@pytest.mark.parametrize(
    ("text", "uuids", "stored"),
    [
        (ID.upper(), True, ID),
        ("no UUID", True, None),
        ("", True, None),
        ("4711", False, "4711"),
        ("it's \"\\ %s :x é", False, "it's \"\\ %s :x é"),
        ("a\0b", False, None),
        ("x" * 256, False, None),
    ],
)
def test_an_id_is_stored_in_one_form_or_refused(text: str, uuids: bool, stored: str | None) -> None:
    message = InboxMessage(headers={"id": text.encode()})
    if stored is None:
        with pytest.raises(InvalidMessage):
            stored_id(message, "id", uuids=uuids)
    else:
        assert stored_id(message, "id", uuids=uuids) == stored
    with pytest.raises(InvalidMessage, match="no text in the header"):
        stored_id(InboxMessage(headers={"id": b"\xff"}), "id", uuids=uuids)


def test_different_keys_are_stored_differently() -> None:
    keys = [b"7", b"", b"\xff", b"a\0", b"x" * 300, b"x" * 301, b"sha256:7", "ü".encode()]
    stored = [stored_key(InboxMessage(key=key)) for key in keys]
    assert len({*stored}) == len(keys) and max(map(len, stored)) < 256
    assert stored_key(InboxMessage("orders", 3)) != stored_key(InboxMessage("orders", 4))


def test_a_sequence_is_a_number_of_64_bits() -> None:
    for text in (b"x", b"1.5", b"9223372036854775808"):
        with pytest.raises(InvalidMessage, match="invalid header sequence"):
            InboxMessage(headers={"sequence": text}).number("sequence")


def test_values_are_bound_in_every_style_whatever_the_names_contain() -> None:
    inbox = Inbox('it"s %s :x', schema='a":%s')
    sent: list[Query] = []
    steps = inbox.claim([InboxMessage.of_id(ID), InboxMessage.of_id(UUID(int=1))])
    flags = completed(steps, lambda query: sent.append(query) or StatementResult(1, [(ID,)]))  # type: ignore[func-returns-value]
    assert flags == [True, False]
    (query,) = sent
    values = ('it"s %s :x', str(UUID(int=1)), 'it"s %s :x', ID)  # sorted, so that transactions do not deadlock
    assert query.values == values
    assert query.percent().startswith('insert into "a"":%%s"."inbox" ("consumer", "message_id") values (%s, cast(%s as')
    text, values_by_name = query.by_name()
    assert '"a""\\:%s"' in text and ":value_3 as uuid" in text
    assert values_by_name["value_3"] == ID


def test_the_same_id_twice_in_a_batch_is_new_once() -> None:
    steps = Inbox("billing").claim([InboxMessage.of_id(ID), InboxMessage.of_id(ID.upper())])
    assert completed(steps, lambda _: StatementResult(1)) == [True, False]
    assert completed(Inbox("billing").claim([]), lambda _: StatementResult(1)) == []


def test_a_database_that_returns_no_ids_is_asked_one_by_one_if_some_are_there() -> None:
    statements: list[str] = []
    counts = iter([0, 3, 0, 1, 2])  # savepoint, both, rollback, the first is new, the second is not

    def execute(query: Query) -> StatementResult:
        statements.append(query.text.split()[0])
        return StatementResult(next(counts))

    ids = [InboxMessage.of_id(UUID(int=n)) for n in (1, 2)]
    assert completed(Inbox("billing", dialect="mysql").claim(ids), execute) == [True, False]
    assert statements == ["savepoint", "insert", "rollback", "insert", "insert"]


def test_an_unknown_database_is_refused() -> None:
    with pytest.raises(UnknownName, match="invalid dialect 'postgresql'"):
        Inbox("billing", dialect="postgresql")


def test_a_database_of_documents_is_refused() -> None:
    message = InboxMessage("orders", 0, 0, headers={"sequence": b"1", "id": ID.encode()})
    for mode in (MessageIds(), HighWater()):
        with pytest.raises(UsageProblem, match="does not support MongoDB"):
            completed(Inbox("billing", mode, "mongodb").claim([message]), lambda _: StatementResult(0))


@pytest.mark.parametrize(
    ("dialect", "first", "then"),
    [
        ("oracle", """ and producer = nvl(%s, ' ') and """, """ values (%s, nvl(%s, ' '), %s, %s)"""),
        ("sqlserver", """ and producer = %s and """, """ using (values (%s, %s, %s, %s)) as given ("""),
        ("postgres", """ and producer = %s and """, """ values (%s, %s, %s, %s) on conflict do nothing"""),
    ],
)
def test_a_producer_without_a_name_has_marks_in_every_database(dialect: str, first: str, then: str) -> None:
    sent: list[str] = []

    def execute(query: Query) -> StatementResult:
        sent.append(query.percent())
        assert sent[-1].count("%s") == len(query.values)
        return StatementResult(0)

    message = InboxMessage("orders", 0, 0, headers={"sequence": b"1"})
    assert completed(Inbox("billing", HighWater(), dialect).claim([message]), execute) == [False]
    assert first in sent[0] and then in sent[1] and sent[2] == sent[0]


@pytest.mark.parametrize(
    ("dialect", "lock"), [("oracle", " for update"), ("sqlserver", "[inbox_position] with (updlock) where")]
)
def test_a_position_is_locked_while_it_is_read(dialect: str, lock: str) -> None:
    sent: list[Query] = []
    inbox = Inbox("billing", PartitionOffsets(), dialect)
    with pytest.raises(PartitionFenced):
        completed(inbox.claim([InboxMessage()]), lambda query: sent.append(query) or StatementResult(0))  # type: ignore[func-returns-value]
    assert lock in sent[-1].text


def test_a_gap_names_the_numbers_around_it() -> None:
    message = InboxMessage("orders", 0, 7, b"4", headers={"sequence": b"9"})
    answers = iter([StatementResult(1), StatementResult(1, [(9, 6)])])
    with pytest.raises(SequenceGap, match="gap in the sequence of key '4': 9 follows 6"):
        completed(Inbox("billing", HighWater(dense=True)).claim([message]), lambda _: next(answers))


def test_an_offset_of_a_later_generation_is_fenced() -> None:
    answers = iter([StatementResult(0), StatementResult(1, [(5, 8)])])
    steps = Inbox("billing", PartitionOffsets()).claim([InboxMessage("orders", 0, 7)], generation=7)
    with pytest.raises(PartitionFenced, match="generation 8"):
        completed(steps, lambda _: next(answers))


def test_offsets_that_are_stored_already_are_duplicates() -> None:
    answers = iter([StatementResult(0), StatementResult(1, [(6, 7)]), StatementResult(1)])
    batch = [InboxMessage("orders", 0, offset) for offset in (4, 5, 6, 8)]
    steps = Inbox("billing", PartitionOffsets()).claim(batch, generation=7)
    assert completed(steps, lambda _: next(answers)) == [False, False, True, True]


def test_an_outage_is_known_by_the_classes_of_the_standard() -> None:
    kind = type("LockNotAvailable", (type("OperationalError", (Exception,), {}),), {})
    assert is_outage(kind()) and not is_outage(ValueError())
    assert databases.get("postgres").inbox.no_partition == "23514"


def test_pauses_double_up_to_a_limit() -> None:
    backoff = Backoff(first=1, limit=8)
    assert [backoff.pause(failures, 1) for failures in (1, 2, 3, 4, 5, 5000)] == [1, 2, 4, 8, 8, 8]
    assert backoff.pause(3, 0) == 2


def test_a_partition_waits_behind_its_failed_message_and_others_do_not() -> None:
    queues = Queues(most=3)
    queues.add([("orders", 0), ("orders", 1)])
    assert queues.switched(0) == ([], [("orders", 0), ("orders", 1)])  # a client may have them paused from before
    queues.put(InboxMessage("orders", partition, offset) for partition in (0, 1, 2) for offset in (5, 6))
    batch = queues.ready(0, 3)
    assert [(m.partition, m.offset) for m in batch] == [(0, 5), (0, 6), (1, 5)]
    first = queues.of(batch[0])
    assert first is not None
    first.failures, first.not_before = 1, 10
    assert [(m.partition, m.offset) for m in queues.ready(0, 9)] == [(1, 5), (1, 6)]
    assert queues.switched(0) == ([("orders", 0)], []) and queues.next_time() == 0
    assert [(m.partition, m.offset) for m in queues.ready(10, 9)] == [(0, 5), (1, 5), (1, 6)]
    first.done(batch[0])
    assert queues.uncommitted() == {("orders", 0): 6} and queues.uncommitted() == {}
    queues.turn(batch[:1])
    assert queues.ready(10, 1)[0].partition == 1
    assert queues.remove([("orders", 0)]) == {("orders", 0): 6} and queues.of(batch[0]) is None


NOW = 100 * DAY


def partition(**changes: float | None) -> DeliverablePartition:
    values = {
        "first": 10,
        "end": 20,
        "committed": 15,
        "oldest": NOW - 5 * DAY,
        "resume": NOW - DAY,
        "retention": 7 * DAY,
    }
    return DeliverablePartition("orders", 0, **(values | changes))  # type: ignore[arg-type]


def test_nothing_that_a_topic_retains_is_purged_however_short_the_window_is() -> None:
    limit = horizon(14 * DAY, NOW, [partition()])
    assert limit == PurgeHorizon(NOW - 14 * DAY, "the window of 14 days")
    limit = horizon(2 * DAY, NOW, [partition()])
    assert (limit.instant, limit.reason) == (NOW - 5 * DAY - SKEW, "the first retained record of orders-0")
    assert limit.notes == (
        "the inbox's window (2 days) is shorter than the retention of topic 'orders' (7 days): message ids are kept "
        "until the topic has deleted their records",
    )
    behind = horizon(2 * DAY, NOW, [partition(oldest=NOW - 30 * DAY, resume=NOW - 20 * DAY)], "position")
    assert (behind.instant, behind.reason) == (NOW - 20 * DAY - SKEW, "the committed offset of orders-0")


def test_unlimited_retention_is_said() -> None:
    limit = horizon(2 * DAY, NOW, [partition(retention=None, oldest=DAY)])
    assert limit.instant == DAY - SKEW and "unlimited retention" in limit.notes[0]
    assert "retention.ms" in limit.notes[0] and "high-water" in limit.notes[0] and "--by-position" in limit.notes[0]
    passed = horizon(2 * DAY, NOW, [partition(retention=None, oldest=DAY, resume=None)], "position")
    assert passed.instant == NOW - 2 * DAY and "unlimited" not in passed.notes[0] and "a reset" in passed.notes[0]


def test_an_empty_partition_limits_nothing() -> None:
    empty = partition(first=20, committed=None, oldest=None, resume=None)
    assert horizon(2 * DAY, NOW, [empty]).instant == NOW - 2 * DAY


@pytest.mark.parametrize(
    ("changes", "problem"), [({"committed": None}, "no committed offset"), ({"oldest": -0.001}, "no")]
)
def test_what_is_unknown_refuses_a_purge(changes: dict[str, float | None], problem: str) -> None:
    with pytest.raises(PurgeRefused, match=problem):
        horizon(2 * DAY, NOW, [partition(**changes)])
    with pytest.raises(PurgeRefused, match="no topic"):
        horizon(2 * DAY, NOW, [])


@pytest.mark.parametrize(
    ("days", "version", "existing", "waits"),
    [
        (0, 7, (-2, -1), True),
        (0, 7, (), True),
        (0, 7, (-1, 0, 1), True),  # it was created after the id was refused
        (-5, 7, (-6,), True),  # the consumer was stopped, and with it the creation of partitions
        (14, 7, (0,), True),
        (15, 7, (0,), False),  # of a producer with a wrong clock
        (-6, 7, (-5, -4), False),  # its partition was dropped
        (0, 4, (-1,), False),
        (3_000_000, 7, (-1,), False),
    ],
)
def test_an_id_waits_for_the_partition_of_its_day_if_that_will_be_created_or_was_just_now(
    days: int, version: int, existing: tuple[int, ...], waits: bool
) -> None:
    now = 20_000 * DAY + 5
    message_id = UUID(int=(int(now + days * DAY) * 1000 << 80) | (version << 76) | (2 << 62))
    present = {date(1970, 1, 1) + timedelta(days=20_000 + day) for day in existing}
    assert awaits_partition(str(message_id), present, now) is waits
    assert not awaits_partition("no UUID", present, now)
