"""Rules about what an option's value is."""

from collections.abc import Iterator

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.meant import (
    CONNECT_CLASSES,
    TRAILING,
    is_of_debezium,
    is_of_step,
    is_unknown_connector,
    known_class,
    known_classes,
    meant_class,
    meant_connector,
    named_classes,
)
from outbox_kit.lint.option_keys import places
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.words import listed
from outbox_kit.router import options
from outbox_kit.router.forms import form_of
from outbox_kit.router.javatext import trim, whole_number
from outbox_kit.router.options import COMPLETE, Option
from outbox_kit.schema.nearest import closest
from outbox_kit.versions import Version

CHECKED_HOSTS = Version.of("2.7")
"""A release that checks host names (RelationalDatabaseConnectorConfig); some before it may."""
UNCHECKED_HOSTS = (MONGODB.name, ORACLE.name)
"""Connectors that take any text as a host."""
HOST = lazy_pattern(r"[a-zA-Z0-9_.-]+")
FORMER_WORDS = ("wal2json", "wal2json_rds", "wal2json_streaming", "wal2json_rds_streaming", "exported")
"""Words that options took before 2.0 alone."""
LIMITS = {"short": 2**15, "int": 2**31, "long": 2**63}
"""What is too large for the number of each type."""


@rule("invalid-value", Consequence.stop, evidence="F02 L03 N10", fix="use a value that the option accepts")
def invalid_value(subject: Subject) -> Iterator[Violation]:
    """Every value is valid in the target release.

    Kafka Connect rejects the connector, or the task fails when it starts.
    """
    for key, value, place in places(subject):
        option = place.option
        if option is None or not option.is_supported(subject.release):
            continue
        if subject.release < COMPLETE and _is_unheard_of(option, trim(value)):
            words = listed(sorted(option.all_values))
            message = f"no release has the value '{trim(value)}' for '{place.name}'; since 2.0 it is {words}"
            yield Violation(key, message, consequence=Consequence.risk)  # older ones may have had it
        if expected := fault(option, value, subject):
            translated = option.translated(value)
            healed = translated != value and fault(option, translated, subject) is None
            yield Violation(
                key,
                f"invalid value '{trim(value)}' for '{place.name}': expected {expected}",
                Edit(key, value=translated) if healed else None,
            )


NUMBER = lazy_pattern(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?")


def fault(option: Option, value: str, subject: Subject) -> str | None:
    """What an option expects in place of a value; None if the value is valid."""
    text = trim(value)
    match option.type:
        case "boolean":
            return None if text.lower() in ("true", "false") else "true or false"
        case "int" | "long" | "short":
            return _number_fault(option, value if _is_own(option, subject) else text)
        case "double":
            return None if NUMBER.fullmatch(text) else "a number"
        case "enum":
            return _word_fault(option, text, subject)
        case _ if _is_own(option, subject):
            form = form_of(option.form or ("class" if option.type == "class" else ""))
            return None if form is None or form.accepts(value) else form.expected
        case _ if form := form_of(option.form):
            return None if form.accepts(text) else form.expected
        case _:
            return None


def _is_unheard_of(option: Option, text: str) -> bool:
    """Whether no release since 2.0 has a word."""
    words = {word.lower() for word in option.all_values}
    return option.type == "enum" and bool(words) and text.lower() not in {*words, *FORMER_WORDS}


def _is_own(option: Option, subject: Subject) -> bool:
    """Whether Debezium checks an option itself, which takes a text as it is written; Kafka Connect trims it before."""
    return subject.connector is not None and options.catalogue(subject.connector).options.get(option.name) is option


def _number_fault(option: Option, text: str) -> str | None:
    number = whole_number(text)
    if number is None:
        return "an integer" if whole_number(text.strip()) is None else "an integer without blanks around it"
    limit, minimum = LIMITS[option.type], option.minimum
    if not -limit <= number < limit:
        return f"an integer of at most {limit - 1}"
    return f"an integer of at least {minimum}" if minimum is not None and number < minimum else None


LIKELY_WORD = 0.7
"""How alike two words of one option are of which one may be meant for the other."""


def _word_fault(option: Option, text: str, subject: Subject) -> str | None:
    words = option.values_at(subject.release)
    if subject.release < COMPLETE:  # whose words are not known
        return None
    if not words or text.lower() in [word.lower() for word in words]:
        return None
    suggestion = option.translated(text)
    if suggestion == text:
        suggestion = closest(text.lower(), words, LIKELY_WORD) or ""
    hint = f"; did you mean '{suggestion}'?" if suggestion else ""
    return f"{listed(words)}{hint}"


@rule("left-at-default", Consequence.risk, evidence="I06 N09", fix="set the options")
def left_at_default(_subject: Subject) -> Iterator[Violation]:
    """Options whose default suits few connectors are set.

    Each line names an option, what its default means, and the rule that says more: `outbox-kit explain RULE`.
    """
    yield from ()  # the findings of those rules about one connector are merged into it


@rule("conflicting-options", Consequence.stop, of_names=True, evidence="N10", fix="remove one of the two options")
def conflicting_options(subject: Subject) -> Iterator[Violation]:
    """No option excludes what another one includes.

    Kafka Connect rejects a connector with both, also if one of them is empty.
    """
    for key, _, place in places(subject):
        for other in place.option.conflicts if place.option else ():
            if other in subject.config:
                yield Violation(key, f"'{key}' and '{other}' are both set")


@rule("queue-not-larger", Consequence.stop, evidence="N10", fix="set max.queue.size to a multiple of max.batch.size")
def queue_not_larger(subject: Subject) -> Iterator[Violation]:
    """The queue of a connector is larger than a batch.

    Kafka Connect rejects the connector.
    """
    sizes = ("max.queue.size", "max.batch.size")
    texts = [subject.setting(key) or "" for key in sizes]
    queue, batch = map(whole_number, texts)
    if subject.says(*sizes) and queue is not None and batch is not None and queue <= batch:
        key = next((key for key in sizes if key in subject.config), sizes[0])
        yield Violation(key, f"max.queue.size is {texts[0]}, and max.batch.size is {texts[1]}")


@rule("invalid-host", Consequence.stop, evidence="N10", fix="name a host, and its port in database.port")
def invalid_host(subject: Subject) -> Iterator[Violation]:
    """database.hostname is the name or the IPv4 address of a host, and nothing else.

    Kafka Connect rejects the connector: letters, digits, dots, hyphens and underscores are allowed.
    """
    key = "database.hostname"
    host = subject.config.get(key, "")
    if host and subject.says(key) and subject.release >= CHECKED_HOSTS and subject.connector not in UNCHECKED_HOSTS:
        if not HOST.fullmatch(host):
            yield Violation(key, f"invalid host name '{host}'")


LINK = lazy_pattern(r"\[[^\]]*\]\((?:https?://|www\.)[^)]*\)")
"""A link as Markdown has it."""


@rule("link-as-address", Consequence.stop, of_names=True, evidence="N10", fix="write the address alone")
def link_as_address(subject: Subject) -> Iterator[Violation]:
    """An address does not stand in a link of Markdown.

    Editors of pages make one of an address that is pasted. With its brackets it is not an address.
    """
    for key, value in subject.config.items():
        if LINK.search(value):
            yield Violation(key, f"'{value.strip()}' is a link of a page, not an address")


@rule("removed-class", Consequence.stop, evidence="O A15 E04", fix="use the successor")
def removed_class(subject: Subject) -> Iterator[Violation]:
    """Every class still exists in the target release.

    Kafka Connect rejects the connector: the class is not found.
    """
    for key, name in named_classes(subject.document.config):
        described = known_class(name)
        until = described.facts.get("until") if described else None
        if described and until and Option("", "", until=until).removed_by(subject.release):
            successor = described.facts.get("successor")
            hint = f"; its successor is '{successor}'" if successor else ""
            edit = Edit(key, value=successor) if successor else None
            yield Violation(key, f"'{name}' was last supported in Debezium {until}{hint}", edit)


STORAGE = ("offset.storage", "schema.history.internal")
"""Options and settings that name a class of a storage."""
MOVED = {
    "io.debezium.relational.history.FileDatabaseHistory": "io.debezium.storage.file.history.FileSchemaHistory",
    "io.debezium.relational.history.KafkaDatabaseHistory": "io.debezium.storage.kafka.history.KafkaSchemaHistory",
    "io.debezium.relational.history.MemoryDatabaseHistory": "io.debezium.relational.history.MemorySchemaHistory",
    "io.debezium.server.redis.RedisDatabaseHistory": "io.debezium.storage.redis.history.RedisSchemaHistory",
}
"""Classes of storages by their names before Debezium 2.0, and since."""
KEPT = {
    "io.debezium.server.redis.RedisSchemaHistory": "io.debezium.storage.redis.history.RedisSchemaHistory",
    "io.debezium.server.redis.RedisOffsetBackingStore": "io.debezium.storage.redis.offset.RedisOffsetBackingStore",
}
"""Those that Debezium Server still has under both names, the former ones deprecated."""


@rule("removed-storage-class", Consequence.stop, since="2.0", evidence="O J06", fix="use the new name of the class")
def removed_storage_class(subject: Subject) -> Iterator[Violation]:
    """Every class of a storage of positions or of the schema history still exists.

    The connector or Debezium Server does not start: the class is not found.
    """
    for key, name in [*subject.config.items(), *subject.document.settings.items()]:
        if not key.endswith(STORAGE):
            continue
        if successor := MOVED.get(trim(name)):
            yield Violation(key, f"'{trim(name)}' is called '{successor}' since Debezium 2.0")
        elif successor := KEPT.get(trim(name)):
            message = f"'{trim(name)}' is deprecated: it is called '{successor}' since Debezium 2.0"
            yield Violation(key, message, consequence=Consequence.advice)


NO_CLASS = lazy_pattern(r"[a-z][\w-]*")
"""A name without a package, which in Java begins with a capital letter."""


@rule("unknown-class", Consequence.risk, evidence="N10", fix="correct the name of the class")
def unknown_class(subject: Subject) -> Iterator[Violation]:
    """Every class of Debezium or Kafka exists.

    Kafka Connect rejects a connector if one of its classes is not found.
    """
    for key, name in named_classes(subject.document.config):
        plain = name.partition("$")[0]
        if not plain.startswith(CONNECT_CLASSES) or known_class(name):
            continue
        if parts := [part for part in known_classes() if part.partition("$")[0] == plain]:
            expected = " or ".join(f"'{part}'" for part in parts)
            yield Violation(key, f"unknown class '{name}': expected {expected}", consequence=Consequence.stop)
        else:
            yield Violation(key, f"unknown class '{name}'{_proposed(meant_class(name))}")
    class_name = TRAILING.sub("", trim(subject.document.config.get("connector.class", "")))
    if is_of_step(class_name) or (class_name and NO_CLASS.fullmatch(class_name)):
        message = f"'{class_name}' is not a connector"
        yield Violation("connector.class", message, consequence=Consequence.stop)
    elif is_unknown_connector(class_name):
        consequence = Consequence.stop if is_of_debezium(class_name) else None
        message = f"unknown connector class '{class_name}'{_proposed(meant_connector(class_name))}"
        yield Violation("connector.class", message, consequence=consequence)


SERIALIZERS = ("Serializer", "Deserializer", "Serde")


ADJUSTMENT = "schema.name.adjustment.mode"
OF_AVRO = lazy_pattern(r"[\w.]*")
"""Characters that names in Avro may have."""


@rule(
    "avro-name-invalid",
    Consequence.risk,
    since="2.0",
    of_names=True,
    evidence="N10",
    fix="set schema.name.adjustment.mode=avro",
)
def avro_name_invalid(subject: Subject) -> Iterator[Violation]:
    """The names of schemas are valid in Avro.

    They begin with the prefix of the topics, and are not adjusted by default. A registry may refuse a hyphen: Invalid
    namespace.
    """
    key, prefix = "topic.prefix", trim(subject.config.get("topic.prefix", ""))
    adjusts = subject.config.get(ADJUSTMENT, "none").strip().lower() != "none" or not subject.says(ADJUSTMENT, key)
    writes = subject.converter_in_use("value").endswith("AvroConverter") and not subject.router
    if writes and not adjusts and not OF_AVRO.fullmatch(prefix):
        yield Violation(key, f"'{prefix}' has characters that names in Avro may not have")


REGISTRY_URL = "{}.converter.schema.registry.url"
NATIVE_API = lazy_pattern(r"https?://[^/]+/(?:apis/registry\b.*|api)/?")
"""The address of Apicurio's own API."""


@rule(
    "registry-api-of-apicurio",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="use the address of the compatible API: /apis/ccompat/v7",
)
def registry_api_of_apicurio(subject: Subject) -> Iterator[Violation]:
    """The converters of Confluent get the API of a registry that they know.

    Apicurio has it at another path than its own API, where they find nothing: the task fails with 404.
    """
    for part in ("key", "value"):
        key = REGISTRY_URL.format(part)
        if subject.converter(part).startswith("io.confluent.") and NATIVE_API.fullmatch(subject.config.get(key, "")):
            yield Violation(key, f"'{subject.config[key]}' is the address of Apicurio's own API")


@rule("no-converter", Consequence.stop, evidence="N10", fix="use the converter of the format, such as AvroConverter")
def no_converter(subject: Subject) -> Iterator[Violation]:
    """Every converter is a class for Kafka Connect, not a serializer of Kafka's clients.

    Kafka Connect rejects a connector with another class as its converter.
    """
    for part in ("key", "value", "header"):
        name = subject.converter(part)
        if name.endswith(SERIALIZERS):
            yield Violation(f"{part}.converter", f"'{name}' is not a converter")


def _proposed(near: str) -> str:
    return f"; did you mean '{near}'?" if near else ""
