"""Rules about options that a release does not have any more, does not have yet, or does not read."""

from collections.abc import Collection, Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.option_keys import is_default, places
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.rules.headers import carries_type
from outbox_kit.lint.rules.qualified import OF_OTHERS
from outbox_kit.lint.rules.required import HISTORY
from outbox_kit.lint.rules.values import fault
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim
from outbox_kit.router.options import Effect, Option, OptionPlace

IN_KAFKA = "KafkaSchemaHistory"
"""The end of the class that keeps the schema history in Kafka."""
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
        edit = _heir(subject, key, value, place)
        idle = _is_replaced(subject, place, value, full, edit)
        yield Violation(
            key,
            f"'{place.name}' was last supported in Debezium {option.until}{successor}{note}",
            edit,
            consequence=Consequence.advice if idle else None,
            severity=Severity.error if not (replaced or idle or key in subject.unknown) else None,
        )


def _is_replaced(subject: Subject, place: OptionPlace, value: str, successor: str, edit: Edit | None) -> bool:
    """Whether the config does without a removed option what it would do with it.

    successor: its full name, or the prefix alone if there is none. edit: the change that keeps the meaning.
    """
    if successor in subject.config or place.name in IDLE or not value.strip():
        return True
    if place.name == DELETES and edit and edit.rename:
        return is_default(subject.option(edit.rename), edit.value or "")
    if successor == OF_OTHERS.get(subject.connector or "", ("",))[0]:
        return True  # with which no table would be captured
    if successor.startswith(f"{HISTORY}.kafka.") and not trim(subject.setting(HISTORY) or "").endswith(IN_KAFKA):
        return True
    narrows = successor.startswith(("database.", "schema.")) and successor.endswith(".include.list")
    if narrows and "table.include.list" in subject.config:
        return True
    return successor != place.prefix and is_default(subject.option(successor), value)


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
    ("none", "true"): "tombstone",
    ("none", "false"): "tombstone",
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
