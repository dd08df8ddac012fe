"""The registry of options, read from connectors/*.yaml: which exist in which release, what they take, what they do.

Connect and Debezium ignore unknown options silently; every config is checked against this registry.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from typing import Any

from outbox_kit import data_file, databases, secret
from outbox_kit.assets import CONNECTORS
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.versions import Version

TRANSFORM = "transforms.outbox."


class Effect(StrEnum):
    """What changing an option does to a running connector, the least first."""

    none = "the behaviour does not change: one side sets the default, or another spelling of the same value"
    restart = "the connector task restarts"
    position = "the stored offset no longer applies: the initial snapshot is repeated, or a gap results"
    wire = "messages or their topics change: consumers and the order of each key are affected"
    order = "keys move to other partitions: events of one key can arrive in another order"
    loss = "events may be dropped silently"


# what changing an option of a transformation, a predicate or a converter does, where it says nothing else
KINDS = {"transforms": Effect.wire, "predicates": Effect.loss, "converter": Effect.wire}


@dataclass(frozen=True)
class Option:
    """One option."""

    name: str
    type: str
    why: str = ""
    """Why the kit sets it."""
    note: str = ""
    """What surprises."""
    default: str | None = None
    since: str | None = None
    """The first Debezium release that knows it; None means before 2.0."""
    until: str | None = None
    """The last Debezium release that knows it; None means that all newer ones do."""
    no_effect_since: str | None = None
    """The release since which it is accepted and does nothing."""
    successor: str | None = None
    """What took its place."""
    values: tuple[str, ...] = ()
    changes: tuple[Mapping[str, Any], ...] = ()
    """What was otherwise from a release on: its default or its values."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Old values and today's."""
    absent: tuple[str, ...] = ()
    """Releases in between that lack it."""
    kafka_since: str | None = None
    """The first Kafka release that knows it."""
    kafka_until: str | None = None
    """The last Kafka release that knows it."""
    effect: Effect | None = None
    """Of changing it on a running connector, where it is not that of its kind."""
    filters: bool = False
    """Whether it leaves events out where it is set, and none where it is not."""
    risks: Mapping[str, str] = field(default_factory=dict)
    """Values that lose events, each with how; all others do not."""
    minimum: int | None = None
    """The least number it takes; None if it takes any."""
    form: str = ""
    """The form of its text, a name of `router.forms` or a pattern; empty if it takes any."""
    conflicts: tuple[str, ...] = ()
    """Options that may not be set beside it."""
    requires: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Values with the options that each makes necessary."""

    def risk(self, value: str) -> str | None:
        """How a value loses events; None where it does not."""
        return self.risks.get(value.strip().lower())

    def harmless(self, before: str | None, after: str | None) -> bool:
        """Whether a change only removes a risk or a filter, or neither; None is a config without the option."""
        old, new = ((self.default if value is None else value) or "" for value in (before, after))
        if self.risks and not self.risk(new):
            return True
        return old.strip() == new.strip() or (self.filters and not new.strip())

    def same(self, before: str | None, after: str | None, release: Version | None = None) -> bool:
        """Whether two values mean the same; None is a config without the option, in which its default holds.

        release: of Debezium, whose default it is; the newest if left out.
        """
        default = self.default if release is None else self.default_at(release)
        if (before is None or after is None) and default is None:
            return before == after
        return self._meaning(default if before is None else before) == self._meaning(
            default if after is None else after
        )

    def _meaning(self, value: str | None) -> str:
        """A value in one spelling: words in lower case and in today's form, lists without blanks."""
        text = (value or "").strip()
        if self.type in ("enum", "boolean"):
            return self.translated(text).lower()
        if self.type == "list":
            return ",".join(part.strip() for part in text.split(","))
        return text

    def translated(self, value: str) -> str:
        """A value in today's words, where it was renamed."""
        return self.renamed.get(value.strip().lower(), value)

    def value_for(self, release: Version, value: str) -> str:
        """A value in the words of a release: the old one, where today's is not known yet."""
        words = self.values_at(release)
        older = [old for old, new in self.renamed.items() if new == value and old in words]
        return older[0] if words and value not in words and older else value

    def is_supported(self, release: Version) -> bool:
        """Whether a release reads it."""
        missing = any(Version.of(gap) == release for gap in self.absent)
        return self.introduced_by(release) and not self.removed_by(release) and not missing

    def introduced_by(self, release: Version) -> bool:
        """Whether it exists by that release."""
        return self.since is None or Version.of(self.since) <= release

    def removed_by(self, release: Version) -> bool:
        """Whether it is gone by that release."""
        return self.until is not None and release > Version.of(self.until)

    @property
    def all_values(self) -> frozenset[str]:
        """The words it takes in any release since 2.0; empty if it takes any."""
        dated = (word for change in self.changes for word in change.get("values", ()))
        return frozenset((*self.values, *dated, *self.renamed))

    def values_at(self, release: Version) -> tuple[str, ...]:
        """The words it takes in a release; empty if it takes any."""
        return tuple(self._at(release, "values", self.values))

    def default_at(self, release: Version) -> str | None:
        """What holds in a release where it is not set."""
        value: str | None = self._at(release, "default", self.default)
        return value

    def _at(self, release: Version, field: str, newest: Any) -> Any:
        dated = [change for change in self.changes if field in change]
        changes = [change for change in dated if Version.of(change["since"]) <= release] or dated[:1]
        return changes[-1][field] if changes else newest


# Connect's own, on every transformation; without a predicate it applies to every record
FRAMEWORK = {
    "type": Option("type", "class", "A transformation; the event router is the last one."),
    "predicate": Option("predicate", "string", "It receives outbox rows only.", effect=Effect.loss),
    "negate": Option("negate", "boolean", default="false", effect=Effect.loss),
}


@dataclass(frozen=True)
class OptionCatalogue:
    """The options of one thing: a connector, a transformation, a converter, Connect itself."""

    title: str
    options: Mapping[str, Option]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def find(self, name: str) -> Option | None:
        """The option of that name, or the one whose pattern it fits: a star stands for any text."""
        if name in self.options:
            return self.options[name]
        return next((option for pattern, option in self._patterns if pattern.fullmatch(name)), None)

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], Option]]:
        starred = [(name, option) for name, option in self.options.items() if "*" in name]
        return [(re.compile(re.escape(name).replace(r"\*", ".+")), option) for name, option in starred]

    def names(self, release: Version) -> list[str]:
        """The options that a release reads, patterns left out."""
        return [name for name, option in self.options.items() if option.is_supported(release) and "*" not in name]


@cache
def catalogue(source: str) -> OptionCatalogue:
    """The options of one file in connectors/."""
    data = _read(source)
    facts = {name: value for name, value in data.items() if name != "options"}
    return OptionCatalogue(str(data.get("title", source)), _options(data["options"]), facts)


@cache
def classes(source: str) -> Mapping[str, OptionCatalogue]:
    """A file that describes several classes, each with its options."""
    described = _read(source)["classes"]
    return {
        name: OptionCatalogue(name.rsplit(".", 1)[-1], _options(facts.get("options") or {}), _but_options(facts))
        for name, facts in described.items()
    }


COMPLETE = Version.of("2.0")
"""The first release of which the registry has all options."""
CLASS = lazy_pattern(r"^class: (\S+)", re.MULTILINE)
CONNECTOR_FILES = tuple(databases.ALL)


@cache
def connectors() -> Mapping[str, str]:
    """Our name of each connector, by its class."""
    # only the line with the class is read: whole files are parsed when they are asked for
    heads = {name: (CONNECTORS / f"{name}.yaml").read_text(encoding="utf-8") for name in CONNECTOR_FILES}
    match = {name: CLASS.search(head) for name, head in heads.items()}
    return {match[1]: name for name, match in match.items() if match}


@cache
def registry(dialect: str) -> Mapping[str, Option]:
    """All options of a dialect's connector, the router (with its prefix) and Connect, by full name."""
    known_options = {**catalogue(dialect).options, **catalogue("connect").options}
    return known_options | {f"{TRANSFORM}{name}": option for name, option in catalogue("router").options.items()}


@dataclass(frozen=True)
class OptionPlace:
    """Where a key of a config belongs: the catalogue that decides over it, its name there, and what it is there."""

    catalogue: OptionCatalogue | None
    """None where nothing is known of the class that the key belongs to."""
    prefix: str
    name: str
    option: Option | None

    def same(self, before: str | None, after: str | None, release: Version | None = None) -> bool:
        """Whether two values mean the same; None is a config without the key. See `Option.same`.

        An option of the producer has no default of its own: the worker's configuration may set another value.
        """
        if self.option is None or (self.prefix == PRODUCER and None in (before, after)):
            return before == after
        return self.option.same(before, after, release)

    def effect_of(self, before: str | None, after: str | None) -> Effect:
        """What a change of the key does; None is a config without it."""
        kind = next((KINDS[word] for word in self.prefix.split(".") if word in KINDS), Effect.restart)
        if self.option is None:
            return kind
        if self.option.harmless(before, after):
            return Effect.restart
        return kind if self.option.effect is None else self.option.effect


PRODUCER = "producer.override."
ROUTER_FILES = {
    "io.debezium.transforms.outbox.EventRouter": "router",
    "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter": "mongo-router",
}


def resolve(config: Mapping[str, str], key: str) -> OptionPlace:
    """What a key of a config means, given the classes that the rest of the config names."""
    for prefix, owner in _owners(config, key):
        name = key[len(prefix) :]
        return OptionPlace(owner, prefix, name, owner.find(name) if owner else None)
    source = connectors().get(config.get("connector.class", "").strip())
    of_source = catalogue(source) if source else None
    shared = catalogue("connect").find(key)
    if shared is not None:
        return OptionPlace(catalogue("connect"), "", key, shared)
    return OptionPlace(of_source, "", key, of_source.find(key) if of_source else None)


def holds_secret(config: Mapping[str, str], key: str) -> bool:
    """Whether a key's value is a secret: by its type where it is known, by its name where it is any text."""
    option = resolve(config, key).option
    if option is not None and option.type != "string":
        return option.type == "password"
    if secret.connects(key, config.get(key, "")):
        return True
    return secret.names_secret(key, unknown=option is None)


def _owners(config: Mapping[str, str], key: str) -> Iterator[tuple[str, OptionCatalogue | None]]:
    """The prefix of a key that belongs to another class, and that class's catalogue."""
    parts = key.split(".")
    if parts[0] == "transforms" and len(parts) > 2:
        prefix = f"transforms.{parts[1]}."
        yield prefix, transformation(config.get(f"{prefix}type", ""))
    elif parts[0] == "predicates" and len(parts) > 2:
        prefix = f"predicates.{parts[1]}."
        yield prefix, _with_framework(classes("predicates").get(config.get(f"{prefix}type", "").strip()))
    elif len(parts) > 2 and parts[1] == "converter" and parts[0] in ("key", "value", "header"):
        yield from _converter(config, f"{parts[0]}.converter", key)
    elif parts[:2] == ["producer", "override"] and len(parts) > 2:
        yield PRODUCER, catalogue("producer")
    elif len(parts) > 1 and parts[0] in map(str.strip, config.get("converters", "").split(",")):
        yield f"{parts[0]}.", classes("converters").get(config.get(f"{parts[0]}.type", "").strip())


def _converter(config: Mapping[str, str], at: str, key: str) -> Iterator[tuple[str, OptionCatalogue | None]]:
    delegate = f"{at}.delegate.converter.type"
    if key.startswith(f"{delegate}."):
        yield f"{delegate}.", classes("converters").get(config.get(delegate, "").strip())
    else:
        yield f"{at}.", classes("converters").get(config.get(at, "").strip())


def transformation(kind: str) -> OptionCatalogue | None:
    """What is known of a transformation's class; None if nothing is."""
    kind = kind.strip()
    if kind in ROUTER_FILES:
        return _with_framework(catalogue(ROUTER_FILES[kind]))
    return _with_framework(classes("transforms").get(kind))


def _with_framework(own_options: OptionCatalogue | None) -> OptionCatalogue | None:
    if own_options is None:
        return None
    return OptionCatalogue(own_options.title, {**FRAMEWORK, **own_options.options}, own_options.facts)


def _read(source: str) -> dict[str, Any]:
    document: dict[str, Any] = data_file.values(CONNECTORS / f"{source}.yaml")
    return document


def _but_options(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name != "options"}


def _options(described: Mapping[str, Mapping[str, Any]]) -> dict[str, Option]:
    return {name: _option(name, facts) for name, facts in described.items()}


def _option(name: str, facts: Mapping[str, Any]) -> Option:
    lists = {word: tuple(facts.get(word, ())) for word in ("values", "changes", "absent", "conflicts")}
    needed = {value: [names] if isinstance(names, str) else names for value, names in facts.get("requires", {}).items()}
    effect = {"effect": Effect[facts["effect"]]} if "effect" in facts else {}
    return Option(name, **(dict(facts) | lists | effect | {"requires": needed}))
