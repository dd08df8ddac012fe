"""What a sample of the messages says: what of the contract it covers, unsafe numbers, clocks that go back. Pure."""

from collections import defaultdict
from collections.abc import Iterable

from outbox_kit.finding import Findings, Place
from outbox_kit.verify import fields
from outbox_kit.verify.contract import Contract, EventContract
from outbox_kit.verify.loss import CLOCKS_MS, Arrival

SHOWN = 8  # members of a payload, in one line


def backwards(sample: Iterable[Arrival], findings: Findings) -> None:
    """Name messages that are stamped well before one that came before them in their partition."""
    latest: dict[tuple[str, int], int] = {}
    for one in sorted(sample, key=lambda one: (one.place.topic, one.place.partition, one.place.offset)):
        here = one.place.topic, one.place.partition
        if (back := latest.get(here, 0) - one.milliseconds) > CLOCKS_MS:
            findings.add("ORD-04", one.place, "no earlier than those before it", f"{back} ms earlier")
        latest[here] = max(latest.get(here, 0), one.milliseconds)


def judge(contract: Contract, sample: Iterable[Arrival], findings: Findings) -> None:
    """Name members that nobody declares, declared ones that never came, and numbers that are too large."""
    members: defaultdict[EventContract, set[str]] = defaultdict(set)
    kinds = {(event.topic, kind): event for (_, kind), event in contract.events.items()}
    for one in sample:
        event = kinds.get((one.place.topic, one.type)) or kinds.get((None, one.type))
        if event and one.fields:
            members[event].update(one.fields)
        for pointer in one.inexact:
            findings.add("PAY-09", one.place, "a number within 2^53", f"a larger one at {pointer}")
    for event, found in members.items():
        if isinstance(schema := event.event.payload, dict) and (declared := fields.declared(schema)):
            where, kind = Place(event.topic or "*"), event.event.type
            if odd := fields.undeclared(found, declared):
                findings.add("PAY-10", where, kind, ", ".join(odd[:SHOWN]), count=len(odd))
            if never := sorted(declared - found):
                findings.add("PAY-11", where, kind, ", ".join(never[:SHOWN]), count=len(never))
