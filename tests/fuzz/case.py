"""A random outbox and what became of its events: everything follows from a seed.

Times are seconds before (negative) and after the start of the verification. Each feature draws from a random source of
its own, so that leaving one out changes nothing else.
"""

import random
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from confluent_kafka import murmur2

DAY = 86_400.0
NEVER = float("inf")
LATE_GAP = 2.0  # seconds between late messages; a file as ledger waits for five without one
EVENTS: dict[str, tuple[str, ...]] = {"Order": ("OrderPlaced", "OrderPaid"), "Customer": ("CustomerMoved",)}
GONE = "CustomerGone"  # a tombstone
FEATURES = (
    "sequence",
    "savepoints",
    "payloads",
    "odd payloads",
    "odd keys",
    "tenant",
    "marks",
    "outage",
    "no_data",
    "during",
    "late",
    "stopped",
    "cleanup",
    "by hand",
    "lost",
    "phantoms",
    "copies",
    "strayed",
    "faults",
    "no id",
    "cut",
    "broken",
    "large",
)
# JSON that a column of PostgreSQL's type json takes
ODD_PAYLOADS = (b'{"a": "\\ud800"}', b'{"a": 1e400}', b'{"a": ' + b"[" * 1100 + b"]" * 1100 + b"}", b"[]", b"7", b'"x"')
ODD_KEYS = ("{4711}", '"quoted"', "Zürich", "a b", "x" * 200, "0", "\\x00ff")


@dataclass(frozen=True)
class Row:
    """A row as it was written. part: its transaction, or the savepoint within. sequence: None where there is no column.

    ends: when its transaction ended. deleted: when the row went, negative for before the start.
    """

    number: int
    event_id: str
    aggregate: str
    type: str
    key: str
    sequence: int | None
    payload: bytes | None
    tenant: str
    transaction: int
    part: str
    written: float
    ends: float = 0.0
    committed: bool = True
    deleted: float = NEVER
    by_hand: bool = False


@dataclass(frozen=True)
class Step:
    """One statement of a writer. row: its number, of an insert."""

    at: float
    transaction: int
    what: str
    row: int = -1


@dataclass(frozen=True)
class Message:
    """A message as a consumer gets it. at: its timestamp, and when it came. row: where it is from; -1 for a phantom.

    fault: what of it is not as in its row.
    """

    topic: str
    key: str
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...]
    at: float
    row: int
    fault: str = ""
    partition: int = 0
    offset: int = 0

    @property
    def place(self) -> tuple[str, int, int]:
        """Its coordinates."""
        return self.topic, self.partition, self.offset

    @property
    def event_id(self) -> str | None:
        """The header id."""
        return next((value.decode() for name, value in self.headers if name == "id"), None)

    @property
    def sequence(self) -> int | None:
        """The header sequence."""
        return next((int(value) for name, value in self.headers if name == "sequence"), None)


@dataclass(frozen=True)
class Case:
    """One case. ledger: table, file or none. document: the schema file. passes: when the slot is past every message.

    starts: first offsets that are left, by partition. told: the fields that a ledger's file has beside the id.
    upper: whether the file writes its ids in upper case. broken: which reading of the log ends half-way, from 1.
    begins: when the connector first started, where it did not read the rows from before.
    """

    seed: int
    ledger: str
    ids: str
    document: dict[str, Any]
    steps: tuple[Step, ...]
    rows: tuple[Row, ...]
    messages: tuple[Message, ...]
    partitions: dict[str, int]
    ends: dict[tuple[str, int], int]
    starts: dict[tuple[str, int], int] = field(default_factory=dict)
    passes: float | None = 0.0
    told: frozenset[str] = frozenset()
    upper: bool = False
    broken: int = 0
    begins: float = -NEVER

    @property
    def table(self) -> dict[str, Any]:
        """The schema file's table."""
        own: dict[str, Any] = self.document["table"]
        return own

    def describe(self) -> str:
        """The case in a few lines."""
        faults = Counter(m.fault for m in self.messages if m.fault)
        known = {m.row for m in self.messages}
        lines = [
            f"seed {self.seed}, ledger {self.ledger}, ids {self.ids}, {len(self.rows)} rows, "
            f"{sum(r.committed for r in self.rows)} committed, {len(self.messages)} messages, {self.partitions}",
            f"table {self.table}, ordering {self.document['ordering']}, connect {self.document['connect']}",
            f"not sent {sum(r.committed and r.number not in known for r in self.rows)}, "
            f"deleted before {sum(r.deleted < 0 for r in self.rows)}, "
            f"deleted meanwhile {sum(0 <= r.deleted < NEVER for r in self.rows)}, by hand "
            f"{sum(r.by_hand for r in self.rows)}, late {sum(m.at > 0 for m in self.messages)}, faults {dict(faults)}",
            f"passes {self.passes}, starts {self.starts}, broken reading {self.broken}, "
            f"file tells {sorted(self.told)} upper {self.upper}, begins {self.begins}",
        ]
        return "\n".join(f"  {line}" for line in lines)


@dataclass
class Draw:
    """Random sources by feature. without: features that are left out."""

    seed: int
    ledger: str
    without: frozenset[str]

    def of(self, feature: str) -> random.Random:
        """The source of one feature."""
        return random.Random(f"{self.seed} {self.ledger} {feature}")

    def has(self, feature: str, share: float) -> bool:
        """Whether the case has a feature. share: of all cases that do."""
        return self.of(f"has {feature}").random() < share and feature not in self.without


def case(seed: int, ledger: str, without: frozenset[str] = frozenset()) -> Case:
    """The case of a seed. ledger: table, file or none. without: features that are left out."""
    draw = Draw(seed, ledger, without)
    chance = draw.of("shape")
    existing = ledger != "none" and chance.random() < 0.3
    ids = chance.choice(("bigint", "ulid", "upper") if existing else ("v4", "v1", "v6", "v7", "counter"))
    retention = chance.choice(("keep", "owner") if existing else ("keep", "delete", "delete"))
    document = _document(draw, existing=existing, ids=ids, retention=retention)
    span = _span(draw, document["table"])
    steps, rows = written(draw, document, span, ids)
    rows = _deleted(draw, document["table"], rows)
    messages, begins = _sent(draw, document, rows, span)
    messages, rows = _harmed(draw, ids, document, messages, rows)
    messages, passes = _late(draw, messages, rows)
    messages, ends = _placed(draw, document, messages)
    case_ = Case(seed, ledger, ids, document, tuple(steps), tuple(rows), tuple(messages), _counts(document), ends)
    file = draw.of("file")
    told = frozenset(n for n in ("key", "type", "sequence", "aggregate", "transaction", "at") if file.random() < 0.8)
    return replace(
        case_,
        starts=_cut(draw, messages, ends),
        passes=passes,
        told=told,
        upper=ledger == "file" and ids not in ("bigint", "ulid") and file.random() < 0.15,
        broken=draw.of("broken").randint(1, 4) if draw.has("broken", 0.04) else 0,
        begins=begins,
    )


def _document(draw: Draw, *, existing: bool, ids: str, retention: str) -> dict[str, Any]:
    chance = draw.of("document")
    kind = chance.choice(("json", "text", "bytes")) if draw.has("payloads", 0.5) else "json"
    table: dict[str, Any] = {"payload": kind, "retention": retention}
    if retention == "delete":
        table["keep_days"] = chance.choice((1, 3, 7))
    if existing:
        table |= {"existing": True, "name": "events", "ids": "bigint" if ids == "bigint" else "uuid"}
    if draw.has("tenant", 0.4):
        table["extra"] = [{"name": "tenant"}]
    ordering: dict[str, Any] = {"sequence": None}
    if draw.has("sequence", 0.75):
        ordering = {"sequence": "sequence", "assigned_by": chance.choice(("database", "application"))}
    aggregates = ["Order", "Customer"][: chance.randint(1, 2)]
    events = [{"type": kind, "aggregate": one} for one in aggregates for kind in EVENTS[one]]
    if "Customer" in aggregates and not existing:
        events.append({"type": GONE, "aggregate": "Customer", "tombstone": True})
    snapshot = "no_data" if draw.has("no_data", 0.08) else "initial"
    return {
        "service": "fuzz",
        "database": {"dialect": "postgres"},
        "table": table,
        "routing": {"topic": "{service}.{aggregate}"},
        "ordering": ordering,
        "events": events,
        "connect": {"topics": {"partitions": chance.randint(1, 3)}, "snapshot": snapshot},
    }


def _span(draw: Draw, table: dict[str, Any]) -> float:
    """Over how many seconds before the start the rows were written."""
    chance = draw.of("span")
    if "keep_days" in table and draw.has("cleanup", 0.5):
        return float(table["keep_days"]) * DAY * chance.uniform(1.1, 2.6)
    return chance.choice((60.0, 3600.0, 0.9 * DAY, 3 * DAY))


@dataclass
class Writer:
    """One open transaction. left: rows yet to come. saved: the rows and numbers at its open savepoint."""

    number: int
    left: int
    parts: int = 0
    rows: list[int] = field(default_factory=list)
    saved: tuple[int, dict[Any, int]] | None = None
    numbers: dict[Any, int] = field(default_factory=dict)


def written(draw: Draw, document: dict[str, Any], span: float, ids: str) -> tuple[list[Step], list[Row]]:
    """Interleaved transactions, some with savepoints, some rolled back; times come last."""
    chance, size = draw.of("writers"), draw.of("size")
    wanted = size.randint(2300, 3000) if draw.has("large", 0.015) else size.choice((0, 1, 3, 12, 25, 40, 60))
    savepoints = draw.has("savepoints", 0.5)
    dense = document["ordering"].get("assigned_by") == "application"
    content = _contents(draw, document)
    steps: list[tuple[int, str, int]] = []
    quiet: list[int] = []  # steps before which no transaction was open
    drafts: list[dict[str, Any]] = []
    dead: set[int] = set()
    opened: dict[int, Writer] = {}
    versions: Counter[Any] = Counter()
    started = 0

    def insert(writer: Writer) -> None:
        held = {key for other in opened.values() if other is not writer for key in other.numbers}
        one = next((one for one in (content() for _ in range(20)) if not dense or _whose(one) not in held), None)
        writer.left -= 1
        if one is None:  # another writer holds every aggregate
            return
        versions[_whose(one)] += 1
        writer.numbers.setdefault(_whose(one), versions[_whose(one)] - 1)
        number = len(drafts)
        sequence = versions[_whose(one)] if dense else number + 1
        part = f"{writer.number}" if writer.saved is None else f"{writer.number}.{writer.parts}"
        drafts.append(one | {"sequence": sequence, "transaction": writer.number, "part": part})
        writer.rows.append(number)
        steps.append((writer.number, "insert", number))

    def taken_back(writer: Writer, since: int, numbers: dict[Any, int]) -> None:
        dead.update(writer.rows[since:])
        for whose in writer.numbers:
            versions[whose] = numbers.get(whose, writer.numbers[whose])

    while len(drafts) < wanted or opened:
        if len(drafts) < wanted and (not opened or (len(opened) < 3 and chance.random() < 0.3)):
            started += 1
            most = 400 if wanted > 1000 else 6
            opened[started] = Writer(started, chance.randint(1, most))
            if len(opened) == 1:
                quiet.append(len(steps))
        writer = opened[chance.choice(sorted(opened))]
        if writer.saved is not None and (writer.left <= 0 or chance.random() < 0.4):
            back = chance.random() < 0.5
            if back:
                taken_back(writer, *writer.saved)
            steps.append((writer.number, "rollback to" if back else "release", -1))
            writer.saved = None
        elif writer.left <= 0:
            back = chance.random() < 0.12
            if back:
                taken_back(writer, 0, writer.numbers)
            steps.append((writer.number, "rollback" if back else "commit", -1))
            del opened[writer.number]
        elif savepoints and writer.saved is None and chance.random() < 0.2:
            writer.saved = len(writer.rows), {whose: versions[whose] for whose in writer.numbers}
            writer.parts += 1
            steps.append((writer.number, "savepoint", -1))
        else:
            insert(writer)
    times = _times(draw, len(steps), set(quiet), span)
    done = [Step(at, *step) for at, step in zip(times, steps, strict=True)]
    if document["ordering"]["sequence"] is None:
        drafts = [one | {"sequence": None} for one in drafts]
    written = {step.row: step.at for step in done if step.what == "insert"}
    ends = {step.transaction: step for step in done if step.what in ("commit", "rollback")}
    made = _ids(draw.of("ids"), ids)
    rows = []
    for number, one in enumerate(drafts):
        end = ends[one["transaction"]]
        committed = end.what == "commit" and number not in dead
        event_id = made(number, written[number])
        rows.append(Row(number, event_id, **one, written=written[number], ends=end.at, committed=committed))
    return done, rows


def _whose(one: dict[str, Any]) -> tuple[str, str]:
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
    during = draw.has("during", 0.3) and draw.ledger == "table"
    after = min(draw.of("during").randint(1, 12), count) if during else 0
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


def _ids(chance: random.Random, kind: str) -> Callable[[int, float], str]:
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


def _deleted(draw: Draw, table: dict[str, Any], rows: list[Row]) -> list[Row]:
    """Take rows away: those that are old enough, those that their owner does not want any more, or some by hand."""
    chance, found = draw.of("cleanup"), list(rows)
    there = [row for row in rows if row.committed and row.ends < 0]
    if draw.has("cleanup", 0.5) and draw.ledger == "table" and table["retention"] != "keep":
        lag = chance.choice((0.0, 0.0, 0.2, 0.6)) * DAY  # since the last cleanup
        meanwhile = chance.uniform(0.02, 1.5) if chance.random() < 0.6 else NEVER
        for row in there:
            if table["retention"] == "delete":
                keep = table["keep_days"] * DAY
                gone = -1.0 if -row.written > keep + lag else meanwhile if -row.written > keep else NEVER
            else:
                gone = chance.choice((-1.0, meanwhile, NEVER))
            found[row.number] = replace(row, deleted=gone)
    if draw.has("by hand", 0.1) and draw.ledger == "table" and table["retention"] != "owner":
        chance = draw.of("by hand")
        young = [row for row in there if found[row.number].deleted == NEVER]
        for row in chance.sample(young, min(len(young), chance.randint(1, 3))):
            found[row.number] = replace(found[row.number], deleted=-1.0, by_hand=True)
    return found


def _sent(draw: Draw, document: dict[str, Any], rows: Sequence[Row], span: float) -> tuple[list[Message], float]:
    """The messages of a connector that loses nothing: in the order of commits. And when it first started."""
    chance, outage = draw.of("sent"), draw.of("outage")
    begin = end = 0.0
    if draw.has("outage", 0.25):
        length = min(outage.choice((600.0, 3 * 3600.0, 19 * 3600.0, 2.6 * DAY)), span * 0.8)
        end = -outage.uniform(1.0, max(2.0, span - length))
        begin = end - length
    begins = -NEVER
    if document["connect"]["snapshot"] == "no_data":
        begins = -draw.of("no_data").uniform(0.2, 0.9) * span
    found: list[Message] = []
    last = -NEVER
    for row in sorted((row for row in rows if row.committed), key=lambda row: (row.ends, row.transaction, row.number)):
        if row.ends < begins:
            continue
        at = row.ends + chance.uniform(0.01, 0.3)
        last = at = max(last, at if not begin < at < end else end)
        found.append(message_of(document, row, at))
    return found, begins


def message_of(document: dict[str, Any], row: Row, at: float) -> Message:
    """The message of a row."""
    headers = [("id", row.event_id), ("eventType", row.type), ("aggregateType", row.aggregate)]
    if row.sequence is not None:
        headers.append(("sequence", str(row.sequence)))
    if "extra" in document["table"]:
        headers.append(("tenant", row.tenant))
    named = tuple((name, value.encode()) for name, value in headers)
    return Message(f"fuzz.{row.aggregate}", row.key, row.payload, named, at, row.number)


def _harmed(
    draw: Draw, ids: str, document: dict[str, Any], messages: list[Message], rows: list[Row]
) -> tuple[list[Message], list[Row]]:
    """Lose, invent, repeat and change messages."""
    if draw.has("lost", 0.4) and messages:
        messages = _lost(draw.of("lost"), messages, rows)
    if draw.has("phantoms", 0.2):
        messages = _phantoms(draw.of("phantoms"), ids, document, messages, rows)
    if draw.has("copies", 0.3) and messages:
        messages = _copies(draw.of("copies"), messages)
    if draw.has("strayed", 0.06) and document["ordering"].get("assigned_by") != "application":
        messages = _strayed(draw.of("strayed"), document, messages)
    if draw.has("faults", 0.2):
        messages = _faults(draw.of("faults"), document, messages)
    if draw.has("no id", 0.05):
        chance = draw.of("no id")
        share = chance.choice((0.1, 1.0))
        messages = [_without_id(m) if m.row >= 0 and chance.random() < share else m for m in messages]
    return messages, rows


def _lost(chance: random.Random, messages: list[Message], rows: Sequence[Row]) -> list[Message]:
    deleted = [row.number for row in rows if row.deleted < 0]
    count = len(deleted) if deleted and chance.random() < 0.5 else chance.randint(1, 5)
    kept = [m for m in messages if rows[m.row].deleted == NEVER]  # a row that is gone says nothing of its message
    if not kept:
        return messages
    first = chance.randrange(len(kept))
    chosen = kept[first : first + count] if chance.random() < 0.3 else chance.sample(kept, min(count, len(kept)))
    gone = {m.row for m in chosen}
    return [m for m in messages if m.row not in gone]


def _phantoms(
    chance: random.Random, ids: str, document: dict[str, Any], messages: list[Message], rows: Sequence[Row]
) -> list[Message]:
    """Messages of no row, each of a key of its own, and of rows whose transactions were rolled back."""
    found, made = list(messages), _ids(random.Random(chance.random()), ids)
    undone = [row for row in rows if not row.committed]
    for n in range(chance.randint(1, 4)):
        where = chance.randrange(len(found) + 1)
        at = found[where - 1].at if where else found[0].at if found else -1.0
        event = chance.choice([one for one in document["events"] if one["type"] != GONE])
        number = 1 if document["ordering"]["sequence"] else None
        if undone and chance.random() < 0.3:
            source = undone.pop()
            number = source.sequence
            own = replace(source, key=f"ghost-{n}")
        else:
            own = Row(-1, made(100_000 + n, at), event["aggregate"], event["type"], f"ghost-{n}", number, b"{}", "north", 0, "", at)
        source_number = own.number
        found.insert(where, replace(message_of(document, own, at), row=-2 - source_number if own.number >= 0 else -1))
    return found


def _copies(chance: random.Random, messages: list[Message]) -> list[Message]:
    """A restart: the last few messages again, in their order."""
    found = list(messages)
    for _ in range(chance.randint(1, 2)):
        here = chance.randint(1, len(found))
        length = chance.choice((1, 2, 5, 20))
        again = [replace(m, at=found[here - 1].at) for m in found[max(0, here - length) : here]]
        found[here:here] = again
    return found


def _strayed(chance: random.Random, document: dict[str, Any], messages: list[Message]) -> list[Message]:
    """A message that came once, on the topic of another aggregate too, before or after."""
    topics, times = sorted(_counts(document)), Counter(m.event_id for m in messages)
    once = [n for n, m in enumerate(messages) if m.row >= 0 and times[m.event_id] == 1]
    if len(topics) < 2 or not once:
        return messages
    n = chance.choice(once)
    here = chance.randint(0, len(messages))
    at = messages[here - 1].at if here else messages[0].at
    other = next(topic for topic in topics if topic != messages[n].topic)
    return [*messages[:here], replace(messages[n], topic=other, at=at, fault="strayed"), *messages[here:]]


def _faults(chance: random.Random, document: dict[str, Any], messages: list[Message]) -> list[Message]:
    """Change one thing in each of a few messages that came once."""
    times = Counter(m.event_id for m in messages)
    once = [n for n, m in enumerate(messages) if m.row >= 0 and times[m.event_id] == 1]
    found = list(messages)
    for n in chance.sample(once, min(len(once), chance.randint(1, 3))):
        found[n] = _faulty(chance, document, found[n])
    return found


def _faulty(chance: random.Random, document: dict[str, Any], one: Message) -> Message:
    kinds = ["key", "type", "payload"]
    headers = dict(one.headers)
    kinds += [name for name in ("sequence", "tenant") if name in headers]
    fault = chance.choice(kinds)
    if fault == "key":
        return replace(one, key=f"not-{one.key}", fault=fault)
    if fault == "payload":
        if one.value is None:
            return one
        value = one.value[:-1] + bytes([one.value[-1] ^ 1]) if document["table"]["payload"] == "bytes" else b'{"n": -1}'
        return replace(one, value=value, fault=fault)
    if fault == "type":
        others = {"OrderPlaced": "OrderPaid", "OrderPaid": "OrderPlaced"}
        changed = others.get(headers["eventType"].decode())
        if changed is None:
            return one
        return replace(one, headers=_with(one, "eventType", changed), fault=fault)
    changed = "west" if fault == "tenant" else str(int(headers["sequence"]) + 1_000_000)
    return replace(one, headers=_with(one, fault, changed), fault=fault)


def _with(one: Message, name: str, value: str) -> tuple[tuple[str, bytes], ...]:
    return tuple((n, value.encode() if n == name else v) for n, v in one.headers)


def _without_id(one: Message) -> Message:
    return replace(one, headers=tuple(("eventId" if n == "id" else n, v) for n, v in one.headers), fault="no id")


def _late(draw: Draw, messages: list[Message], rows: Sequence[Row]) -> tuple[list[Message], float | None]:
    """Let the last messages come during the verification, or never. And when the slot is past all of them."""
    chance = draw.of("late")
    stopped = draw.ledger == "table" and draw.has("stopped", 0.06)
    if not stopped and draw.has("late", 0.25) and messages:
        first = chance.randrange(len(messages))
        at, found = chance.uniform(0.02, 2.0), messages[:first]
        for one in messages[first:]:
            at = max(at, one.at) + chance.uniform(0.0, min(LATE_GAP, 8.0 / len(messages)))
            found.append(replace(one, at=at))
        messages = found
    if stopped and messages:
        messages = messages[: chance.randrange(len(messages) + 1)]
        messages = [one for one in messages if one.at < 0]
        return messages, None
    last = max([one.at for one in messages] + [row.ends for row in rows] + [0.0])
    return messages, last + chance.choice((0.0, 0.3, 2.0))


def _placed(
    draw: Draw, document: dict[str, Any], messages: Sequence[Message]
) -> tuple[list[Message], dict[tuple[str, int], int]]:
    """Give messages their partitions and offsets; there may be offsets without a record, as transactions leave them."""
    chance, marks = draw.of("marks"), draw.has("marks", 0.2)
    ends = {(topic, n): 0 for topic, count in _counts(document).items() for n in range(count)}
    counts, found = _counts(document), []
    for one in messages:
        here = one.topic, int(murmur2(one.key.encode(), counts[one.topic]))
        if marks and chance.random() < 0.3:
            ends[here] += 1
        found.append(replace(one, partition=here[1], offset=ends[here]))
        ends[here] += 1
    return found, ends


def _counts(document: dict[str, Any]) -> dict[str, int]:
    count = document["connect"]["topics"]["partitions"]
    return {f"fuzz.{event['aggregate']}": count for event in document["events"]}


def _cut(draw: Draw, messages: Sequence[Message], ends: dict[tuple[str, int], int]) -> dict[tuple[str, int], int]:
    """Partitions of which retention took the beginning, with the first offset that is left."""
    if not draw.has("cut", 0.12):
        return {}
    chance, found = draw.of("cut"), {}
    for here in ends:
        offsets = [m.offset for m in messages if (m.topic, m.partition) == here and m.at < 0]
        if offsets and chance.random() < 0.5:
            found[here] = chance.choice(offsets[1:] or [offsets[-1] + 1])
    return found
