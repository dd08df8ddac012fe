"""Rules that look up each key in the registry of options: whether it exists in the release."""

import re
from collections.abc import Iterator, Mapping

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.managed import EXAMINED
from outbox_kit.lint.option_keys import is_default, is_of_another_format, places
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.subject import MONGO, Subject
from outbox_kit.router import options
from outbox_kit.router.options import OptionPlace
from outbox_kit.schema.nearest import closest

SLIP = 0.86
WIDER = ("database.include.list", "schema.include.list")
NARROWER = ("table.include.list", "collection.include.list")
"""Lists beside which those above change nothing, if they name tables of what those include."""
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
            idle = full in subject.config or is_default(subject.option(full), subject.config[key])
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
            yield _unknown_option(subject, key, place)


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


OF_CAMEL = (
    "name",
    "offset.",
    "internal.key.converter",
    "internal.value.converter",
    "bridge.error.handler",
    "exception.",
)
"""What begins the parameters that every endpoint of Camel for Debezium has, as options."""


@rule(
    "unknown-endpoint-parameter",
    Consequence.stop,
    of_names=True,
    evidence="C08",
    fix="use the parameter of this release, or pass the option as additionalProperties.<option>",
)
def unknown_endpoint_parameter(subject: Subject) -> Iterator[Violation]:
    """Every parameter of an endpoint of Camel is one that its component has.

    Camel refuses the endpoint: the route does not start.
    """
    for key, _, place in places(subject) if subject.document.refuses_unknown else ():
        is_known = place.option is not None and place.option.is_supported(subject.release)
        if place.prefix == "" and not is_known and not key.startswith(OF_CAMEL):
            yield Violation(key, f"the component of Camel has no parameter for '{key}'")


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
    # without a similar option it is not known what the config lacks
    severity = Severity.error if near and _is_lacking(subject, f"{place.prefix}{near}", subject.config[key]) else None
    return Violation(key, f"{title} has no option '{place.name}'{hint}", edit, severity=severity)


def _is_lacking(subject: Subject, option: str, value: str) -> bool:
    """Whether the connector would do something else if an option had a value."""
    is_narrowed = option in WIDER and any(subject.config.get(narrower) for narrower in NARROWER)
    return option not in subject.config and not is_default(subject.option(option), value) and not is_narrowed


def _near(subject: Subject, place: OptionPlace) -> str | None:
    """The option of which a name is a slip: one of its words is spelled wrongly, or the words are joined otherwise."""
    names = place.catalogue.names(subject.release) if place.catalogue else []
    if place.prefix == "":
        names = names + options.catalogue("connect").names(subject.release)
    joined = [name for name in names if _only_a_slip(place.name, name) or name == f"{place.name}.list"]
    return joined[0] if joined else next((name for name in names if _is_misspelt(place.name, name)), None)


def _is_misspelt(name: str, option: str) -> bool:
    words, others = name.split("."), option.split(".")
    if len(words) != len(others):
        return False
    differing = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    return len(differing) == 1 and _is_slip(*differing[0])


def _is_slip(word: str, other: str) -> bool:
    """Whether a word is another one with a slip: a letter of a long one, an `s` at the end, or letters exchanged."""
    is_plural = word in (f"{other}s", other.removesuffix("s"))
    return is_plural or sorted(word) == sorted(other) or closest(word, [other], SLIP) is not None


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
            unneeded = subject.router is None or not value or is_default(option, value)
            idle = key.startswith("tracing.") or full in subject.config or unneeded
            severity = None if idle or key.endswith(DECIDING) else Severity.warning
            yield Violation(key, message, edit, consequence=Consequence.advice if idle else None, severity=severity)


DECIDING = ("by.field", "topic.regex", "topic.replacement", "event.id", "event.key", "event.payload", "json.payload")
"""Ends of the options of an event router without which events have another topic, key or payload."""


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
