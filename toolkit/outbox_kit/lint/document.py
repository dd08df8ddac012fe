"""The config of one connector as a file has it, with the place of each option."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from outbox_kit.lint.excerpt import Excerpt, Spot
from outbox_kit.lint.placeholders import with_default

START: Spot = (1, 1)


@dataclass(frozen=True)
class Document:
    """One connector's config in a file."""

    kind: str
    """How it is written: json, yaml, properties, server, terraform, schema, or unreadable."""
    name: str | None
    """The name of the connector; None if the file does not contain it."""
    config: Mapping[str, str]
    spots: Mapping[str, Spot]
    """The options that stand in the file, with line and column."""
    start: Spot = START
    odd: Mapping[str, str] = field(default_factory=dict)
    """Keys whose value is a list or an object, with what it is."""
    twice: tuple[str, ...] = ()
    """Keys that occur more than once."""
    release: str | None = None
    """The Debezium release that runs it, if its kind decides that."""
    origins: Mapping[str, Spot] = field(default_factory=dict)
    """The options that are generated from a key of a schema file, with the key's line and column."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """All settings of Debezium Server or of Debezium's engine, by their own names; empty for Kafka Connect."""
    settings_spots: Mapping[str, Spot] = field(default_factory=dict)
    """Where they stand."""
    partial: bool = False
    """Whether the config has options that the file does not show, such as those of a template that it includes."""
    verbatim: bool = True
    """Whether the file contains the config as it is read, so that it can be edited there."""
    expands: str = ""
    """What replaces `${name}` in the values before Debezium reads them, or `single quotes` that keep the shell from it;
    empty if nothing does.
    """
    loose: Spot | None = None
    """Where JSON is not JSON but what editors take for it, such as a comment; None if it is."""
    loose_comment: bool = False
    """Whether that is a comment."""
    unassigned: bool = False
    """Whether it is a resource of Strimzi that names no cluster of Kafka Connect."""
    ignored: tuple[str, ...] = ()
    """Options in the config that Strimzi ignores, because they belong into the resource's spec."""
    fault: str = ""
    """Why the config cannot be read; empty if it was read."""

    def spot(self, key: str) -> Spot:
        """Line and column of a key, both from 1; the config's beginning for a key that is not there."""
        return self.spots.get(key) or self.settings_spots.get(key) or self.origins.get(key, self.start)


COMMENT = re.compile(r"//|#|_|.*\bcomment\b|\$schema", re.IGNORECASE)


def is_comment(key: str) -> bool:
    """Whether a key is a remark, as JSON without comments has them."""
    return COMMENT.match(key) is not None


@dataclass(frozen=True)
class Entry:
    """A key with its value as a file has them."""

    key: str
    value: str
    at: int
    """The offset of the key in its excerpt."""
    odd: str = ""
    """What the value is, if it is not a text: a list or an object."""


def document(kind: str, name: str | None, entries: Iterable[Entry], excerpt: Excerpt) -> Document:
    """The config of these entries, of which the last one of a key holds. excerpt: in which they stand."""
    config, odd, twice, spots = dict[str, str](), dict[str, str](), list[str](), dict[str, Spot]()
    for entry in entries:
        if is_comment(entry.key):
            continue
        if config.get(entry.key, entry.value) != entry.value:
            twice.append(entry.key)
        config[entry.key] = with_default(entry.key, entry.value)
        spots.setdefault(entry.key, excerpt.spot(entry.at))
        if entry.odd:
            odd[entry.key] = entry.odd
    start = min(spots.values(), default=START)
    return Document(kind, name, config, spots, start, odd, tuple(twice), verbatim=excerpt.verbatim)
