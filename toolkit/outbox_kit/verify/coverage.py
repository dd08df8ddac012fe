"""What of the contract a sample of the messages covers, and which of its numbers are not safe. Pure."""

from collections import defaultdict
from collections.abc import Iterable

from outbox_kit.finding import Findings, Place
from outbox_kit.verify import fields
from outbox_kit.verify.contract import Contract, EventContract
from outbox_kit.verify.loss import Arrival

SHOWN = 8  # members of a payload, in one line


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
