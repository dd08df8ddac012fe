"""Rules about options that are missing."""

from collections.abc import Iterator

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.lint.option_keys import places
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options
from outbox_kit.router.javatext import trim
from outbox_kit.router.options import COMPLETE

HISTORY = "schema.history.internal"
"""The class of the schema history, whose default is a topic of Kafka."""


@rule("required-option-missing", Consequence.stop, evidence="O J02 J06 J09", fix="set the option")
def required_option_missing(subject: Subject) -> Iterator[Violation]:
    """All required options are set.

    Kafka Connect rejects the config, or the task fails when it starts.
    """
    if "connector.class" not in subject.document.config:
        title = options.catalogue(subject.connector).title if subject.connector else ""
        message = f"its options are those of {title}" if title else "most rules cannot be checked without it"
        yield Violation("connector.class", f"'connector.class' is not set; {message}", unset="connector.class")
    if subject.release < COMPLETE:
        yield from _missing_formerly(subject)
        return
    facts = subject.facts
    unless = facts.get("required_unless", {})
    is_elsewhere = subject.document.supplemented or _is_database_elsewhere(subject)
    for name in dict.fromkeys([*facts.get("required", ()), *(_in_its_place(name, subject) for name in unless)]):
        option = subject.option(name)  # None for a connector of which no more is known
        is_read = option is None or option.is_supported(subject.release)
        needed = is_read and unless.get(name) not in subject.config and not is_elsewhere
        if needed and name not in subject.config:
            yield Violation("connector.class", f"'{name}' is not set", unset=name)
        elif needed and not subject.config[name].strip():
            yield Violation(name, f"'{name}' is empty")
    for key, value, place in places(subject):
        for needed_name in place.option.requires.get(trim(value).lower(), ()) if place.option else ():
            # a former name is no substitute for one that a release asks for
            names = [needed_name] if _is_read(subject, needed_name) else _former(subject, needed_name) or [needed_name]
            if not any(subject.config.get(name, "").strip() for name in names) and subject.says(key, *names):
                yield Violation(key, f"'{names[0]}' is not set; '{key}' is '{trim(value)}'", unset=names[0])


OF_PROGRAMS = ("clickhouse.server.",)
"""What options of a program begin with that has the connector's options too: Altinity's sink for ClickHouse."""


def _is_database_elsewhere(subject: Subject) -> bool:
    """Whether a file of a Debezium Server or of an engine names no database, as something else does.

    The container of a server has variables for that, and a program its own settings, or defaults.
    """
    if any(key.startswith(OF_PROGRAMS) for key in subject.config):
        return True
    is_file = bool(subject.document.settings) and subject.source.endswith(".properties")
    return is_file and not any(key.startswith(("database.", "mongodb.", "topic.prefix")) for key in subject.config)


NAMING = "io.debezium.schema.DefaultRegexTopicNamingStrategy"


@rule("topic-naming-incomplete", Consequence.stop, evidence="N10", fix="set topic.regex and topic.replacement")
def topic_naming_incomplete(subject: Subject) -> Iterator[Violation]:
    """A naming of topics by an expression has the expression and its replacement.

    The connector does not start without them.
    """
    key = "topic.naming.strategy"
    if trim(subject.config.get(key, "")) == NAMING:
        for name in ("topic.regex", "topic.replacement"):
            if name not in subject.config and subject.says(key):
                yield Violation(key, f"'{name}' is not set", unset=name)


NAMINGS = frozenset(
    f"{kind}{form}TopicNamingStrategy" for kind in ("Schema", "Default") for form in ("", "Unicode", "Regex")
)
"""The classes that name topics (`io.debezium.schema`)."""


@rule("topic-naming-unknown", Consequence.stop, evidence="O", fix="use a class that Debezium has")
def topic_naming_unknown(subject: Subject) -> Iterator[Violation]:
    """The class that names the topics exists.

    The connector does not start without it.
    """
    key = "topic.naming.strategy"
    package, _, name = trim(subject.config.get(key, "")).rpartition(".")
    if package.startswith("io.debezium.") and (package != "io.debezium.schema" or name not in NAMINGS):
        yield Violation(key, f"Debezium has no class '{package}.{name}'")


def _former(subject: Subject, name: str) -> list[str]:
    """The former names of an option that are still read."""
    every = options.catalogue(subject.connector).options if subject.connector else {}
    return [other for other, option in every.items() if option.successor == name and _is_read(subject, other)]


def _is_read(subject: Subject, name: str) -> bool:
    """Whether the release reads an option."""
    option = subject.option(name)
    return option is not None and option.is_supported(subject.release)


FORMERLY = {
    "database.server.name": "",
    "database.history.kafka.bootstrap.servers": "database.history",
    "database.history.kafka.topic": "database.history",
}
"""What connectors required before 2.0, and the option that makes it unnecessary."""


def _missing_formerly(subject: Subject) -> Iterator[Violation]:
    """The options that a connector lacks which is of a release before 2.0."""
    if subject.connector is None or subject.connector == MONGODB.name:
        return
    keeps_history = "required_unless" in subject.facts
    for name, unless in FORMERLY.items():
        needed = not unless or (keeps_history and unless not in subject.config)
        if needed and name not in subject.config and subject.says(name):
            yield Violation("connector.class", f"'{name}' is not set", unset=name)


REGEX_NAMING = (
    "io.debezium.schema.DefaultRegexTopicNamingStrategy",
    "io.debezium.schema.SchemaRegexTopicNamingStrategy",
)
AT_START = {
    ("signal.enabled.channels", "kafka"): "signal.kafka.bootstrap.servers",
    ("notification.enabled.channels", "sink"): "notification.sink.topic.name",
    ("log.mining.buffer.type", "infinispan_embedded"): "log.mining.buffer.infinispan.cache.transactions",
    ("log.mining.buffer.type", "ehcache"): "log.mining.buffer.ehcache.transactions.config",
    ("log.mining.strategy", "dictionary_from_file"): "log.mining.path.dictionary",
    ("capture.scope", "database"): "capture.target",
    ("capture.scope", "collection"): "capture.target",
    **dict.fromkeys([("topic.naming.strategy", name) for name in REGEX_NAMING], "topic.regex"),
}
"""Values, and what the task needs with them when it starts; the validation of the connector does not ask for it."""


@rule("needed-at-start", Consequence.stop, evidence="N10", fix="set the option")
def needed_at_start(subject: Subject) -> Iterator[Violation]:
    """All options are set without which the task does not start.

    Kafka Connect accepts the config, and the task fails.
    """
    for (key, word), needed_name in AT_START.items():
        if (
            word in subject.entries(key)
            and not subject.config.get(needed_name, "").strip()
            and subject.says(key, needed_name)
        ):
            yield Violation(key, f"'{needed_name}' is not set; '{key}' has '{word}'", unset=needed_name)


def _in_its_place(name: str, subject: Subject) -> str:
    """The option that is missing: where Debezium Server runs without Kafka, the class of the history, not its topic."""
    of_kafka = any(key.startswith(f"{HISTORY}.kafka.") for key in subject.config)
    without_kafka = subject.document.kind == "server" and not of_kafka
    return HISTORY if without_kafka and name.startswith(f"{HISTORY}.") else name
