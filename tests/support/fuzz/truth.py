"""What a verification must say of a case, what it may say, and what it said: facts, compared as sets.

Nothing of the product is used for what must be said. A fact is a kind and what it is about: an event's id, or a
message's topic, partition and offset.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.fuzz.harm import topic_of
from tests.support.fuzz.values import DAY, NEVER, Case, Message

Fact = tuple[Any, ...]
Whose = tuple[str, int, str | None, str]  # an aggregate: its topic, partition, type and key
MARGIN = 120.0  # seconds between a row and its message, in a pipeline that keeps up; and between clocks
ERRORS = {  # which kind of fact a check of severity error tells of
    "LOS-01": "lost",
    "LOS-02": "gap",
    "LOS-03": "phantom",
    "LOS-04": "rolled back",
    "LOS-06": "torn",
    "ORD-01": "order",
    "DUP-03": "twice",
    "DUP-04": "twice",
    "DUP-05": "twice",
    "RTE-01": "route",
}
CONTENT = ("KEY-", "HDR-", "PAY-")  # what differs from the row may be said of the key, a header or the payload
EXPECTED_WARNINGS = {"DUP-01", "DUP-02", "RUN-08", "PAY-09", "PAY-13", "LAT-03"}  # of odd payloads, and of strays


@dataclass
class Expected:
    """must: facts that have to be told. may: facts that are true, or cannot be decided; anything else is a false alarm.

    verdicts: those that are right. copies, again: how many events came again anywhere, and in their own partition, at
    least and at most.
    """

    verdicts: set[str]
    must: set[Fact] = field(default_factory=set)
    may: set[Fact] = field(default_factory=set)
    copies: tuple[int, int] = (0, 0)
    again: tuple[int, int] = (0, 0)


def expected(case: Case) -> Expected:
    """What is to be said of a case."""
    here = [m for m in case.messages if m.offset >= case.starts.get((m.topic, m.partition), 0)]
    seen = [m for m in here if m.at <= 0]  # the others come while the verification runs
    found = Expected({"pass"})
    found.copies, found.again = ((_copies(seen, whole=whole), _copies(here, whole=whole)) for whole in (True, False))
    for fact, sure in (*_lost(case), *_strays(case, here), *_contents(case, here), *_order(case, here)):
        (found.must if sure and not case.broken else found.may).add(fact)
    for m in here:  # a record that lost its id, and has all else that an event has
        if m.event_id is None:
            (found.must if m.at <= 0 and not case.broken else found.may).add(("no id", *m.place))
    waited = list(_lost(case, waited=True))
    absent = any(sure for _, sure in waited)
    nothing = not any(m.event_id for m in seen)
    if found.must:
        found.verdicts = {"fail"}
        return found
    if case.starts or case.broken or nothing or (case.passes is None and absent):
        found.verdicts = {"inconclusive"}
    if _empty(case):
        found.verdicts |= {"inconclusive"}  # it may be the wrong table, or file
    if found.may:
        found.verdicts.add("fail")  # where it is told, which is compared fact by fact
    if case.passes is None and waited:
        found.verdicts.add("inconclusive")  # rows that were committed meanwhile may be seen, and are not sent yet
    if case.broken or _undecided(case, here) or (nothing and any(m.event_id for m in here)):
        found.verdicts |= {"pass", "inconclusive"}
    if not any(m.event_id for m in here):
        found.verdicts -= {"pass"}  # nothing was verified
    return found


def _copies(messages: Iterable[Message], *, whole: bool) -> int:
    """How many events came again. whole: wherever it was, and not only in one partition."""
    there = (m for m in messages if m.event_id is not None)
    times = Counter(m.event_id if whole else (m.topic, m.partition, m.event_id) for m in there)
    return sum(count - 1 for count in times.values())


def _empty(case: Case) -> bool:
    """Whether the ledger had no rows when it was asked."""
    rows = [row for row in case.rows if row.committed]
    if case.ledger == "table":
        return not [row for row in rows if row.ends < 0 < row.deleted]
    return case.ledger == "file" and not rows


def _lost(case: Case, *, waited: bool = False) -> Iterator[tuple[Fact, bool]]:
    """Rows that are on no topic. waited: as if the connector had passed them all."""
    if case.ledger == "none":
        return
    arrived = {m.event_id for m in case.messages}
    # by its row's key such a message belongs in another partition, of which all may be there
    rekeyed = {m.event_id for m in case.messages if m.fault == "key" and m.offset < case.starts.get(m.place[:2], 0)}
    first = min((m.at for m in case.messages), default=0.0)
    stopped = case.passes is None and not waited
    torn: dict[str, bool] = {}
    for row in case.rows:
        if row.committed and row.event_id in rekeyed:
            yield ("lost", same(case, row.event_id)), False
            torn.setdefault(row.part, False)
        if not row.committed or row.event_id in arrived or row.deleted < 0:
            continue
        if row.ends < case.begins or (stopped and row.ends > _last_sent(case)):
            continue  # never meant to be sent; or not sent yet
        told = row.ends < 0 and row.deleted == NEVER and not stopped
        silent = case.ledger == "file" and "aggregate" not in case.told  # of the topic
        topics = {place[0] for place in case.starts} if silent else {topic_of(case.document, row.aggregate)}
        since = max((_left_since(case, topic) for topic in topics), default=-NEVER)
        since = max(since, -NEVER if case.begins == -NEVER else first + MARGIN)
        timeless = case.ledger == "file" and "at" not in case.told
        told = told and (since == -NEVER if timeless else row.written > since)
        yield ("lost", same(case, row.event_id)), told
        torn[row.part] = torn.get(row.part, False) or told
    for part, told in torn.items():
        whole = [row for row in case.rows if row.part == part and row.committed and row.deleted > 0]
        came = [row for row in whole if row.event_id in arrived]
        if came:
            sure = told and case.ledger == "file" and "transaction" in case.told and not case.starts
            yield ("torn", part if case.ledger == "file" else "*"), sure


def _last_sent(case: Case) -> float:
    """When the last row was committed whose message came."""
    return max((case.rows[m.row].ends for m in case.messages if m.row >= 0), default=-NEVER)


def _left_since(case: Case, topic: str) -> float:
    """From when on what was sent to a topic is still there."""
    since = -NEVER
    for here, start in case.starts.items():
        if here[0] == topic:
            left = [m.at for m in case.messages if (m.topic, m.partition) == here and m.offset >= start and m.at <= 0]
            since = max(since, min(left) + MARGIN if left else NEVER)
    return since


def _strays(case: Case, here: Sequence[Message]) -> Iterator[tuple[Fact, bool]]:
    """Messages that have no row."""
    if case.ledger == "none":
        return
    rows = {row.event_id: row for row in case.rows if row.committed and row.ends < NEVER}
    undone = {row.event_id for row in case.rows if not row.committed}
    first = {m.event_id: m.place for m in sorted(here, key=lambda m: m.place, reverse=True)}
    blurred = _blurred(case, here)
    for m in here:
        if m.event_id is None or (m.event_id in rows and not rows[m.event_id].by_hand):
            continue
        # a copy is told as one
        sure = m.at <= 0 and case.passes is not None and m.place == first[m.event_id]
        if case.ledger == "file":
            if m.event_id in rows:
                continue  # what is deleted in the table stays in the file
            if m.event_id in undone:
                yield ("rolled back", *m.place), sure
            else:
                oldest = min((row.written for row in case.rows if row.committed), default=0.0)
                yield ("phantom", *m.place), sure and "at" in case.told and m.at > oldest + 1
        elif case.table["retention"] != "external":
            yield (
                ("phantom", *m.place),
                sure and _covered(case, m) and (case.table["retention"] == "forever" or not blurred),
            )


def _blurred(case: Case, here: Sequence[Message]) -> bool:
    """Whether messages without rows look like the end of what a cleanup took: nothing that stays came before them."""
    stay = {row.event_id: row for row in case.rows if row.committed and row.ends < 0 and row.deleted == NEVER}
    if case.document["ordering"].get("assigned_by") == "database":
        lowest = min((row.sequence for row in stay.values() if row.sequence is not None), default=None)
        gone = [m.sequence for m in here if m.event_id not in stay]
        return lowest is None or any(number is None or number < lowest for number in gone)
    begun = set()
    for m in here:
        if m.event_id in stay:
            begun.add(m.place[:2])
        elif m.place[:2] not in begun:
            return True
    return False


def _covered(case: Case, m: Message) -> bool:
    """Whether it is beyond doubt that the table would have the row of a message."""
    stay = [row for row in case.rows if row.committed and row.ends < 0 and row.deleted == NEVER]
    if case.table["retention"] == "forever":
        return True
    sent = {message.event_id: message.at for message in case.messages}
    late = [sent[row.event_id] - row.written for row in stay if row.event_id in sent]
    older = [row for row in stay if row.written < m.at - MARGIN]
    kept = float(case.table["keep_days"]) * DAY
    if case.document["ordering"].get("assigned_by") != "database" and any(case.starts.values()):
        return False  # what the log no longer has would tell whether rows were cleaned up
    young = -m.at < 0.4 * kept and any(-row.written < kept and _before(case, row.event_id, m) for row in stay)
    return young and len(older) > 0 and len(late) >= 5 and max(late) < 60


def _before(case: Case, event_id: str, m: Message) -> bool:
    """Whether an event came before a message: in its partition, or by its number where the database numbers rows."""
    if case.document["ordering"].get("assigned_by") == "database":
        row = next(row for row in case.rows if row.event_id == event_id)
        return None not in (row.sequence, m.sequence) and (row.sequence or 0) < (m.sequence or 0)
    return any(
        one.event_id == event_id and one.place < m.place and one.place[:2] == m.place[:2] for one in case.messages
    )


def _undecided(case: Case, here: Sequence[Message]) -> bool:
    """Whether messages without rows came so late that nobody can say whether their rows were cleaned up."""
    gone = {row.event_id: row for row in case.rows if row.deleted < NEVER}
    return any(m.event_id in gone and m.at - gone[m.event_id].written > 60 for m in here if case.ledger == "table")


def _contents(case: Case, here: Sequence[Message]) -> Iterator[tuple[Fact, bool]]:
    """Messages that are not as their rows."""
    known = set(case.told) if case.ledger == "file" else {"key", "type", "sequence", "payload", "tenant"}
    # rows that are committed while the verification runs may be too late for it
    there = {row.event_id for row in case.rows if row.committed and row.deleted > 0 and row.ends <= 0}
    asked = case.ledger != "none" and "key" in known and any(m.event_id in there and m.at <= 0 for m in here)
    for m in here:
        if not asked and m.key[:1] in ("{", '"'):
            yield ("content", *m.place), False  # without a row such a key looks as if a converter had encoded it
        if m.fault == "strayed":
            for kind in ("twice", "route"):
                original = any(one.event_id == m.event_id and one is not m and one.at <= 0 for one in here)
                yield (kind, *m.place), m.at <= 0 and (original or kind == "route")
        if m.fault in ("", "no id", "strayed"):
            continue
        row = case.rows[m.row]
        sure = case.ledger != "none" and m.fault in known and row.deleted == NEVER and m.at <= 0
        yield ("content", *m.place), sure and case.passes is not None


def _order(case: Case, here: Sequence[Message]) -> Iterator[tuple[Fact, bool]]:
    """First appearances that come after a later one of their aggregate; and missing numbers, where none may be."""
    if case.document["routing"]["key"] != "aggregate_id":
        return  # no message says of which aggregate it is
    dense = case.document["ordering"].get("assigned_by") == "application"
    numbers: defaultdict[Whose, list[tuple[int, Message]]] = defaultdict(list)
    highest: dict[Whose, int] = {}
    came = set()
    for m in here:
        if m.event_id is None or m.sequence is None or (m.topic, m.partition, m.event_id) in came:
            continue
        came.add((m.topic, m.partition, m.event_id))
        whose = m.topic, m.partition, m.aggregate, m.key
        cut = case.starts.get((m.topic, m.partition), 0) > 0
        if m.sequence < highest.get(whose, 0):
            yield ("order", *m.place), m.at <= 0 and not (cut and m.sequence < numbers[whose][0][0])
        highest[whose] = max(m.sequence, highest.get(whose, 0))
        numbers[whose].append((m.sequence, m))
    for (topic, partition, *_), own in numbers.items() if dense else ():
        there = {number for number, _ in own}
        settled = [number for number, m in own if m.at <= 0]
        missing = set(range(1, max(there))) - there
        if missing:
            inner = settled and any(settled[0] < number < max(settled) for number in missing)
            begun = settled and case.ledger == "none" and settled[0] > 1  # nothing else says that the first are missing
            cut = (topic, partition) in case.starts or case.begins > -NEVER
            yield ("gap", topic), bool(inner or (begun and not cut))


def same(case: Case, event_id: str) -> str:
    """An id in the one way in which it is compared: UUIDs have no case."""
    return event_id if case.ids in ("bigint", "ulid") else event_id.lower()


def told(case: Case, findings: Iterable[Any]) -> Iterator[Fact]:
    """The facts that a report's errors tell of."""
    ids = {same(case, row.event_id) for row in case.rows}
    nameless = {m.place for m in case.messages if m.event_id is None}
    for finding in findings:
        for sample in finding.samples:
            place = sample.location.topic, sample.location.partition, sample.location.offset
            if finding.id == "HDR-01" and place in nameless:
                yield "no id", *place
            elif finding.severity.value == "warning" and finding.id not in EXPECTED_WARNINGS:
                yield "other", finding.id, *place
            elif finding.severity.value == "error":
                yield _fact(case, finding.id, place, sample.expected, ids)


def _fact(case: Case, check: str, place: Fact, text: str, ids: set[str]) -> Fact:
    kind = ERRORS.get(check, "content" if check.startswith(CONTENT) else "other")
    match kind:
        case "lost":
            named = dict.fromkeys(
                one for word in text.split() if (one := same(case, word)) in ids
            )  # a key may be an id
            return ("lost", *named) if named else ("lost", text)
        case "torn":
            return "torn", text.split(" of transaction ")[1].split(",")[0] if case.ledger == "file" else "*"
        case "gap":
            return "gap", place[0]
        case "other":
            return "other", check, *place
    return kind, *place


def differences(case: Case, report: Any) -> list[str]:
    """What a report says otherwise than it must; empty where all is right."""
    wanted, said = expected(case), set(told(case, report.findings))
    found = [f"not told: {fact}" for fact in sorted(wanted.must - said, key=str)]
    found += [f"false: {fact}" for fact in sorted(said - wanted.must - wanted.may, key=str)]
    if report.verdict.value not in wanted.verdicts:
        found.append(f"verdict {report.verdict.value}: expected {' or '.join(sorted(wanted.verdicts))}")
    again = sum(one.count for one in report.findings if one.id in ("DUP-01", "DUP-02"))
    for what, count, (least, most) in (("copies", report.copies, wanted.copies), ("again", again, wanted.again)):
        if not case.broken and not least <= count <= most:
            found.append(f"{what} {count}: expected {least} to {most}")
    return found
