"""Rules that look up each key in the registry of options: existence, release, value."""

import re
from collections.abc import Iterator, Mapping, Sequence

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Edit, Violation, rule
from outbox_kit.lint.subject import MONGO, Subject
from outbox_kit.router import options
from outbox_kit.router.javatext import trim
from outbox_kit.router.options import Option, OptionPlace
from outbox_kit.schema.nearest import closest

LIKELY = 0.78
REFERENCE = re.compile(r"\$\{[^}]+\}")
WHOLE = re.compile(r"[+-]?\d+")
CONNECT_CLASSES = ("io.debezium.", "org.apache.kafka.connect.")


def places(subject: Subject) -> Iterator[tuple[str, str, OptionPlace]]:
    """Each key with its value and its place, where the registry knows the class that it belongs to."""
    for key, value in subject.config.items():
        if well_formed(key):
            place = subject.places[key]
            if place.catalogue is not None:
                yield key, value, place


def well_formed(key: str) -> bool:
    """Whether a key is made of what options are made of."""
    return not set(key) & set("\"'\t\r\n ,;{}=")


@rule(
    "malformed-key",
    Severity.error,
    evidence="N12",
    fix="correct the spelling of the key; look for a stray quote or comma",
)
def malformed_key(subject: Subject) -> Iterator[Violation]:
    """Every key is a well-formed option name.

    Kafka Connect ignores a key with a quote, a blank or another invalid character; the intended option is not set.
    """
    for key in subject.config:
        if not well_formed(key) and subject.option(key) is None:  # a table's name may contain any character
            cleaned = re.sub(r"[\"'\s,;{}=]", "", key)
            edit = Edit(key, rename=cleaned) if cleaned and cleaned not in subject.config else None
            yield Violation(key, f"invalid option name '{key}'", edit)


@rule("duplicate-key", Severity.error, evidence="N12", fix="remove all but one")
def duplicate_key(subject: Subject) -> Iterator[Violation]:
    """Every key occurs once.

    Only the last value applies.
    """
    for key in subject.document.twice:
        yield Violation(key, f"'{key}' is set more than once; the last value applies")


@rule(
    "value-not-string",
    Severity.error,
    evidence="N12",
    fix="write the value as one string; separate the entries of a list with commas",
)
def value_not_string(subject: Subject) -> Iterator[Violation]:
    """Every value is a string.

    The REST API of Kafka Connect rejects the whole config if a value is a list or an object.
    """
    for key, kind in subject.document.odd.items():
        yield Violation(key, f"'{key}' is {kind}; expected a string")


@rule("nonexistent-option", Severity.warning, evidence="C08 D10 H06", fix="use the option that has the intended effect")
def nonexistent_option(subject: Subject) -> Iterator[Violation]:
    """No option comes from an incorrect example.

    Some published configs contain options that have never existed. They are ignored without an error, and the default
    applies.
    """
    for key, _, place in places(subject):
        invented = _invented(place)
        if place.option is None and place.name in invented:
            replacement = invented[place.name]
            yield Violation(key, f"'{place.name}' has never existed; {_intended(replacement)}")


def _invented(place: OptionPlace) -> Mapping[str, str]:
    invented: Mapping[str, str] = (place.catalogue.facts.get("invented") or {}) if place.catalogue else {}
    return invented


def _intended(successor: str) -> str:
    return f"the intended option is probably '{successor}'" if successor else "no option has this effect"


@rule("unknown-option", Severity.warning, evidence="C08 B06", fix="correct the name, or remove the option")
def unknown_option(subject: Subject) -> Iterator[Violation]:
    """Every option is known to the connector, to one of its classes or to Kafka Connect.

    An unknown option is ignored without an error; the intended setting is not in effect.
    """
    for key, _, place in places(subject):
        if place.option is not None or place.name in _invented(place) or _elsewhere(place):
            continue
        if _has_own_rule(subject, key, place):
            continue
        names = place.catalogue.names(subject.release) if place.catalogue else []
        if place.prefix == "":
            names = names + options.catalogue("connect").names(subject.release)
        near = closest(place.name, names, LIKELY)
        hint = f"; did you mean '{near}'?" if near else ""
        free = near is not None and f"{place.prefix}{near}" not in subject.config
        edit = Edit(key, rename=f"{place.prefix}{near}") if free and _only_a_slip(place.name, near or "") else None
        title = place.catalogue.title if place.catalogue else "the connector"
        yield Violation(key, f"{title} has no option '{place.name}'{hint}", edit)


def _has_own_rule(subject: Subject, key: str, place: OptionPlace) -> bool:
    """Whether the rule dead-letter-queue-on-source, schemas-enable-ignored or mongo-table-option says more about it."""
    of_mongo = subject.option_prefix == MONGO and place.name.startswith("table.")
    return of_mongo or key.startswith("errors.deadletterqueue.") or key.endswith("converter.schemas.enable")


def _only_a_slip(name: str, near: str) -> bool:
    """Whether two names differ only in case, or in dashes and underscores instead of dots."""
    return re.sub(r"[-_]", ".", name).lower() == near


def _elsewhere(place: OptionPlace) -> bool:
    """Whether other rules speak of it: it belongs to the worker, or it lacks its prefix."""
    return place.prefix == "" and (place.name in options.catalogue("worker").options or _without_prefix(place.name))


def _without_prefix(name: str) -> bool:
    return any(options.catalogue(source).find(name) for source in options.ROUTER_FILES.values()) and "." in name


@rule("option-without-prefix", Severity.error, evidence="N12", fix="add the prefix of the transformation")
def option_without_prefix(subject: Subject) -> Iterator[Violation]:
    """The options of the event router have the prefix of the transformation.

    Without `transforms.<name>.` the event router does not read the option.
    """
    for key, _, place in places(subject):
        if place.prefix == "" and place.option is None and _without_prefix(key):
            full = subject.router.key(key) if subject.router else f"{options.TRANSFORM}{key}"
            edit = Edit(key, rename=full) if subject.router and full not in subject.config else None
            yield Violation(key, f"'{key}' is an option of the event router; its full name is '{full}'", edit)


@rule(
    "worker-option",
    Severity.warning,
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


@rule("removed-option", Severity.warning, evidence="O", fix="use the successor, or remove the option")
def removed_option(subject: Subject) -> Iterator[Violation]:
    """Every option still exists in the target release.

    A removed option is ignored without an error, and the default of its successor applies.
    """
    for key, value, place in places(subject):
        option = place.option
        if option is None or not option.removed_by(subject.release) or _changes_meaning(subject, place, value):
            continue
        heir = _successor(option, place.name)
        successor = f"; its successor is '{heir}'" if heir else ""
        note = f": {_clause(option.note)}" if option.note else ""
        yield Violation(
            key,
            f"'{place.name}' was last supported in Debezium {option.until}{successor}{note}",
            _heir(subject, key, value, place),
        )


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
    if not option.successor:
        return Edit(key)
    full = f"{place.prefix}{_successor(option, place.name)}"
    heir = subject.option(full)
    if heir is None or not heir.is_supported(subject.release):
        return None
    if full in subject.config:
        return Edit(key) if subject.config[full] == value else None
    translated = option.translated(value)
    return Edit(key, rename=full, value=translated) if _fault(heir, translated, subject) is None else None


@rule("option-too-new", Severity.warning, evidence="A08 D04", fix="remove the option, or use a later release")
def option_too_new(subject: Subject) -> Iterator[Violation]:
    """Every option already exists in the target release.

    An option of a later release is ignored without an error.
    """
    for key, _, place in places(subject):
        if place.option is not None and not place.option.introduced_by(subject.release):
            yield Violation(key, f"'{place.name}' requires Debezium {place.option.since} or later")


@rule(
    "option-without-effect",
    Severity.warning,
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
            yield Violation(key, f"{since}: {_clause(note)}")


@rule("invalid-value", Severity.error, evidence="F02 L03 N10", fix="use a value that the option accepts")
def invalid_value(subject: Subject) -> Iterator[Violation]:
    """Every value is valid in the target release.

    Kafka Connect rejects the connector, or the task fails when it starts.
    """
    for key, value, place in places(subject):
        option = place.option
        if option is None or not option.is_supported(subject.release) or REFERENCE.search(value):
            continue
        if fault := _fault(option, value, subject):
            translated = option.translated(value)
            healed = translated != value and _fault(option, translated, subject) is None
            yield Violation(
                key,
                f"invalid value '{trim(value)}' for '{place.name}': expected {fault}",
                Edit(key, value=translated) if healed else None,
            )


def _fault(option: Option, value: str, subject: Subject) -> str | None:
    """What an option expects in place of a value; None if the value is valid."""
    text = trim(value)
    match option.type:
        case "boolean":
            return None if text.lower() in ("true", "false") else "true or false"
        case "int" | "long" | "short":
            return None if WHOLE.fullmatch(text) else "an integer"
        case "enum":
            return _word_fault(option, text, subject)
        case _:
            return None


def _word_fault(option: Option, text: str, subject: Subject) -> str | None:
    words = option.values_at(subject.release)
    if not words or text.lower() in [word.lower() for word in words]:
        return None
    suggestion = option.translated(text)
    if suggestion == text:
        suggestion = closest(text.lower(), words) or ""
    hint = f"; did you mean '{suggestion}'?" if suggestion else ""
    return f"{_listed(words)}{hint}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


@rule("required-option-missing", Severity.error, evidence="O J02 J06 J09", fix="set the option")
def required_option_missing(subject: Subject) -> Iterator[Violation]:
    """All required options are set.

    Kafka Connect rejects the config, or the task fails when it starts.
    """
    if "connector.class" not in subject.config:
        yield Violation("connector.class", "'connector.class' is not set; most rules cannot be checked without it")
    facts = options.catalogue(subject.connector).facts if subject.connector else {}
    unless = facts.get("required_unless", {})
    for name in [*facts.get("required", ()), *unless]:
        option = subject.option(name)
        needed = option is not None and option.is_supported(subject.release) and unless.get(name) not in subject.config
        if name not in subject.config and needed:
            yield Violation("connector.class", f"'{name}' is not set")


@rule("removed-class", Severity.error, evidence="O A15 E04", fix="use the successor")
def removed_class(subject: Subject) -> Iterator[Violation]:
    """Every class still exists in the target release.

    Kafka Connect rejects the connector: the class is not found.
    """
    for key, name in _named_classes(subject):
        described = options.classes("converters").get(name) or options.classes("transforms").get(name)
        until = described.facts.get("until") if described else None
        if described and until and Option("", "", until=until).removed_by(subject.release):
            successor = described.facts.get("successor")
            hint = f"; its successor is '{successor}'" if successor else ""
            edit = Edit(key, value=successor) if successor else None
            yield Violation(key, f"'{name}' was last supported in Debezium {until}{hint}", edit)


@rule("unknown-class", Severity.warning, evidence="N10", fix="correct the name of the class")
def unknown_class(subject: Subject) -> Iterator[Violation]:
    """Every class of Debezium or Kafka exists.

    Kafka Connect rejects a connector if one of its classes is not found.
    """
    class_names = [*options.classes("converters"), *options.classes("transforms"), *options.classes("predicates")]
    class_names += options.ROUTER_FILES
    for key, name in _named_classes(subject):
        plain = name.removesuffix("$Key").removesuffix("$Value")
        if plain.startswith(CONNECT_CLASSES) and plain not in class_names and name not in class_names:
            near = closest(name, class_names, LIKELY)
            yield Violation(key, f"unknown class '{name}'" + (f"; did you mean '{near}'?" if near else ""))
    class_name = trim(subject.config.get("connector.class", ""))
    if class_name.startswith("io.debezium.") and subject.connector is None:
        near = closest(class_name, list(options.connectors()), LIKELY)
        yield Violation(
            "connector.class", f"unknown connector class '{class_name}'" + (f"; did you mean '{near}'?" if near else "")
        )


def _named_classes(subject: Subject) -> Iterator[tuple[str, str]]:
    for key, value in subject.config.items():
        ending = key.rsplit(".", 1)[-1]
        if (
            key in ("key.converter", "value.converter", "header.converter")
            or key.endswith("delegate.converter.type")
            or (ending == "type" and key.startswith(("transforms.", "predicates.")) and key.count(".") == 2)
        ):
            yield key, trim(value)
