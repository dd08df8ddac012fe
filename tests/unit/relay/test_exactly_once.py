"""Positions in Kafka: every row is published once, in the order of the log, wherever a relay ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from outbox_kit.databases.changes import LogIdentity, LogRow, TableColumns
from outbox_kit.relay.exactly_once.log import ExactlyOnceLog
from outbox_kit.relay.exactly_once.places import SENT, Place, Places
from outbox_kit.relay.exactly_once.positions import LogPosition, StoredPosition, decoded, encoded, resumed
from outbox_kit.schema.read import complaints

POSITION = LogPosition(100, 3, 7, 1.5)
STORED = StoredPosition(POSITION, "a", 2, {17: "digest"})
LOG = LogIdentity("a", 2, {1: 90})
COLUMNS = TableColumns(())


def test_a_record_says_what_was_stored() -> None:
    assert decoded(encoded(STORED)) == STORED
    assert decoded(encoded(STORED._replace(position=None))).position is None


@pytest.mark.parametrize("value", [b"", b"[]", b"{}", b"null", b'{"position": {"commit": 1}}'])
def test_what_is_no_position_is_not_taken_for_none(value: bytes) -> None:
    with pytest.raises(ValueError, match="not a stored position"):
        decoded(value)


@pytest.mark.parametrize(
    ("stored", "log", "position", "reason"),
    [
        (None, LOG, None, ""),
        (STORED._replace(position=None), LOG, None, ""),
        (STORED, LOG, POSITION, ""),
        (STORED, LogIdentity("b", 2, {}), None, "another database cluster"),
        (STORED, LogIdentity("a", 3, {2: 101}), POSITION, ""),
        (STORED, LogIdentity("a", 3, {2: 100}), LogPosition(100, 0, None, 0.0), ""),
        (STORED, LogIdentity("a", 4, {2: 60, 3: 80}), LogPosition(60, 0, None, 0.0), ""),
        (STORED, LogIdentity("a", 1, {}), None, "timeline 2"),
        (STORED._replace(position=POSITION._replace(commit=5000)), LOG, None, "ends before it"),
    ],
)
def test_a_position_is_used_where_the_log_is_the_same(
    stored: StoredPosition | None, log: LogIdentity, position: LogPosition | None, reason: str
) -> None:
    answer = resumed(stored, log, 1000)
    assert answer.position == position
    assert reason in answer.reason and bool(reason) == bool(answer.reason)


@dataclass(eq=False)
class Transaction:
    commit: int
    number: int
    rows: int
    committed: float = 0.0
    open: int = 0


@dataclass
class Log:
    """A log in memory, whose slot is behind the transactions that are final when it is confirmed."""

    transactions: Sequence[Transaction]
    chance: Random
    confirmed: int = 0
    opened: int = 0
    _pending: list[tuple[Transaction, int]] = field(default_factory=list)
    _read: list[Transaction] = field(default_factory=list)
    _reached: int = 0

    def position(self) -> int:
        return self.confirmed

    def identity(self) -> LogIdentity:
        return LOG

    def mark(self) -> int:
        return 1_000_000

    def passed(self, _: int) -> bool:
        return not self._pending

    def reached(self) -> int:
        return self._reached

    def open(self) -> None:
        self.opened += 1
        self._read, self._reached = [], 0
        rows = [(each, row) for each in self.transactions for row in range(1, each.rows + 1)]
        self._pending = [(each, row) for each, row in rows if each.commit >= self.confirmed]

    def close(self) -> None:
        if self.chance.random() < 0.5:
            self.confirm()

    def read(self, _: float) -> list[LogRow]:
        rows = []
        for _ in range(self.chance.randrange(5)):
            if self._pending:
                transaction, row = self._pending.pop(0)
                if row == 1:
                    transaction.open = 0
                    self._read.append(transaction)
                transaction.open += 1
                rows.append(LogRow(COLUMNS, [f"{transaction.number} {row}".encode()], 0, transaction))
                if row == transaction.rows:
                    self._reached = transaction.commit + 1
        return rows

    def finish(self, transaction: Transaction) -> None:
        transaction.open -= 1
        assert transaction.open >= 0

    def confirm(self) -> None:
        pending = {id(transaction) for transaction, _ in self._pending}
        for transaction in self._read:
            if transaction.open or id(transaction) in pending:
                return
            self.confirmed = max(self.confirmed, transaction.commit + 1)


@dataclass
class Kafka:
    """Kafka in memory: what is committed, and the position."""

    published: list[str] = field(default_factory=list)
    stored: StoredPosition | None = None
    places: Places = field(default_factory=Places)

    def open(self) -> StoredPosition | None:
        return self.stored

    def begin(self, position: LogPosition | None, _: LogIdentity | None, __: StoredPosition | None) -> None:
        self.places.clear(position)

    def commit(self, sent: Sequence[tuple[Place, str]]) -> bool:
        for place, _ in sent:
            place.state = SENT
        prefix = self.places.prefix()
        if prefix.sent < len(sent):
            return False
        self.published += [text for _, text in sent]
        self.stored = StoredPosition(prefix.position, "a", 2, {})
        return True


def relay(log: Log, kafka: Kafka, chance: Random, rounds: int, failed: set[str]) -> list[str]:
    """Publish for some rounds, then end at any moment; what it reports. failed: events that are stored instead."""
    reports: list[str] = []
    reader = ExactlyOnceLog(log, kafka, reports.append)  # type: ignore[arg-type]
    reader.open()
    unsent: list[tuple[Place, str]] = []
    for _ in range(rounds):
        for row in reader.read(0.0):
            unsent.append((row.receipt, (row.texts[0] or b"").decode()))  # type: ignore[union-attr]
        count = chance.randrange(len(unsent) + 1)
        part, unsent = unsent[:count], unsent[count:]
        for place, text in part:
            if text in failed:
                reader.finish(place)
        sent = [(place, text) for place, text in part if text not in failed]
        if sent:
            assert kafka.commit(sent)
            if chance.random() < 0.1:
                break  # between Kafka's commit and what follows it
            for place, _ in sent:
                reader.finish(place)
        if chance.random() < 0.2:
            log.confirm()
    reader.close() if chance.random() < 0.5 else None
    return reports


def transactions(chance: Random) -> list[Transaction]:
    return [Transaction(10 * n, n, chance.choice((1, 1, 2, 5, 20)), float(n)) for n in range(1, 25)]


def texts(log: Log) -> list[str]:
    return [f"{each.number} {row}" for each in log.transactions for row in range(1, each.rows + 1)]


@pytest.mark.random
def test_every_row_is_published_once_wherever_a_relay_ends(pytestconfig: pytest.Config) -> None:
    seed = pytestconfig.getoption("--case-seed")
    for number in range(seed, seed + 80):
        chance = Random(number)
        log, kafka = Log(transactions(chance), chance), Kafka()
        failed = {text for text in texts(log) if chance.random() < 0.05}
        for _ in range(8):
            assert relay(log, kafka, chance, chance.randrange(30), failed) == []
        for _ in range(40):
            relay(log, kafka, chance, 400, failed)
        assert kafka.published == [text for text in texts(log) if text not in failed], f"--case-seed {number}"


@pytest.mark.random
def test_another_transaction_at_the_position_is_not_skipped(pytestconfig: pytest.Config) -> None:
    """A copy of the database that was made earlier is started: the same places are of other transactions."""
    seed = pytestconfig.getoption("--case-seed")
    for number in range(seed, seed + 40):
        chance = Random(number)
        log, kafka = Log(transactions(chance), chance), Kafka()
        for _ in range(20):
            relay(log, kafka, chance, 40, set())
        assert kafka.published == texts(log)
        common = chance.randrange(len(log.transactions))
        later = [Transaction(each.commit, each.number + 1000, each.rows, 99.0) for each in log.transactions[common:]]
        other = Log([*log.transactions[:common], *later], chance, confirmed=10 * (common + 1))
        reports = [report for _ in range(20) for report in relay(other, kafka, chance, 400, set())]
        written = [f"{each.number} {row}" for each in later for row in range(1, each.rows + 1)]
        assert [text for text in kafka.published if text in {*written}] == written, f"--case-seed {number}"
        assert any("the log has another transaction at it" in report for report in reports)


def test_what_was_there_at_the_start_is_read_when_its_last_row_is_final() -> None:
    """Not only with the next read: stored events are looked for in between."""
    log = Log([Transaction(10, 1, 3)], Random(1))
    reader = ExactlyOnceLog(log, Kafka(), [].append)  # type: ignore[arg-type]
    log.passed = lambda _: not (log._pending or log.transactions[0].open)  # type: ignore[method-assign]
    reader.open()
    rows: list[LogRow] = []
    while len(rows) < 3:
        rows += reader.read(0.0)  # type: ignore[arg-type]
    assert not reader.begun
    for row in rows:
        reader.finish(row.receipt)
    assert reader.begun


FILE: dict[str, Any] = {
    "service": "orders",
    "database": {"dialect": "postgres"},
    "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
    "delivery_guarantee": "exactly-once",
}


@pytest.mark.parametrize(
    ("delivery", "expected"),
    [
        ({"by": "relay"}, ""),
        ({"by": "relay", "sink": "http"}, "expected at-least-once with delivery.sink: http"),
        ({"by": "relay", "sink": "rabbitmq"}, "expected at-least-once with delivery.sink: rabbitmq"),
        ({"by": "relay", "source": "table"}, "expected at-least-once with delivery.source: table"),
    ],
)
def test_where_it_is_refused(delivery: dict[str, str], expected: str) -> None:
    refusals = complaints({**FILE, "delivery": delivery})
    assert refusals == [] if not expected else any(expected in text for text in refusals)


@pytest.mark.parametrize(
    ("dialect", "release", "supported"),
    [
        ("postgres", "2.3", True),
        ("postgres", "2.2", False),
        ("mariadb", "3.2", False),
        ("mysql", "2.7.4", False),
        ("sqlserver", "3.2", False),
        ("oracle", "3.2", False),
        ("mongodb", "3.2", False),
        ("mysql", "3.3", True),
    ],
)
@pytest.mark.parametrize("by", ["connector", "relay"])
def test_a_connector_is_of_a_release_that_supports_it(dialect: str, release: str, supported: bool, by: str) -> None:
    file = {**FILE, "database": {"dialect": dialect}, "connect": {"debezium": release}, "delivery": {"by": by}}
    refusals = [text for text in complaints(file) if "supports exactly-once since Debezium" in text]
    assert bool(refusals) == (by == "connector" and not supported)
