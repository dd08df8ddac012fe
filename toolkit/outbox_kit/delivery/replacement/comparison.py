"""The comparison of what two connectors have published for the same rows. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from outbox_kit.printable import counted

PARTS = ("topic", "partition", "key", "headers", "value")
"""The parts of a message that are compared."""
LONGEST_TEXT = 120


class PublishedMessage(NamedTuple):
    """A message of an event."""

    topic: str
    """Without the prefix of a trial topic."""
    partition: int
    """From 0 on."""
    key: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]
    """In their order."""
    value: bytes | None


@dataclass(frozen=True)
class Compared:
    """What a comparison has shown."""

    messages: int
    """The events whose messages both connectors have published."""
    differing: Mapping[str, Sequence[str]]
    """The event ids whose messages differ, by part; parts without a difference are left out."""
    missing: Sequence[str]
    """The ids of events that only the former connector has published."""
    additional: Sequence[str]
    """The ids of events that only the new connector has published."""
    samples: Sequence[str]
    """A line for the first difference of each part."""

    @property
    def complete(self) -> bool:
        """Whether both connectors have published the same events."""
        return not (self.missing or self.additional)

    def lines(self) -> Iterator[str]:
        """The differences, a line each; none if there are none."""
        for text, ids in (
            ("not published by the new connector", self.missing),
            ("published only by it", self.additional),
        ):
            if ids:
                yield f"{counted(len(ids), 'event')} {text}, such as {ids[0]}"
        for part, ids in self.differing.items():
            yield f"{part}: different in {counted(len(ids), 'message')} of {self.messages}"
        yield from self.samples


def compare(
    former: Mapping[str, PublishedMessage],
    new: Mapping[str, PublishedMessage],
    *,
    expected_of_new: Collection[str],
    expected_of_former: Collection[str],
    sized: Collection[str],
) -> Compared:
    """Compare the messages of two connectors by event id.

    expected_of_new, expected_of_former: the ids that this connector must have published. sized: the topics of which
    both connectors have seen the same number of partitions.
    """
    differing: dict[str, list[str]] = {}
    samples: list[str] = []
    both = [event_id for event_id in new if event_id in former]
    for event_id in both:
        for part in PARTS:
            before, after = getattr(former[event_id], part), getattr(new[event_id], part)
            if before == after or (part == "partition" and former[event_id].topic not in sized):
                continue
            if part not in differing:
                samples.append(f"{part} of event {event_id}: from {_part_text(before)} to {_part_text(after)}")
            differing.setdefault(part, []).append(event_id)
    missing = [event_id for event_id in expected_of_new if event_id not in new]
    additional = [event_id for event_id in expected_of_former if event_id not in former]
    return Compared(len(both), differing, missing, additional, samples)


def _part_text(part: object) -> str:
    text = repr(part)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}..."
