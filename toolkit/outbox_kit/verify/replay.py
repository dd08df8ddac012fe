"""Suspects told apart: what came twice, what came too late, what never should have been. Pure.

An event sent again after a restart is a duplicate and not disorder: order is judged by first appearances.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from outbox_kit.finding import Findings, Place
from outbox_kit.verify.examine import Suspect


@dataclass(frozen=True)
class Appearance:
    """One place of one event. likeness: a hash of key, type and value, to tell a copy from another event."""

    place: Place
    key: bytes
    sequence: int
    event_id: bytes
    likeness: int


@dataclass(frozen=True)
class Replay:
    """What became of the suspects. late: (topic, partition, key, sequence) that arrived after a later one."""

    copies: tuple[Place, ...]
    late: frozenset[tuple[str, int, bytes, int]]


def classify(
    suspects: Sequence[Suspect],
    appearances: Iterable[Appearance],
    findings: Findings,
    cut: Container[tuple[str, int]] = (),
    *,
    numbered: bool = True,
) -> Replay:
    """Judge every suspect by all appearances of its id, and of its key and sequence number.

    appearances: in the order of each partition, with each suspect's key's first. cut: the partitions whose log has lost
    its beginning: what has a lower number than all that is left of its key may have come first in what is gone.
    numbered: whether there are sequence numbers; without them only an id that came twice means something.
    """
    by_id: dict[bytes, list[Appearance]] = {}
    by_number: dict[tuple[str, int, bytes, int], list[Appearance]] = {}
    begins: dict[tuple[str, int, bytes], int] = {}
    for one in appearances:
        by_id.setdefault(one.event_id, []).append(one)
        by_number.setdefault((one.place.topic, one.place.partition, one.key, one.sequence), []).append(one)
        begins.setdefault((one.place.topic, one.place.partition, one.key), one.sequence)
    copies: list[tuple[Place, Place]] = []
    late: set[tuple[str, int, bytes, int]] = set()
    for suspect in sorted(suspects, key=lambda s: (s.place.topic, s.place.partition, s.place.offset)):
        here = suspect.place
        same_id = _before(by_id.get(suspect.event_id, []), here)
        number = (here.topic, here.partition, suspect.key, suspect.sequence)
        if same_id:
            original = same_id[0]
            this = next(a for a in by_id[suspect.event_id] if a.place == here)
            if this.likeness != original.likeness:
                findings.add("DUP-03", here, f"as at {original.place}", "another key, type or payload")
            copies.append((here, original.place))
        elif not numbered:
            continue
        elif others := _before(by_number.get(number, []), here):
            findings.add("DUP-04", here, f"only {others[0].place} with number {suspect.sequence}", "another event")
        elif number[:2] in cut and suspect.sequence < begins[number[:3]]:
            findings.add(
                "RUN-02", here, "its first appearance", f"number {suspect.sequence}, from before the log begins"
            )
        else:
            late.add(number)
            findings.add(
                "ORD-01", here, "in the order of its aggregate", f"number {suspect.sequence} after a later one"
            )
    _windows(copies, findings)
    return Replay(tuple(here for here, _ in copies), frozenset(late))


def _before(appearances: Sequence[Appearance], here: Place) -> list[Appearance]:
    same = [a for a in appearances if (a.place.topic, a.place.partition) == (here.topic, here.partition)]
    return sorted((a for a in same if a.place.offset < here.offset), key=lambda a: a.place.offset)


def _windows(copies: Sequence[tuple[Place, Place]], findings: Findings) -> None:
    """Stretches of copies whose originals rise too: one restart makes one of them in each partition."""
    window: list[tuple[Place, Place]] = []
    for pair in [*copies, None]:
        if window and (pair is None or not _goes_on(window, pair)):
            _report(window, findings)
            window = []
        if pair is not None:
            window.append(pair)


def _goes_on(window: Sequence[tuple[Place, Place]], pair: tuple[Place, Place]) -> bool:
    """Whether a copy belongs to a window: it goes on in the original's order, with what was there when it began."""
    (began, _), (last, original) = window[0], window[-1]
    same = (last.topic, last.partition) == (pair[0].topic, pair[0].partition)
    return same and original.offset < pair[1].offset < began.offset


def _report(window: Sequence[tuple[Place, Place]], findings: Findings) -> None:
    (first, original), (last, _) = window[0], window[-1]
    if len(window) == 1:
        findings.add("DUP-01", first, "once", f"again, after {original}")
        return
    guess = "a second first read of the table" if original.offset == 0 else "a restart"
    findings.add(
        "DUP-02",
        first,
        "once",
        f"{len(window)} events up to {last} again, from {original} on; it looks like {guess}",
        count=len(window),
    )
