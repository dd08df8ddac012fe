"""What a change of the schema file means to those who read the events: on the wire, and in the contract. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.compat.schemas import Answer, Comparison, Policy, compare
from outbox_kit.errors import UsageProblem
from outbox_kit.finding import Severity
from outbox_kit.preview.send import send_event
from outbox_kit.render import connector
from outbox_kit.router.chain import Message, Outcome, Unknown
from outbox_kit.schema.headers import as_schema, promised, text_schema
from outbox_kit.schema.model import Event, Outbox

Pair = tuple[str, str]


@dataclass(frozen=True)
class Change:
    """One difference that somebody notices.

    check: its id. event: whose messages change, as `type of aggregate`; empty for all. was, now: before and after.
    comparison: of the schemas, where there is one.
    """

    check: str
    severity: Severity
    event: str
    what: str
    was: str = ""
    now: str = ""
    comparison: Comparison | None = None


def changes(old: Sequence[Outbox], new: Sequence[Outbox], policy: Policy) -> list[Change]:
    """Every change between two files that somebody who reads the topics notices."""
    found: list[Change] = []
    for was, now in paired(old, new):
        if now is None:
            found += [_removed(event) for event in was.events]
        else:
            found += _of_outbox(was, now, policy)
    return found


def paired(old: Sequence[Outbox], new: Sequence[Outbox]) -> list[tuple[Outbox, Outbox | None]]:
    """Each old outbox with the new one of its service; a single one on both sides is the same, renamed or not."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    by_service = {outbox.service: outbox for outbox in new}
    return [(outbox, by_service.get(outbox.service)) for outbox in old]


def _of_outbox(was: Outbox, now: Outbox, policy: Policy) -> Iterator[Change]:
    if was.delivery != now.delivery and now.delivery == "at-least-once":
        yield Change("CMP-05", Severity.error, "", "duplicates may come now", was.delivery, now.delivery)
    if was.table.registry != now.table.registry:
        before, after = was.table.registry or "no registry", now.table.registry or "no registry"
        yield Change("CMP-05", Severity.error, "", "payloads are written in another frame", before, after)
    events: Mapping[Pair, Event] = {(event.aggregate, event.type): event for event in now.events}
    for event in was.events:
        later = events.get((event.aggregate, event.type))
        if later is None:
            yield _removed(event)
            continue
        yield from _on_the_wire(was, now, event, later)
        if _payload(event) is ANYTHING and isinstance(later.payload, dict) and not later.tombstone:
            said = "the payload has a schema now, and none was declared before"
            yield Change("CMP-04", Severity.inconclusive, _name(event), said)
        else:
            whole = _payload(event), _payload(later)
            yield from _compared("CMP-01", "CMP-02", _name(event), "the payload", *whole, policy)
        yield from _promised(event, later)
    yield from _compared("CMP-06", "CMP-06", "", "the headers", _headers(was), _headers(now), policy)


def _promised(event: Event, later: Event) -> Iterator[Change]:
    """What is promised of an event's place in its aggregate's life, and across its fields."""
    for check, wider, narrower, told in (
        ("CMP-02", later, event, "readers of today do not expect it there"),
        ("CMP-01", event, later, "readers of tomorrow do not expect it where it is on the topics"),
    ):
        if odd := _beyond(wider, narrower):
            yield Change(check, ERROR, _name(event), f"its place: {told}", now=" or ".join(odd))
    for rule in event.rules:
        if rule not in later.rules:
            said = "a rule that no longer holds, on which readers may count"
            yield Change("CMP-04", Severity.inconclusive, _name(event), said, rule, "gone")


def _beyond(wider: Event, narrower: Event) -> list[str]:
    """Where in an aggregate's life one declaration lets an event be, and the other does not; in words."""
    found = ["first"] if wider.may_begin and not narrower.may_begin else []
    if narrower.after is None:
        return found
    if wider.after is None:
        return [*found, "after any event"]
    return [*found, *(f"after {kind}" for kind in wider.after if kind not in narrower.after)]


def _removed(event: Event) -> Change:
    return Change("CMP-07", Severity.error, _name(event), "the event is no longer declared")


def _name(event: Event) -> str:
    return f"{event.type} of {event.aggregate}"


def _payload(event: Event) -> Any:
    if event.tombstone:
        return {"anyOf": [{"type": "null"}, event.payload]} if isinstance(event.payload, dict) else {"type": "null"}
    return event.payload if isinstance(event.payload, dict) else ANYTHING


ANYTHING = {"type": ["object", "array", "string", "number", "boolean"]}  # an event without a tombstone is never null


# -- the contract -----------------------------------------------------------------------------------------------------


def _compared(
    backward: str, forward: str, event: str, what: str, was: Any, now: Any, policy: Policy
) -> Iterator[Change]:
    """Both directions: old messages before new readers, new messages before the readers that are there."""
    if was == now:
        return
    for check, direction, written, read in (
        (forward, "readers of today refuse new messages", now, was),
        (backward, "readers of tomorrow refuse the messages that are there", was, now),
    ):
        found = compare(written, read, policy)
        if found.answer is Answer.no:
            weight = Severity.warning if check == "CMP-06" and direction.startswith("readers of tomorrow") else ERROR
            yield Change(check, weight, event, f"{what}: {direction}", comparison=found)
        elif found.answer is Answer.undecided:
            said = f"{what}: it cannot be said whether {direction}"
            yield Change("CMP-04", Severity.inconclusive, event, said, comparison=found)


ERROR = Severity.error
SHAPING = ("transforms", "predicates", "key.converter", "value.converter", "header.converter")


def _headers(outbox: Outbox) -> Any:
    """What is declared of headers, as the schema of an object of them."""
    return as_schema(promised(outbox), text_schema)


# -- the wire ---------------------------------------------------------------------------------------------------------


def _on_the_wire(was: Outbox, now: Outbox, event: Event, later: Event) -> Iterator[Change]:
    """One row, sent through both configs: what differs is what a reader gets otherwise."""
    name = _name(event)
    try:
        null = event.tombstone or later.tombstone
        before, after = (
            send_event(outbox, one, {} if null else {outbox.table.columns.payload: "{}"})
            for outbox, one in ((was, event), (now, later))
        )
    except UsageProblem as problem:
        yield Change("CMP-04", Severity.inconclusive, name, "no sample row could be made", now=problem.why)
        return
    if not (isinstance(before, Message) and isinstance(after, Message)):
        unknown = isinstance(before, Unknown) and _shaping(was) != _shaping(now)
        if type(before) is not type(after) or before != after or unknown:
            said = "what arrives cannot be said"
            yield Change("CMP-04", Severity.inconclusive, name, said, _kind(before), _kind(after))
        return
    yield from _messages(name, before, after, was.connect.topics.partitions, now.connect.topics.partitions)


def _shaping(outbox: Outbox) -> dict[str, str]:
    """The options that decide what a message is."""
    return {name: value for name, value in connector.config(outbox).items() if name.startswith(SHAPING)}


def _kind(outcome: Outcome) -> str:
    return type(outcome).__name__.lower()


def _messages(name: str, before: Message, after: Message, were: int, are: int) -> Iterator[Change]:
    if before.topic != after.topic:
        yield Change("CMP-05", ERROR, name, "another topic", before.topic, after.topic)
    if before.key != after.key:
        yield Change("CMP-05", ERROR, name, "another key for the same row", _shown(before.key), _shown(after.key))
    if were != are:
        said = "another number of partitions: an aggregate's events change theirs"
        yield Change("CMP-05", ERROR, name, said, str(were), str(are))
    elif (before.partition is None) != (after.partition is None):
        yield Change("CMP-05", ERROR, name, "the partition is chosen otherwise", _chosen(before), _chosen(after))
    if before.value != after.value and before.value is not None and after.value is not None:
        yield Change(
            "CMP-05", ERROR, name, "the same payload in other bytes", _shown(before.value), _shown(after.value)
        )
    headers, later = dict(before.headers), dict(after.headers)
    for header, value in headers.items():
        if header not in later:
            yield Change("CMP-06", ERROR, name, f"the header '{header}' is gone", _shown(value), "none")
        elif later[header] != value:
            said = f"the header '{header}' holds something else"
            yield Change("CMP-06", ERROR, name, said, _shown(value), _shown(later[header]))


def _chosen(message: Message) -> str:
    return "by the key" if message.partition is None else "by a column"


def _shown(content: bytes | None) -> str:
    return "null" if content is None else content.decode(errors="replace")
