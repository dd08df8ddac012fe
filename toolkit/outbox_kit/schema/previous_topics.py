"""The conditions on `routing.previous_topics`. No file is touched here."""

import re
from collections.abc import Iterator, Sequence

from outbox_kit.schema import routing
from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.nearest import suggestion
from outbox_kit.schema.problem import SchemaProblem, Steps, quoted
from outbox_kit.schema.words import LONGEST_TOPIC, PLACEHOLDER, TOPIC_CHARACTERS

CHARACTERS = "A-Z a-z 0-9 . _ -"
KEY = "routing.previous_topics"


def complaints(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The mistakes in the list of previous topics; none if it is empty."""
    allowed, seen = _placeholders(outbox), dict[str, Steps]()
    for n, topic in enumerate(outbox.routing.previous_topics):
        place: Steps = ("routing", "previous_topics", n)
        if topic in seen:
            yield SchemaProblem(f"the topic {quoted(topic)} is listed twice in {KEY}", place, seen[topic])
            continue
        seen[topic] = place
        if problem := _unknown(topic, allowed) or _invalid(outbox, n) or _present(outbox, n):
            yield SchemaProblem(problem, place)


def _placeholders(outbox: OutboxFields) -> list[str]:
    """The placeholders that the declared events fill; a column of the rows does not."""
    groups = re.compile(outbox.routing.pattern or "").groups
    aggregate = [] if outbox.table.columns.aggregate_type is None else ["aggregate"]
    return ["service", *aggregate, "type", *map(str, range(1, groups + 1))]


def _unknown(topic: str, allowed: Sequence[str]) -> str:
    """A message about the first unknown placeholder; empty if there is none."""
    listing = ", ".join(f"{{{name}}}" for name in allowed)
    return next(
        (
            f"unknown placeholder '{{{name}}}' in {KEY}: expected {listing}, or a complete topic name"
            f"{suggestion(name, allowed, '{%s}')}"
            for name in PLACEHOLDER.findall(topic)
            if name not in allowed
        ),
        "",
    )


def _invalid(outbox: OutboxFields, n: int) -> str:
    """Why an entry makes an invalid name of a topic; empty if it does not."""
    topics = {routing.previous_topics(outbox, event)[n] for event in outbox.events}
    for topic in sorted(topics):
        if wrong := TOPIC_CHARACTERS.sub("", topic):
            return f"invalid character {quoted(wrong[0])} in {quoted(topic)} of {KEY}: expected {CHARACTERS}"
        if not topic or topic in (".", ".."):
            return f"invalid topic {quoted(topic)} in {KEY}: expected a name of {CHARACTERS}"
        if len(topic) > LONGEST_TOPIC:
            return f"the topic '{topic}' of {KEY} is longer than {LONGEST_TOPIC} characters"
    return ""


def _present(outbox: OutboxFields, n: int) -> str:
    """Whether an entry is the present topic of every event, as a message; empty if it is not.

    It may be the present topic of another event: a topic that several events shared. Raw options may route otherwise.
    """
    entry, changed = outbox.routing.previous_topics[n], "name the value that it had before, or remove the entry"
    if any(name.startswith("transforms") for name in outbox.connect.config):
        return ""
    if entry == outbox.routing.topic:
        return f"{KEY} contains the present routing.topic {quoted(entry)}: {changed}"
    same = all(
        routing.present_topic(outbox, event) == routing.previous_topics(outbox, event)[n] for event in outbox.events
    )
    return f"{quoted(entry)} in {KEY} is the present topic of every event: {changed}" if same else ""
