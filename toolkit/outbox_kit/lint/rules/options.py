"""Every key of a config against the registry: does it exist, is it alive, does it take that value."""

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


@rule("odd-key", Severity.error, evidence="N12", fix="correct the key's spelling; look for a stray quote or comma")
def odd_key(subject: Subject) -> Iterator[Violation]:
    """A key holds a quote mark, a blank or another character that no option has.

    Connect takes it for an option of that very name and ignores it; the option that was meant is not set.
    """
    for key in subject.config:
        if not well_formed(key) and subject.option(key) is None:  # a table's name may hold anything
            cleaned = re.sub(r"[\"'\s,;{}=]", "", key)
            edit = Edit(key, rename=cleaned) if cleaned and cleaned not in subject.config else None
            yield Violation(key, f"'{key}' is no option's name", edit)


@rule("duplicate-key", Severity.error, evidence="N12", fix="keep the one that is meant")
def duplicate_key(subject: Subject) -> Iterator[Violation]:
    """A key stands twice in the config.

    Only the last of them counts, and nothing says which that is when somebody reads the first.
    """
    for key in subject.document.twice:
        yield Violation(key, f"'{key}' stands here more than once; the last one counts")


@rule("value-not-text", Severity.error, evidence="N12", fix="write the value as one text; lists with commas")
def value_not_text(subject: Subject) -> Iterator[Violation]:
    """A value is a list or an object.

    Connect's REST API takes text for every option and refuses the whole config.
    """
    for key, kind in subject.document.odd.items():
        yield Violation(key, f"'{key}' is {kind}; every value of a connector's config is text")


@rule("invented-option", Severity.warning, evidence="C08 D10 H06", fix="use the option that does what was meant")
def invented_option(subject: Subject) -> Iterator[Violation]:
    """The option has never existed, though it is found in many examples.

    It is ignored in silence, and the default holds in its place.
    """
    for key, _, place in places(subject):
        invented = _invented(place)
        if place.option is None and place.name in invented:
            replacement = invented[place.name]
            yield Violation(key, f"'{place.name}' has never existed; {_meant(replacement)}")


def _invented(place: OptionPlace) -> Mapping[str, str]:
    invented: Mapping[str, str] = (place.catalogue.facts.get("invented") or {}) if place.catalogue else {}
    return invented


def _meant(successor: str) -> str:
    return f"what was meant is '{successor}'" if successor else "nothing does what its name says"


@rule("unknown-option", Severity.warning, evidence="C08 B06", fix="correct its name, or take it out")
def unknown_option(subject: Subject) -> Iterator[Violation]:
    """Neither the connector, the transformation nor Connect has such an option in any release.

    Unknown options are ignored in silence; what was meant is not in force.
    """
    for key, _, place in places(subject):
        if place.option is not None or place.name in _invented(place) or _elsewhere(place):
            continue
        if _spoken_of(subject, key, place):
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


def _spoken_of(subject: Subject, key: str, place: OptionPlace) -> bool:
    """Whether the rule dead-letter-queue, schemas-enable-ignored or expansion-unread says more about it."""
    of_mongo = subject.option_prefix == MONGO and place.name.startswith("table.")
    return of_mongo or key.startswith("errors.deadletterqueue.") or key.endswith("converter.schemas.enable")


def _only_a_slip(name: str, near: str) -> bool:
    """Whether a name is another one but for its case, or for dashes and underscores where dots should be."""
    return re.sub(r"[-_]", ".", name).lower() == near


def _elsewhere(place: OptionPlace) -> bool:
    """Whether other rules speak of it: it belongs to the worker, or it lacks its prefix."""
    return place.prefix == "" and (place.name in options.catalogue("worker").options or _without_prefix(place.name))


def _without_prefix(name: str) -> bool:
    return any(options.catalogue(source).find(name) for source in options.ROUTER_FILES.values()) and "." in name


@rule("option-without-prefix", Severity.error, evidence="N12", fix="write it with its transformation's prefix")
def option_without_prefix(subject: Subject) -> Iterator[Violation]:
    """An option of the event router stands at the connector's own level.

    Without `transforms.<name>.` before it, the router never sees it.
    """
    for key, _, place in places(subject):
        if place.prefix == "" and place.option is None and _without_prefix(key):
            full = subject.router.key(key) if subject.router else f"{options.TRANSFORM}{key}"
            edit = Edit(key, rename=full) if subject.router and full not in subject.config else None
            yield Violation(key, f"'{key}' belongs to the event router; write '{full}'", edit)


@rule("worker-option", Severity.warning, evidence="N05", fix="set it in the worker's configuration, or take it out")
def worker_option(subject: Subject) -> Iterator[Violation]:
    """The option belongs to the Connect worker and does nothing in a connector's config.

    It is ignored here; the worker goes on with its own setting.
    """
    for key, _, place in places(subject):
        if place.prefix == "" and place.option is None and key in options.catalogue("worker").options:
            yield Violation(key, f"'{key}' is an option of the worker, not of a connector", Edit(key))


@rule("removed-option", Severity.warning, evidence="O", fix="use its successor, or take it out")
def removed_option(subject: Subject) -> Iterator[Violation]:
    """The option no longer exists in the target release.

    It is ignored in silence there, and the default of what took its place holds.
    """
    for key, value, place in places(subject):
        option = place.option
        if option is None or not option.removed_by(subject.release) or _changes_meaning(subject, place, value):
            continue
        heir = _successor(option, place.name)
        successor = f"; its successor is '{heir}'" if heir else ""
        note = f". {option.note}" if option.note else ""
        yield Violation(
            key, f"'{place.name}' ended with {option.until}{successor}{note}", _heir(subject, key, value, place)
        )


def _changes_meaning(subject: Subject, place: OptionPlace, value: str) -> bool:
    """Whether the rule missing-column-behaviour says more about it."""
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


@rule("option-of-a-later-release", Severity.warning, evidence="A08 D04", fix="take it out, or run a later release")
def option_of_a_later_release(subject: Subject) -> Iterator[Violation]:
    """The option does not exist yet in the target release.

    It is ignored in silence there.
    """
    for key, _, place in places(subject):
        if place.option is not None and not place.option.introduced_by(subject.release):
            yield Violation(key, f"'{place.name}' begins with {place.option.since}")


@rule("inert-option", Severity.warning, evidence="D01 A24", fix="say it by a placement, such as type:header:eventType")
def inert_option(subject: Subject) -> Iterator[Violation]:
    """The option is accepted and does nothing.

    Whoever set it believes that it has an effect.
    """
    for key, _, place in places(subject):
        if place.option is not None and place.option.no_effect_since and place.option.is_supported(subject.release):
            note = place.option.note or "it is accepted and never read"
            yield Violation(
                key, f"'{place.name}' does nothing since {place.option.no_effect_since}: {note[0].lower()}{note[1:]}"
            )


@rule("bad-value", Severity.error, evidence="F02 L03 N10", fix="use one of the values that the option takes")
def bad_value(subject: Subject) -> Iterator[Violation]:
    """The option does not take that value in the target release.

    The connector is refused, or its task fails at its start.
    """
    for key, value, place in places(subject):
        option = place.option
        if option is None or not option.is_supported(subject.release) or REFERENCE.search(value):
            continue
        if fault := _fault(option, value, subject):
            translated = option.translated(value)
            healed = translated != value and _fault(option, translated, subject) is None
            yield Violation(key, f"'{place.name}' {fault}", Edit(key, value=translated) if healed else None)


def _fault(option: Option, value: str, subject: Subject) -> str | None:
    """What is wrong with a value, in the words that follow the option's name; None if nothing is."""
    text = trim(value)
    match option.type:
        case "boolean":
            return None if text.lower() in ("true", "false") else f"takes true or false, not '{value}'"
        case "int" | "long" | "short":
            return None if WHOLE.fullmatch(text) else f"takes a whole number, not '{value}'"
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
    hint = f"; use '{suggestion}'" if suggestion else ""
    return f"takes {_listed(words)}, not '{text}'{hint}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


@rule("missing-option", Severity.error, evidence="O J02 J06 J09", fix="set the option")
def missing_option(subject: Subject) -> Iterator[Violation]:
    """An option without which the connector does not start is not set.

    Connect refuses the config, or the task fails at its start.
    """
    if "connector.class" not in subject.config:
        yield Violation("connector.class", "'connector.class' is not set; little can be said without it")
    facts = options.catalogue(subject.connector).facts if subject.connector else {}
    unless = facts.get("required_unless", {})
    for name in [*facts.get("required", ()), *unless]:
        option = subject.option(name)
        needed = option is not None and option.is_supported(subject.release) and unless.get(name) not in subject.config
        if name not in subject.config and needed:
            yield Violation("connector.class", f"'{name}' is not set")


@rule("removed-class", Severity.error, evidence="O A15 E04", fix="use the class that took its place")
def removed_class(subject: Subject) -> Iterator[Violation]:
    """A class that the target release no longer has.

    Connect refuses the connector: the class is not found.
    """
    for key, name in _named_classes(subject):
        described = options.classes("converters").get(name) or options.classes("transforms").get(name)
        until = described.facts.get("until") if described else None
        if described and until and Option("", "", until=until).removed_by(subject.release):
            successor = described.facts.get("successor")
            hint = f"; its successor is '{successor}'" if successor else ""
            edit = Edit(key, value=successor) if successor else None
            yield Violation(key, f"'{name}' ended with Debezium {until}{hint}", edit)


@rule("unknown-class", Severity.warning, evidence="N10", fix="correct the class's name")
def unknown_class(subject: Subject) -> Iterator[Violation]:
    """A class with a name of Debezium's or Kafka's that neither has.

    Connect refuses a connector whose classes it cannot find.
    """
    class_names = [*options.classes("converters"), *options.classes("transforms"), *options.classes("predicates")]
    class_names += options.ROUTER_FILES
    for key, name in _named_classes(subject):
        plain = name.removesuffix("$Key").removesuffix("$Value")
        if plain.startswith(CONNECT_CLASSES) and plain not in class_names and name not in class_names:
            near = closest(name, class_names, LIKELY)
            yield Violation(key, f"no class '{name}' is known" + (f"; did you mean '{near}'?" if near else ""))
    class_name = trim(subject.config.get("connector.class", ""))
    if class_name.startswith("io.debezium.") and subject.connector is None:
        near = closest(class_name, list(options.connectors()), LIKELY)
        yield Violation(
            "connector.class", f"no connector '{class_name}' is known" + (f"; did you mean '{near}'?" if near else "")
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
