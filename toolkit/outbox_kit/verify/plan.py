"""What of a log is to be read, and whether the log is still what it was when the reading began."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from outbox_kit.errors import UsageProblem
from outbox_kit.finding import Findings, Place
from outbox_kit.kafka.read import Range
from outbox_kit.preview.routes import Routes
from outbox_kit.schema.names import names
from outbox_kit.verify.loss import HOUR_MS
from outbox_kit.verify.result import Request
from outbox_kit.verify.tally import Here
from outbox_kit.verify.window import within

SETTLE_POLL_SECONDS = 0.25


def partitions(request: Request, routes: Routes, findings: Findings) -> list[Here]:
    """The partitions of the outbox's topics; topics that should be there, or should not, become findings.

    routes: where its events go.
    """
    there, declared = request.log.topics(), routes.topics
    derived = names(request.outbox)
    if routes.assumed:
        findings.add("RUN-14", Place("*"), "topics that follow from the connector's config", routes.assumed)
    own = {routes.canary, derived.heartbeat_topic, derived.raw_heartbeat_topic, derived.history_topic}
    wanted = [topic for topic in declared if topic in there]
    absent = sorted(set(declared) - there.keys())
    hidden = request.log.hidden(absent)
    for topic in absent:
        if topic in hidden:
            findings.add("RUN-07", Place(topic), "its partitions", hidden[topic])
        else:
            findings.add("RUN-08", Place(topic))
    if request.log.whole:
        wanted = sorted(there.keys() - (own - set(declared)))
        return [(topic, partition) for topic in wanted for partition in range(there[topic])]
    if fixed := recognisable(routes):
        similar = {t for t in there if t.startswith(fixed[0]) and t.endswith(fixed[1])} - set(wanted) - own
        if declared:
            for topic in sorted(similar):
                findings.add("RTE-05", Place(topic))
        else:
            wanted = sorted(similar)  # the rows choose their topics: all of the pattern are theirs
    if derived.raw_topic in there:
        findings.add("RTE-04", Place(derived.raw_topic), "no such topic", "the outbox's raw change records")
    return [(topic, partition) for topic in sorted(wanted) for partition in range(there[topic])]


def counts(here: Sequence[Here]) -> dict[str, int]:
    """How many partitions each topic has."""
    return dict(Counter(topic for topic, _ in here))


def pinned(request: Request, here: Sequence[Here], deadline: float, findings: Findings) -> list[Range]:
    """Ends as they are now; an open transaction is given a while to end. deadline: by time.monotonic()."""
    until = min(time.monotonic() + request.settle, deadline)
    ranges = request.log.pin(here)
    while any(r.hidden for r in ranges) and time.monotonic() < until:
        time.sleep(SETTLE_POLL_SECONDS)
        ranges = request.log.pin(here)
    named = request.window.start.offsets
    if named and ranges and not request.remembered and not {r.topic for r in ranges} & set(named):
        raise UsageProblem(
            "the file has offsets of other topics only",
            where=", ".join(sorted(named)),
            fix="name the file that --offsets-out wrote for this outbox",
        )
    found = within(request.window, ranges, request.log)
    for r, planned in zip(ranges, found, strict=True):
        where = Place(r.topic, r.partition)
        waits = not request.remembered or planned.start == planned.end  # a follower reads it in its next window
        if r.hidden and planned.end == r.end and waits:
            findings.add("RUN-04", replace(where, offset=r.end), "no open transaction", f"{r.hidden} offsets")
        wanted = 0 if not request.window.chosen else _named(request, r)
        if r.start > wanted:
            findings.add("RUN-02", where, f"offset {wanted}", f"offset {r.start}")
    return found


def _named(request: Request, r: Range) -> int:
    """The offset that was asked for; where none was named, what there is of the log is what was asked for."""
    named = (request.window.start.offsets or {}).get(r.topic, {}).get(str(r.partition))
    return r.start if named is None else named


def still(request: Request, counts: Mapping[str, int], ranges: Mapping[Here, Range], findings: Findings) -> None:
    """Whether the topics still have so many partitions, and every partition what was read of it."""
    there = request.log.topics()
    for topic, count in counts.items():
        if (now := there.get(topic, 0)) != count:
            findings.add("RUN-09", Place(topic), f"{count} partitions", f"{now} of them now")
    for r in request.log.pin([here for here in ranges if here[0] in there]):
        then, where = ranges[r.topic, r.partition], Place(r.topic, r.partition)
        if r.end < then.end:
            findings.add("RUN-03", where, f"offset {then.end}", f"the log ends at {r.end}")
        if r.start > then.start:
            said = f"retention moved on to offset {r.start} meanwhile"
            findings.add("RUN-02", where, f"offset {then.start}", said)


def accounted(request: Request, ranges: Mapping[Here, Range], read: Mapping[Here, int], findings: Findings) -> None:
    """Offsets that were passed without a record; a capture need not have all. read: records, by partition."""
    for here, r in ranges.items() if not request.log.whole else ():
        if holes := r.end - r.start - read.get(here, 0):
            findings.add("RUN-05", Place(*here), "", f"{holes} offsets", count=holes)


def settings(request: Request, topics: Sequence[str], findings: Findings) -> list[str]:
    """What the topics' own settings mean for events; returns the topics whose settings could not be seen."""
    table, every = request.outbox.table, request.log.settings(topics)
    unseen = {topic for topic in topics if every.get(topic) is None}
    for topic, found in sorted(every.items()):
        policy, retention = (found or {}).get("cleanup.policy"), _number((found or {}).get("retention.ms"))
        if policy is None or retention is None:  # a default of ours would be no answer of the broker's
            unseen.add(topic)
            continue
            continue
        if "compact" in policy:
            findings.add("CFG-04", Place(topic), "delete", policy)
            said = request.outbox.cloudevents
            if said and said.mode == "binary" and any(event.tombstone for event in request.outbox.events):
                findings.add("CE-08", Place(topic), "delete", policy)
        if table.retention in ("delete", "partition") and 0 <= retention < table.kept_hours * HOUR_MS:
            days = f"{retention / (24 * HOUR_MS):.1f} days"
            findings.add("CFG-05", Place(topic), f"{table.kept_title}, as the rows", days)
    return sorted(unseen)


def _number(text: str | None) -> int | None:
    """A setting as a number; None where it is none."""
    try:
        return int(text or "")
    except ValueError:
        return None


def recognisable(routes: Routes) -> tuple[str, str] | None:
    """What every topic of the outbox begins and ends with, where that tells its topics from others."""
    first, last = routes.ends or ("", "")
    return (first, last) if first else None


def from_the_first(request: Request) -> bool:
    """Whether the topics were to get every event that there ever was, and are read from their beginning."""
    published = request.outbox.connect.snapshot == "initial" and request.outbox.table.storage == "table"
    begun = request.remembered is not None or not request.window.chosen
    return published and begun and not request.log.whole
