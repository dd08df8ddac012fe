"""A comparison in words: what each check means, and the changes for a terminal and for programs."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from outbox_kit.compat.diff import Change
from outbox_kit.finding import Severity
from outbox_kit.printable import as_json

CHECKS = {
    "CMP-01": ("new readers refuse old messages", "keep reading what is on the topics, or let it expire first"),
    "CMP-02": ("readers that are there refuse new messages", "send a new event type, and retire the old one later"),
    "CMP-04": ("it cannot be said", "compare the two by hand; nothing is proven either way"),
    "CMP-05": ("the message arrives otherwise", "a new topic for the new shape; never change a live one's keys"),
    "CMP-06": ("a header changes", "add headers beside the old ones; take them away when nobody reads them"),
    "CMP-07": ("an event is gone", "its readers wait for ever; tell them, or keep it declared"),
}
SHOWN = 300


def text(changes: Sequence[Change]) -> str:
    """The changes for a terminal, the worst first."""
    lines = []
    for change in ordered(changes):
        title, hint = CHECKS[change.check]
        whose = f" ({change.event})" if change.event else ""
        lines.append(f"{change.severity} {change.check} {title}{whose}")
        lines.append(f"    {change.what}")
        if change.was or change.now:
            lines.append(f"    was {change.was or 'nothing'}; now {change.now or 'nothing'}")
        lines += [f"    {line}" for line in _comparison(change)]
        lines.append(f"    {hint}")
    return "\n".join([*lines, headline(changes)]) + "\n"


def _comparison(change: Change) -> list[str]:
    found = change.comparison
    if found is None:
        return []
    if found.why:
        return [found.why]
    if not found.pointer:
        return ["no example was found, but it is certain"]
    return [f"at {found.pointer}, by {found.rule}", f"for example {_short(json.dumps(found.witness))}"]


def _short(line: str) -> str:
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}..."


def headline(changes: Sequence[Change]) -> str:
    """The answer in one line."""
    severities = {change.severity for change in changes}
    if Severity.error in severities:
        return "BREAKING: somebody who reads these topics will notice"
    if Severity.inconclusive in severities:
        return "UNDECIDED: nothing is known to break, and not everything could be compared"
    return "COMPATIBLE: nobody who reads these topics has to change"


def ordered(changes: Sequence[Change]) -> list[Change]:
    """By severity, check and event; what happens to several events in the same way is said once."""
    order, same = list(Severity), defaultdict[Change, list[str]](list)
    for change in changes:
        if change.comparison is None:
            same[replace(change, event="")].append(change.event)
    told = [change for change in changes if change.comparison is not None]
    told += [replace(change, event=", ".join(filter(None, events))) for change, events in same.items()]
    return sorted(told, key=lambda change: (order.index(change.severity), change.check, change.event, change.what))


def document(changes: Sequence[Change]) -> str:
    """The changes for programs."""
    return as_json({"version": 1, "changes": [*map(_plain, ordered(changes))]})


def _plain(change: Change) -> dict[str, Any]:
    found = change.comparison
    return {
        "id": change.check,
        "severity": str(change.severity),
        "event": change.event or None,
        "what": change.what,
        "was": change.was or None,
        "now": change.now or None,
        "pointer": (found.pointer or None) if found else None,
        "rule": (found.rule or None) if found else None,
        "witness": found.witness if found and found.pointer else None,
        "undecided": (found.why or None) if found else None,
        "hint": CHECKS[change.check][1],
    }
