"""The router's options as it understands them: raw text in, settings or the refusal at the task's start out.

After `EventRouterConfigDefinition` and `Field` of Debezium 2.5 to 3.7.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from outbox_kit.router import javaregex
from outbox_kit.router.expand import Expansion
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.values import Failure, NotModelled
from outbox_kit.versions import Version

Options = Mapping[str, str]

OLDEST = Version.of("2.5")  # what came before merged, cached and named otherwise
WITHOUT_NULL_NAMES = Version.of("3.0")
WITH_MISSING_WORD = Version.of("3.6")
WITH_EMPTY_ARRAYS = Version.of("3.7")
PLACES = ("header", "envelope", "partition")
BOOLEANS = ("true", "false")


@dataclass(frozen=True)
class Placement:
    """One entry of `fields.additional.placement`."""

    column: str
    """What is copied."""
    place: str | None
    """Where it goes: `header`, `envelope` or `partition`; None for any other word."""
    alias: str
    """Under which name; the column's if the entry says none."""


@dataclass(frozen=True)
class RouterColumns:
    """The columns that an event router reads."""

    id: str
    """Becomes the header `id`."""
    key: str
    """Becomes the message key."""
    payload: str
    """Becomes the value."""
    route: str
    """Chooses the topic."""
    timestamp: str | None
    """Becomes the message's timestamp; None if it is the moment at which Debezium reads the row."""
    version: str | None
    """Becomes the version of the value's schema, if any."""
    placements: tuple[Placement, ...]
    """Copied into headers, the value or the partition, in the order in which they are sent; not the header `id`."""

    @property
    def headers(self) -> dict[str, str]:
        """The columns of the headers by the headers' names, without `id`."""
        return {placement.alias: placement.column for placement in self.placements if placement.place == "header"}

    @property
    def partition(self) -> str | None:
        """The column that chooses the partition; None if the key does."""
        return next((placement.column for placement in self.placements if placement.place == "partition"), None)

    def placement_of(self, column: str) -> Placement | None:
        """Where a column is copied first; None if it is not."""
        return next((placement for placement in self.placements if placement.column == column), None)

    @property
    def all(self) -> set[str]:
        """Every column that the router reads."""
        read = {self.id, self.key, self.payload, self.route, self.timestamp, self.version}
        return {column for column in read if column} | {placement.column for placement in self.placements}


@dataclass(frozen=True)
class Settings(RouterColumns):
    """An event router's settings after `configure`."""

    ignores_missing: bool
    legacy_missing: bool
    on_update: str
    tombstones: bool
    expansion: Expansion | None
    regex: re.Pattern[str] = field(repr=False)
    replacement: str

    @property
    def enveloped(self) -> bool:
        """Whether the value is a struct around the payload."""
        return any(entry.place == "envelope" for entry in self.placements)


def settings(options: Options, release: Version, defaults: Options | None = None) -> Settings:
    """The settings of a router with these options (without the transformation's prefix).

    release: Debezium's, 2.5 or later.
    defaults: column options that the connector gives where none is set (Oracle's upper case).
    Raises Failure where the task would not start, NotModelled for older releases.
    """
    if release < OLDEST:
        raise NotModelled("Debezium before 2.5")
    if problem := next(_problems(options, release), None):
        raise problem
    preset = {"id": "id", "key": "aggregateid", "payload": "payload"} | dict(defaults or {})
    enlarged = _enlarged(options, release)
    return Settings(
        id=options.get("table.field.event.id", preset["id"]),
        key=options.get("table.field.event.key", preset["key"]),
        payload=options.get("table.field.event.payload", preset["payload"]),
        route=options.get("route.by.field", preset.get("route", "aggregatetype")),
        timestamp=options.get("table.field.event.timestamp"),
        version=options.get("table.field.event.schema.version"),
        placements=placement(options.get("table.fields.additional.placement")),
        ignores_missing=_ignores_missing(options, release),
        legacy_missing=release < WITH_MISSING_WORD,
        on_update=_word(options, "table.op.invalid.behavior", "warn"),
        tombstones=_flag(options, "route.tombstone.on.empty.payload"),
        expansion=enlarged,
        regex=javaregex.compiled(trim(options.get("route.topic.regex", "(?<routedByValue>.*)"))),
        replacement=trim(options.get("route.topic.replacement", "outbox.event.${routedByValue}")),
    )


def placement(text: str | None) -> tuple[Placement, ...]:
    """The placement's entries, as `parsePlacementsConfig` reads them. Raises Failure for an entry without one."""
    entries = []
    for entry in split(text, ",") if text is not None else []:
        parts = [trim(part) for part in split(entry, ":")]
        place = parts[1].lower() if parts[1].lower() in PLACES else None
        entries.append(Placement(parts[0], place, parts[2] if len(parts) == 3 else parts[0]))
    return tuple(entries)


def _enlarged(options: Options, release: Version) -> Expansion | None:
    if not _flag(options, "table.expand.json.payload"):
        return None
    mode = trim(options.get("field.name.adjustment.mode", "none")).lower()
    if mode not in ("none", "avro", "avro_unicode"):
        raise Failure("NullPointerException", "field.name.adjustment.mode is none of its words")
    arrays = _word(options, "table.json.payload.empty.array.behavior", "ignore")
    return Expansion(
        keep_nulls=_word(options, "table.json.payload.null.behavior", "ignore") == "optional_bytes",
        keep_empty_arrays=release >= WITH_EMPTY_ARRAYS and arrays == "optional_string",
        adjusts_names=mode != "none",
        names_below_null=release < WITHOUT_NULL_NAMES,
    )


def _ignores_missing(options: Options, release: Version) -> bool:
    if release >= WITH_MISSING_WORD:
        return _word(options, "table.field.additional.missing", "error") == "ignore"
    return trim(options.get("table.fields.additional.error.on.missing", "true")).lower() == "false"


def _flag(options: Options, name: str) -> bool:
    return trim(options.get(name, "false")).lower() == "true"


def _word(options: Options, name: str, default: str) -> str:
    return trim(options.get(name, default)).lower()


def _boolean(text: str) -> str | None:
    return None if trim(text).lower() in BOOLEANS else "Either 'true' or 'false' is expected"


def _one_of(*words: str) -> Callable[[str], str | None]:
    return lambda text: None if trim(text).lower() in words else f"Value must be one of {', '.join(words)}"


def _pairs(text: str) -> str | None:
    entries = split(text, ",")
    if all(len(split(entry, ":")) in (2, 3) for entry in entries):
        return None
    return f"A comma-separated list of valid String pairs or trios is expected but got: [{', '.join(entries)}]"


def _regex(text: str) -> str | None:
    try:
        javaregex.compiled(text)
    except javaregex.BadPattern as cause:
        return f"A valid regular expressions is expected, but {cause}"
    return None


CHECKS: Mapping[str, Callable[[str], str | None]] = {
    "table.fields.additional.placement": _pairs,
    "table.field.additional.missing": _one_of("error", "ignore"),
    "table.fields.additional.error.on.missing": _boolean,
    "route.topic.regex": _regex,
    "route.tombstone.on.empty.payload": _boolean,
    "table.op.invalid.behavior": _one_of("warn", "error", "fatal"),
    "table.expand.json.payload": _boolean,
    "table.json.payload.null.behavior": _one_of("ignore", "optional_bytes"),
    "table.json.payload.empty.array.behavior": _one_of("ignore", "optional_string"),
}


def _checked(release: Version) -> list[str]:
    unknown = {"table.fields.additional.error.on.missing"} if release >= WITH_MISSING_WORD else set()
    unknown |= {"table.field.additional.missing"} if release < WITH_MISSING_WORD else set()
    unknown |= {"table.json.payload.empty.array.behavior"} if release < WITH_EMPTY_ARRAYS else set()
    return [name for name in CHECKS if name not in unknown]


def _problems(options: Options, release: Version) -> Iterator[Failure]:
    """Each refused option as the failure it is."""
    for name in _checked(release):
        if name in options and (reason := CHECKS[name](options[name])):
            message = f"Invalid value {options[name]} for configuration {name}: The '{name}' value is invalid: {reason}"
            yield Failure("ConfigException", message)
