"""Writers at work: interleaved transactions, some with savepoints, some rolled back; ids and payloads of any kind."""

import random
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.fuzz.values import GONE, Draw, Row, Step

# JSON that a column of PostgreSQL's type json takes
ODD_PAYLOADS = (b'{"a": "\\ud800"}', b'{"a": 1e400}', b'{"a": ' + b"[" * 1100 + b"]" * 1100 + b"}", b"[]", b"7", b'"x"')
ODD_KEYS = ("{4711}", '"quoted"', "Zürich", "a b", "x" * 200, "0", "\\x00ff")


Whose = tuple[str, str]  # an aggregate, by kind and key
TRANSACTIONS = 3  # that are open at a time


@dataclass
class Writer:
    """One open transaction. left: rows yet to come. rows: those it has written. before: by aggregate, its highest
    number before this transaction. saved: at its open savepoint, how many rows there were, and the numbers.
    """

    number: int
    left: int
    parts: int = 0
    rows: list[int] = field(default_factory=list)
    before: dict[Whose, int] = field(default_factory=dict)
    saved: tuple[int, dict[Whose, int]] | None = None


@dataclass
class Desk:
    """All writers of a case. wanted: how many rows. dense: whether they number an aggregate's rows without a gap.
    most: rows of one transaction.

    dead: rows that were taken back. quiet: steps before which no transaction was open.
    """

    chance: random.Random
    content: Callable[[], dict[str, Any]]
    wanted: int
    dense: bool
    savepoints: bool
    most: int
    steps: list[tuple[int, str, int]] = field(default_factory=list)
    drafts: list[dict[str, Any]] = field(default_factory=list)
    dead: set[int] = field(default_factory=set)
    quiet: set[int] = field(default_factory=set)
    opened: dict[int, Writer] = field(default_factory=dict)
    highest: Counter[Whose] = field(default_factory=Counter)
    started: int = 0

    def work(self) -> None:
        """Everything, one statement after the other."""
        while len(self.drafts) < self.wanted or self.opened:
            if len(self.drafts) < self.wanted and self._opens():
                self._open()
            self._go_on(self.opened[self.chance.choice(sorted(self.opened))])

    def _opens(self) -> bool:
        return not self.opened or (len(self.opened) < TRANSACTIONS and self.chance.random() < 0.3)

    def _open(self) -> None:
        if not self.opened:
            self.quiet.add(len(self.steps))
        self.started += 1
        self.opened[self.started] = Writer(self.started, self.chance.randint(1, self.most))

    def _go_on(self, writer: Writer) -> None:
        if writer.saved is not None and (writer.left <= 0 or self.chance.random() < 0.4):
            back = self.chance.random() < 0.5
            if back:
                self._take_back(writer, *writer.saved)
            self.steps.append((writer.number, "rollback to" if back else "release", -1))
            writer.saved = None
        elif writer.left <= 0:
            back = self.chance.random() < 0.12
            if back:
                self._take_back(writer, 0, writer.before)
            self.steps.append((writer.number, "rollback" if back else "commit", -1))
            del self.opened[writer.number]
        elif self.savepoints and writer.saved is None and self.chance.random() < 0.2:
            writer.saved = len(writer.rows), {whose: self.highest[whose] for whose in writer.before}
            writer.parts += 1
            self.steps.append((writer.number, "savepoint", -1))
        else:
            self._insert(writer)

    def _insert(self, writer: Writer) -> None:
        """One row; with dense numbers, of an aggregate that no other writer holds."""
        held = {whose for other in self.opened.values() if other is not writer for whose in other.before}
        several = (self.content() for _ in range(20))
        one = next((one for one in several if not (self.dense and _whose(one) in held)), None)
        writer.left -= 1
        if one is None:
            return
        whose, number = _whose(one), len(self.drafts)
        writer.before.setdefault(whose, self.highest[whose])
        self.highest[whose] += 1
        sequence = self.highest[whose] if self.dense else number + 1
        part = f"{writer.number}" if writer.saved is None else f"{writer.number}.{writer.parts}"
        self.drafts.append(one | {"sequence": sequence, "transaction": writer.number, "part": part})
        writer.rows.append(number)
        self.steps.append((writer.number, "insert", number))

    def _take_back(self, writer: Writer, since: int, numbers: dict[Whose, int]) -> None:
        self.dead.update(writer.rows[since:])
        for whose, before in writer.before.items():
            self.highest[whose] = numbers.get(whose, before)


def written(draw: Draw, document: dict[str, Any], span: float, ids: str) -> tuple[list[Step], list[Row]]:
    """Interleaved transactions, some with savepoints, some rolled back. span: seconds, of all of them."""
    size = draw.of("size")
    large = draw.busy or draw.has("large", 0.015)
    wanted = size.randint(2300, 3000) if large else size.choice((0, 1, 3, 12, 25, 40, 60))
    dense = document["ordering"].get("assigned_by") == "application"
    most = 12 if draw.busy else 400 if large else 6
    desk = Desk(draw.of("writers"), _contents(draw, document), wanted, dense, draw.has("savepoints", 0.5), most)
    desk.work()
    times = _times(draw, len(desk.steps), desk.quiet, span)
    done = [Step(at, *step) for at, step in zip(times, desk.steps, strict=True)]
    numbered = {} if document["ordering"]["sequence"] else {"sequence": None}
    at = {step.row: step.at for step in done if step.what == "insert"}
    ends = {step.transaction: step for step in done if step.what in ("commit", "rollback")}
    made, rows = ids_of(draw.of("ids"), ids), []
    for number, one in enumerate(desk.drafts):
        end = ends[one["transaction"]]
        committed = end.what == "commit" and number not in desk.dead
        known = one | numbered | {"written": at[number], "ends": end.at, "committed": committed}
        rows.append(Row(number, made(number, at[number]), **known))
    return done, rows


def _whose(one: dict[str, Any]) -> Whose:
    return one["aggregate"], one["key"]


def _contents(draw: Draw, document: dict[str, Any]) -> Callable[[], dict[str, Any]]:
    """What is written: aggregate, type, key and payload, one after the other."""
    chance, kind = draw.of("contents"), document["table"]["payload"]
    odd_payloads, odd_keys = draw.has("odd payloads", 0.15), draw.has("odd keys", 0.2)
    keys = [str(n) for n in range(1, chance.choice((2, 6, 15)))]
    if odd_keys:
        keys += chance.sample(ODD_KEYS, 3)
    events = document["events"]

    def payload() -> bytes:
        if kind == "bytes":
            return bytes(chance.randrange(256) for _ in range(chance.randint(1, 40)))
        if kind == "text" and chance.random() < 0.3:
            return f"no JSON, {chance.randrange(100)} Größen".encode()
        if odd_payloads and kind == "json" and chance.random() < 0.2:
            return chance.choice(ODD_PAYLOADS)
        return b'{"n":  %d, "text": "%s"}' % (chance.randrange(10**6), chance.choice(("a", "Köln", "\\n")).encode())

    def content() -> dict[str, Any]:
        event = chance.choice(events)
        return {
            "aggregate": event["aggregate"],
            "type": event["type"],
            "key": chance.choice(keys),
            "payload": None if event["type"] == GONE else payload(),
            "tenant": chance.choice(("north", "south")),
        }

    return content


def _times(draw: Draw, count: int, quiet: set[int], span: float) -> list[float]:
    """When each step was: writers are at work for seconds, with hours or days between; the last may be after 0."""
    chance = draw.of("times")
    during = draw.busy or (draw.has("during", 0.3) and draw.ledger == "table")
    after = min(draw.of("during").randint(1, 120 if draw.busy else 12), count) if during else 0
    gaps = [chance.uniform(0.001, 0.2) for _ in range(count)]
    jumps = sorted(step for step in quiet if 0 < step < count - after)
    shares = [chance.random() for _ in jumps]
    for step, share in zip(jumps, shares, strict=True):
        gaps[step] += span * share / sum(shares)
    times = [sum(gaps[: n + 1]) for n in range(count)] if count < 500 else _added(gaps)
    zero = times[count - after - 1] + 0.5 if count > after else 0.0
    found = [at - zero for at in times]
    late = draw.of("during times")
    return found[: count - after] + sorted(late.uniform(0.02, 2.0) for _ in range(after))


def _added(gaps: Sequence[float]) -> list[float]:
    total, found = 0.0, []
    for gap in gaps:
        total += gap
        found.append(total)
    return found


def ids_of(chance: random.Random, kind: str) -> Callable[[int, float], str]:
    """Ids of a kind, by a row's number and when it was written."""
    node, prefix = chance.getrandbits(47) | 1 << 40, chance.getrandbits(20) << 12

    def made(number: int, at: float) -> str:
        ticks = 0x1F0000000000000 + int(at * 10_000_000) * 100 + number  # of a UUID's clock; numbers keep them apart
        low, mid, high = ticks & 0xFFFFFFFF, ticks >> 32 & 0xFFFF, ticks >> 48 & 0xFFF
        milliseconds = int(1_790_000_000_000 + at * 1000)
        match kind:
            case "v1":
                return str(uuid.UUID(fields=(low, mid, 0x1000 | high, 0x80 | 5, 7, node)))
            case "v6":
                first, second = ticks >> 28 & 0xFFFFFFFF, ticks >> 12 & 0xFFFF
                return str(uuid.UUID(fields=(first, second, 0x6000 | (ticks & 0xFFF), 0x80 | 5, 7, node)))
            case "v7":
                return str(uuid.UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62 | chance.getrandbits(62)))
            case "counter":
                return f"{prefix + number:08x}-0000-4000-8000-000000000000"
            case "bigint":
                return str(7_000_000_001 + number)
            case "ulid":
                return _base32(milliseconds, 10) + _base32(chance.getrandbits(80), 16)
        text = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        return text.upper() if kind == "upper" else text

    return made


def _base32(number: int, digits: int) -> str:
    return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number >> 5 * n & 31] for n in reversed(range(digits)))
