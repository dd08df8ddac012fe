"""Rules that look up each key in the registry of options: whether it exists in the release."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.managed import EXAMINED
from outbox_kit.lint.option_keys import is_of_another_format, places
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.rules.headers import carries_type
from outbox_kit.lint.rules.values import fault
from outbox_kit.lint.subject import MONGO, Subject
from outbox_kit.router import options
from outbox_kit.router.javatext import trim
from outbox_kit.router.options import Effect, Option, OptionPlace
from outbox_kit.schema.nearest import closest

SLIP = 0.86
PASSED_ON = ("database.", "driver.")
"""Prefixes whose options the connectors of relational databases pass on to the driver."""


@rule(
    "nonexistent-option",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="C08 D10 H06",
    fix="use the option that has the intended effect",
)
def nonexistent_option(subject: Subject) -> Iterator[Violation]:
    """No option comes from an incorrect example.

    Some published configs contain options that have never existed. They are ignored without an error, and the default
    applies.
    """
    for key, _, place in places(subject):
        invented = _invented(place)
        if place.option is None and place.name in invented:
            replacement = invented[place.name]
            full = f"{place.prefix}{replacement}"
            idle = full in subject.config or _is_default(subject.option(full), subject.config[key])
            message = f"'{place.name}' has never existed; {_intended(replacement)}"
            severity = None if idle or replacement else Severity.warning
            yield Violation(key, message, consequence=Consequence.advice if idle else None, severity=severity)


def _invented(place: OptionPlace) -> Mapping[str, str]:
    invented: Mapping[str, str] = (place.catalogue.facts.get("invented") or {}) if place.catalogue else {}
    return invented


def _intended(successor: str) -> str:
    return f"the intended option is probably '{successor}'" if successor else "no option has this effect"


@rule(
    "unknown-router-option",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="C08 B06",
    fix="correct the name, or remove the option",
)
def unknown_router_option(subject: Subject) -> Iterator[Violation]:
    """Every option of the event router exists.

    The event router ignores an option that it does not know without an error, and the default applies.
    """
    for key, place in _unknown(subject):
        if subject.router and place.prefix == subject.router.prefix:
            violation = _unknown_option(subject, key, place)
            # without a similar option it is not known what the config lacks
            yield violation if violation.edit else replace(violation, severity=Severity.warning)


@rule(
    "unknown-option", Consequence.wrong, of_names=True, evidence="C08 B06", fix="correct the name, or remove the option"
)
def unknown_option(subject: Subject) -> Iterator[Violation]:
    """Every option is known to the connector, to one of its classes or to Kafka Connect.

    An unknown option is ignored without an error; the intended setting is not in effect.
    """
    for key, place in _unknown(subject):
        if subject.router is None or place.prefix != subject.router.prefix:
            yield _unknown_option(subject, key, place)


def _unknown(subject: Subject) -> Iterator[tuple[str, OptionPlace]]:
    """The options that nothing reads, and of which no other rule says more."""
    for key, _, place in places(subject):
        if place.option is not None or place.name in _invented(place) or _elsewhere(place):
            continue
        if _has_own_rule(subject, key, place) or _is_of_another(place) or _is_passed_on(subject, place):
            continue
        if not is_of_another_format(subject, place):
            yield key, place


def _is_of_another(place: OptionPlace) -> bool:
    """Whether an option is one of another connector."""
    others = (options.catalogue(name) for name in options.CONNECTOR_FILES)
    return place.prefix == "" and any(place.name in other.options for other in others)


@rule(
    "foreign-option",
    Consequence.advice,
    of_names=True,
    evidence="B06",
    fix="remove the option",
)
def foreign_option(subject: Subject) -> Iterator[Violation]:
    """Every option is one of this connector, not of another one.

    The connector ignores it without an error.
    """
    for key, _, place in places(subject):
        if place.option is None and _is_of_another(place) and not _has_own_rule(subject, key, place):
            title = place.catalogue.title if place.catalogue else "this connector"
            yield Violation(key, f"'{key}' is an option of another connector; {title} does not read it")


def _is_passed_on(subject: Subject, place: OptionPlace) -> bool:
    """Whether the driver may read an option, and it is no slip of one that is not set."""
    passed = place.prefix == "" and place.name.startswith(PASSED_ON) and subject.option_prefix != MONGO
    near = _near(subject, place)
    return passed and (near is None or near in subject.config)


def _unknown_option(subject: Subject, key: str, place: OptionPlace) -> Violation:
    near = _near(subject, place)
    hint = f"; did you mean '{near}'?" if near else ""
    free = near is not None and f"{place.prefix}{near}" not in subject.config
    edit = Edit(key, rename=f"{place.prefix}{near}") if free and _only_a_slip(place.name, near or "") else None
    title = place.catalogue.title if place.catalogue else "the connector"
    return Violation(key, f"{title} has no option '{place.name}'{hint}", edit)


def _near(subject: Subject, place: OptionPlace) -> str | None:
    """The option of which a name is a slip: one of its words is spelled wrongly, or the words are joined otherwise."""
    names = place.catalogue.names(subject.release) if place.catalogue else []
    if place.prefix == "":
        names = names + options.catalogue("connect").names(subject.release)
    joined = [name for name in names if _only_a_slip(place.name, name)]
    return joined[0] if joined else next((name for name in names if _is_misspelt(place.name, name)), None)


def _is_misspelt(name: str, option: str) -> bool:
    words, others = name.split("."), option.split(".")
    if len(words) != len(others):
        return False
    differing = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    return len(differing) == 1 and closest(differing[0][0], [differing[0][1]], SLIP) is not None


def _has_own_rule(subject: Subject, key: str, place: OptionPlace) -> bool:
    """Whether the rule dead-letter-queue-on-source, schemas-enable-ignored or mongo-table-option says more about it.

    So do plain-text-secret and after-state-only of a managed connector.
    """
    if subject.document.managed and key in EXAMINED:
        return True
    of_mongo = subject.option_prefix == MONGO and place.name.startswith("table.")
    return of_mongo or key.startswith("errors.deadletterqueue.") or key.endswith("converter.schemas.enable")


def _only_a_slip(name: str, near: str) -> bool:
    """Whether two names differ only in case, or in what joins their words."""
    return re.sub(r"[-_.]", "", name).lower() == near.replace(".", "").lower()


def _elsewhere(place: OptionPlace) -> bool:
    """Whether other rules speak of it: it belongs to the worker, or it lacks its prefix."""
    return place.prefix == "" and (place.name in options.catalogue("worker").options or _without_prefix(place.name))


def _without_prefix(name: str) -> bool:
    return any(options.catalogue(source).find(name) for source in options.ROUTER_FILES.values()) and "." in name


@rule(
    "option-without-prefix",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="N12",
    fix="add the prefix of the transformation",
)
def option_without_prefix(subject: Subject) -> Iterator[Violation]:
    """The options of the event router have the prefix of the transformation.

    Without `transforms.<name>.` the event router does not read the option.
    """
    for key, _, place in places(subject):
        if place.prefix == "" and place.option is None and _without_prefix(key):
            full = subject.router.key(key) if subject.router else f"{options.TRANSFORM}{key}"
            edit = Edit(key, rename=full) if subject.router and full not in subject.config else None
            message = f"'{key}' is an option of the event router; its full name is '{full}'"
            option = subject.option(full)
            value = subject.config[key].strip()
            unneeded = subject.router is None or not value or _is_default(option, value)
            idle = key.startswith("tracing.") or full in subject.config or unneeded
            severity = None if idle or key.endswith(DECIDING) else Severity.warning
            yield Violation(key, message, edit, consequence=Consequence.advice if idle else None, severity=severity)


DECIDING = ("by.field", "topic.regex", "topic.replacement", "event.id", "event.key", "event.payload", "json.payload")
"""Ends of the options of an event router without which events have another topic, key or payload."""


def _is_default(option: Option | None, value: str) -> bool:
    return option is not None and option.same(value, None)


@rule(
    "worker-option",
    Consequence.wrong,
    of_names=True,
    evidence="N05",
    fix="set the option in the configuration of the worker, or remove it",
)
def worker_option(subject: Subject) -> Iterator[Violation]:
    """Options of the worker are set in the configuration of the worker.

    In a connector config they are ignored; the worker uses its own setting.
    """
    for key, _, place in places(subject):
        if place.prefix == "" and place.option is None and key in options.catalogue("worker").options:
            yield Violation(key, f"'{key}' is an option of the worker, not of a connector", Edit(key))


IDLE = ("table.field.event.payload.id",)
"""Options that did nothing else than what another one says that has a default."""


@rule("removed-option", Consequence.wrong, of_names=True, evidence="O", fix="use the successor, or remove the option")
def removed_option(subject: Subject) -> Iterator[Violation]:
    """Every option still exists in the target release.

    A removed option is ignored without an error, and the default of its successor applies.
    """
    for key, value, place in places(subject):
        option = place.option
        if option is None or _changes_meaning(subject, place, value):
            continue
        if option.introduced_by(subject.release) and not option.is_supported(subject.release) and option.until is None:
            note = f": {_clause(option.note)}" if option.note else ""
            yield Violation(key, f"'{place.name}' is not supported in Debezium {subject.release.text}{note}")
        if not option.removed_by(subject.release):
            continue
        heir = _successor(option, place.name)
        successor = f"; its successor is '{heir}'" if heir else ""
        note = f": {_clause(option.note)}" if option.note else ""
        full = f"{place.prefix}{heir}"
        boolean = option.type == "boolean"
        tunes = place.prefix == "" and not _shapes(subject.option(full)) and full not in _required(subject)
        replaced = heir == "" or boolean or full in subject.config or option.default == value or tunes
        narrower = heir.startswith(("database.", "schema.")) and "table.include.list" in subject.config
        of_filter = narrower and heir.endswith(".include.list")
        idle = (
            full in subject.config
            or of_filter
            or place.name in IDLE
            or (heir != "" and _is_default(subject.option(full), value))
        )
        yield Violation(
            key,
            f"'{place.name}' was last supported in Debezium {option.until}{successor}{note}",
            _heir(subject, key, value, place),
            consequence=Consequence.advice if idle else None,
            severity=Severity.error if not (replaced or idle or key in subject.unknown) else None,
        )


@rule(
    "removed-by-kafka",
    Consequence.wrong,
    of_names=True,
    since="3.2",
    evidence="O",
    fix="use the successor",
)
def removed_by_kafka(subject: Subject) -> Iterator[Violation]:
    """Every option of Kafka's own classes still exists in Kafka 4.

    Kafka Connect 4 ignores a removed option without an error.
    """
    for key, _, place in places(subject):
        if place.option is not None and place.option.kafka_until:
            heir = f"; its successor is '{place.option.successor}'" if place.option.successor else ""
            yield Violation(key, f"'{place.name}' was last supported in Kafka {place.option.kafka_until}{heir}")


def _shapes(option: Option | None) -> bool:
    """Whether an option of a connector decides which events are published, or where: its others tune."""
    return option is not None and option.effect not in (None, Effect.none, Effect.restart)


def _required(subject: Subject) -> Collection[str]:
    return {*subject.facts.get("required", ()), *subject.facts.get("required_unless", ())}


def _clause(sentence: str) -> str:
    """A sentence as the end of another one."""
    return f"{sentence[0].lower()}{sentence[1:]}".rstrip(".")


def _changes_meaning(subject: Subject, place: OptionPlace, value: str) -> bool:
    """Whether the rule missing-column-option says more about it."""
    old, new = "table.fields.additional.error.on.missing", "table.field.additional.missing"
    return place.name == old and trim(value).lower() == "false" and f"{place.prefix}{new}" not in subject.config


def _successor(option: Option, name: str) -> str:
    """What took an option's place; a star in both stands for the same text."""
    heir = option.successor or ""
    return heir[:-1] + name[len(option.name) - 1 :] if heir.endswith(".*") and option.name.endswith(".*") else heir


def _heir(subject: Subject, key: str, value: str, place: OptionPlace) -> Edit | None:
    """The rename that keeps the meaning: one successor, alive, not set yet, and taking that value."""
    option = place.option
    if option is None:
        return None
    if place.name in (DELETES, TOMBSTONES):
        return _deletes(subject, key, place)
    if not option.successor:
        return Edit(key)
    full = f"{place.prefix}{_successor(option, place.name)}"
    heir = subject.option(full)
    if heir is None or not heir.is_supported(subject.release):
        return None
    if full in subject.config:
        return Edit(key) if subject.config[full] == value else None
    translated = option.translated(value)
    return Edit(key, rename=full, value=translated) if fault(heir, translated, subject) is None else None


DELETES, TOMBSTONES = "delete.handling.mode", "drop.tombstones"
DELETE_MODES = {
    ("drop", "true"): "drop",
    ("drop", "false"): "tombstone",
    ("rewrite", "true"): "rewrite",
    ("rewrite", "false"): "rewrite-with-tombstone",
}
"""The value of the one option that took the place of both, by the values of both."""


def _deletes(subject: Subject, key: str, place: OptionPlace) -> Edit | None:
    """The edit for one of two options that a single one has replaced."""
    successor = f"{place.prefix}delete.tombstone.handling.mode"
    if successor in subject.config or (place.name == TOMBSTONES and f"{place.prefix}{DELETES}" in subject.config):
        return Edit(key)
    deletes = trim(subject.config.get(f"{place.prefix}{DELETES}", "drop")).lower()
    tombstones = trim(subject.config.get(f"{place.prefix}{TOMBSTONES}", "true")).lower()
    mode = DELETE_MODES.get((deletes, tombstones))
    return Edit(key, rename=successor, value=mode) if mode else None


@rule(
    "option-too-new",
    Consequence.wrong,
    of_names=True,
    evidence="A08 D04",
    fix="remove the option, or use a later release",
)
def option_too_new(subject: Subject) -> Iterator[Violation]:
    """Every option already exists in the target release.

    An option of a later release is ignored without an error.
    """
    for key, _, place in places(subject):
        if place.option is not None and not place.option.introduced_by(subject.release):
            yield Violation(key, f"'{place.name}' requires Debezium {place.option.since} or later")


@rule(
    "option-without-effect",
    Consequence.wrong,
    of_names=True,
    evidence="D01 A24",
    fix="use a placement instead, such as type:header:eventType",
)
def option_without_effect(subject: Subject) -> Iterator[Violation]:
    """Every option has an effect.

    The option is accepted and ignored: the config suggests a setting that does not exist.
    """
    for key, _, place in places(subject):
        if place.option is not None and place.option.no_effect_since and place.option.is_supported(subject.release):
            note = place.option.note or "it is accepted and never read"
            since = f"'{place.name}' has had no effect since Debezium {place.option.no_effect_since}"
            of_type = place.name.endswith("field.event.type")
            idle = carries_type(subject) if of_type else not (place.prefix or place.option.successor)
            consequence = Consequence.advice if idle else None
            yield Violation(key, f"{since}: {_clause(note)}", consequence=consequence)
