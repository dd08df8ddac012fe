"""The config of one connector as a file has it, with the place of each option."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.excerpt import Excerpt, Spot
from outbox_kit.lint.placeholders import with_defaults
from outbox_kit.lint.request import Body, ConnectRequest

START: Spot = (1, 1)
QUOTED, IN_PROGRAM = "single quotes", "a plain text"
"""Where nothing replaces a variable."""
PLAIN_NAME = lazy_pattern(r"[\w.-]+")
"""A connector's name without variables."""


@dataclass(frozen=True)
class LooseJson:
    """What editors take for JSON, and other readers do not."""

    spot: Spot
    is_comment: bool
    """Whether it is a comment, rather than a comma or an escape."""


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
    hyphened: tuple[str, ...] = ()
    """Those with a default as a shell has it, `${name:-default}`, which Debezium Server takes with the hyphen."""
    quoted: tuple[str, ...] = ()
    """Those whose name in Quarkus' YAML has a dot within one key, which Quarkus reads as a name in quotes."""
    partial: bool = False
    """Whether the config has options that the file does not show, such as those of a template that it includes."""
    supplemented: bool = False
    """Whether its environment has settings that the file does not show, such as those of a secret."""
    verbatim: bool = True
    """Whether the file contains the config as it is read, so that it can be edited there."""
    expands: str = ""
    """What replaces `${name}` in the values before Debezium reads them; empty if that is not known.

    QUOTED or IN_PROGRAM where nothing does: in the quotes of a shell, in a text of a program.
    """
    loose: LooseJson | None = None
    """Where JSON is not JSON but what editors take for it; None if it is."""
    cluster: str | None = None
    """Of a resource of Strimzi: the KafkaConnect that its label names, empty without one; None if it is not known."""
    state: str | None = None
    """Of a resource of Strimzi: the state that it demands, empty if it is to run; None for other documents."""
    ignored: tuple[str, ...] = ()
    """Options in the config that Strimzi ignores, because they belong into the resource's spec."""
    body: Body | None = None
    """What may be the body of a request; None if the config is a part of another text."""
    request: ConnectRequest | None = None
    """The request that sends it, if the file shows it."""
    managed: bool = False
    """Whether it is a managed connector of Confluent Cloud, with the options that its own stand for."""
    refuses_unknown: bool = False
    """Whether it does not start with an option that is not known, such as a parameter of an endpoint of Camel."""
    fault: str = ""
    """Why the config cannot be read, or only in parts; empty if it was read."""
    fault_line: int = 0
    """The line that was left out of a config that was read in parts."""

    @property
    def connector_name(self) -> str | None:
        """The name of the connector: as the file has it, else as the address of the request has it."""
        if self.name is None and self.request and self.request.updates and PLAIN_NAME.fullmatch(self.request.connector):
            return self.request.connector
        return self.name

    def spot(self, key: str) -> Spot:
        """Line and column of a key, both from 1; the config's beginning for a key that is not there."""
        of_body = self.body.spots if self.body else {}
        return (
            self.spots.get(key) or self.settings_spots.get(key) or self.origins.get(key) or of_body.get(key, self.start)
        )


COMMENT = lazy_pattern(r"//|#|_|comment_|.*\bcomment\b|\$schema", re.IGNORECASE)


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
    remarks = dict[str, Spot]()
    for entry in entries:
        if is_comment(entry.key):
            if entry.odd:
                odd[entry.key] = entry.odd
                remarks[entry.key] = excerpt.spot(entry.at)
            continue
        if config.get(entry.key, entry.value) != entry.value:
            twice.append(entry.key)
        config[entry.key] = with_defaults(entry.value)
        spots.setdefault(entry.key, excerpt.spot(entry.at))
        if entry.odd:
            odd[entry.key] = entry.odd
    start = min(spots.values(), default=START)
    return Document(kind, name, config, {**remarks, **spots}, start, odd, tuple(twice), verbatim=excerpt.verbatim)
