"""What becomes of rows and their messages: cleaned up, lost, invented, repeated, changed, late, or gone again."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from confluent_kafka import murmur2

from tests.support.fuzz.values import DAY, GONE, NEVER, Draw, Message, Row
from tests.support.fuzz.writers import ids_of

LATE_GAP = 2.0  # seconds between late messages; a file as ledger waits for five without one


def deleted(draw: Draw, table: dict[str, Any], rows: list[Row]) -> list[Row]:
    """Take rows away: those that are old enough, those that their owner does not want any more, or some by hand."""
    chance, found = draw.of("cleanup"), list(rows)
    there = [row for row in rows if row.committed and row.ends < 0]
    if (draw.busy or draw.has("cleanup", 0.5)) and draw.ledger == "table" and table["retention"] != "forever":
        sooner = chance.random() < 0.4 or draw.busy  # than is declared
        share = chance.uniform(0.02, 0.5) if sooner else 1.0
        lag = chance.choice((0.0, 0.0, 0.2, 0.6)[2 * draw.busy :]) * share * DAY  # since the last cleanup
        meanwhile = chance.uniform(0.02, 1.5) if chance.random() < 0.6 or draw.busy else NEVER
        for row in there:
            if table["retention"] == "delete":
                keep = table["keep_days"] * share * DAY
                gone = -1.0 if -row.written > keep + lag else meanwhile if -row.written > keep else NEVER
            else:
                gone = chance.choice((-1.0, meanwhile, NEVER))
            found[row.number] = replace(row, deleted=gone)
    if draw.has("by hand", 0.1) and draw.ledger == "table" and table["retention"] != "external":
        chance = draw.of("by hand")
        young = [row for row in there if found[row.number].deleted == NEVER]
        for row in chance.sample(young, min(len(young), chance.randint(1, 3))):
            found[row.number] = replace(found[row.number], deleted=-1.0, by_hand=True)
    return found


def sent(draw: Draw, document: dict[str, Any], rows: Sequence[Row], span: float) -> tuple[list[Message], float]:
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
    return Message(topic_of(document, row.aggregate), key_of(document, row), row.payload, named, at, row.number)


def topic_of(document: dict[str, Any], aggregate: str) -> str:
    """The topic of an aggregate's events."""
    return "fuzz" if document["routing"]["topic"] == "{service}" else f"fuzz.{aggregate}"


def key_of(document: dict[str, Any], row: Row) -> str:
    """The key of a row's message."""
    return {"aggregate_id": row.key, "id": row.event_id, "tenant": row.tenant}[document["routing"]["key"]]


def harmed(
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
        messages = _strayed(draw.of("strayed"), document, messages, rows)
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
    found, made = list(messages), ids_of(random.Random(chance.random()), ids)
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
            own = Row(
                -1,
                made(100_000 + n, at),
                event["aggregate"],
                event["type"],
                f"ghost-{n}",
                number,
                b"{}",
                "north",
                0,
                "",
                at,
            )
        found.insert(where, replace(message_of(document, own, at), row=-1))
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


def _strayed(
    chance: random.Random, document: dict[str, Any], messages: list[Message], rows: list[Row]
) -> list[Message]:
    """A message that came once, on the topic of another aggregate too, before or after; but after its row's commit."""
    topics, times = sorted(counts(document)), Counter(m.event_id for m in messages)
    once = [n for n, m in enumerate(messages) if m.row >= 0 and times[m.event_id] == 1]
    if len(topics) < 2 or not once:
        return messages
    n = chance.choice(once)
    here = chance.randint(0, len(messages))
    ends = next(row.ends for row in rows if row.number == messages[n].row)
    here = next((late for late in range(here, n) if late and messages[late - 1].at > ends), max(here, n + 1))
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


def late(draw: Draw, messages: list[Message], rows: Sequence[Row]) -> tuple[list[Message], float | None]:
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


def placed(
    draw: Draw, document: dict[str, Any], messages: Sequence[Message]
) -> tuple[list[Message], dict[tuple[str, int], int]]:
    """Give messages their partitions and offsets; there may be offsets without a record, as transactions leave them."""
    chance, marks = draw.of("marks"), draw.has("marks", 0.2)
    ends = {(topic, n): 0 for topic, count in counts(document).items() for n in range(count)}
    found = []
    for one in messages:
        here = one.topic, int(murmur2(one.key.encode(), document["connect"]["topics"]["partitions"]))
        if marks and chance.random() < 0.3:
            ends[here] += 1
        found.append(replace(one, partition=here[1], offset=ends[here]))
        ends[here] += 1
    return found, ends


def counts(document: dict[str, Any]) -> dict[str, int]:
    count = document["connect"]["topics"]["partitions"]
    return {topic_of(document, event["aggregate"]): count for event in document["events"]}


def cut(draw: Draw, messages: Sequence[Message], ends: dict[tuple[str, int], int]) -> dict[tuple[str, int], int]:
    """Partitions of which retention took the beginning, with the first offset that is left."""
    if not draw.has("cut", 0.12):
        return {}
    chance, found = draw.of("cut"), {}
    for here in ends:
        offsets = [m.offset for m in messages if (m.topic, m.partition) == here and m.at < 0]
        if offsets and chance.random() < 0.5:
            found[here] = chance.choice(offsets[1:] or [offsets[-1] + 1])
    return found
