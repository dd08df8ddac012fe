"""Rules about the connectors that outbox-kit does not generate."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.conditions import demanded, holds, option_of
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.option_keys import is_default
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.rules.filters import has_fewer_names
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import PLAIN_TABLE, parts
from outbox_kit.lint.words import listed
from outbox_kit.router import options
from outbox_kit.router.javatext import trim, whole_number
from outbox_kit.schema.nearest import closest
from outbox_kit.versions import Version


@rule("foreign-table-never-matches", Consequence.loss, evidence="C10", fix="write the whole name of the table")
def foreign_table_never_matches(subject: Subject) -> Iterator[Violation]:
    """The tables of such a connector have their whole names.

    The filter compares the whole name. What does not match is not captured, without an error.
    """
    expected = str(subject.facts.get("table", ""))
    for entry in subject.tables if expected and subject.says("table.include.list") else ():
        if has_fewer_names(entry, len(expected.split("."))):
            yield Violation("table.include.list", f"'{entry}' matches no table: expected {expected}")
            break


@rule("foreign-value-refused", Consequence.stop, evidence="N10", fix="use a value that the connector accepts")
def foreign_value_refused(subject: Subject) -> Iterator[Violation]:
    """The values of such a connector's options are among those that it accepts."""
    facts = subject.facts
    for key, every in facts.get("words", {}).items():
        until = facts.get("words_until", {}).get(key, {})
        words = [word for word in every if word not in until or subject.release <= Version.of(until[word])]
        word = trim(subject.config.get(key, ""))
        if word and word.lower() not in words and subject.says(key):
            yield Violation(key, f"unknown value '{word}': expected {listed(words)}")
    for key in facts.get("not_empty", ()):
        if key in subject.config and not subject.config[key].strip() and subject.says(key):
            yield Violation(key, f"'{key}' is empty")
    for key, (least, greatest) in facts.get("numbers", {}).items():
        number = whole_number(subject.config.get(key, ""))
        if number is not None and not least <= number <= greatest and subject.says(key):
            yield Violation(key, f"{number} is not between {least} and {greatest}")


@rule("foreign-option-missing", Consequence.stop, evidence="N10", fix="set the option")
def foreign_option_missing(subject: Subject) -> Iterator[Violation]:
    """An option of such a connector that needs another one has it."""
    for condition, needed in demanded(subject.facts.get("requires", {}), subject.config):
        key = option_of(condition)
        if subject.config.get(needed, "none").strip().lower() == "none" and subject.says(key, needed):
            unset = "" if needed in subject.config else needed
            yield Violation(key, f"'{needed}' is {'not set' if unset else 'none'}; {condition} needs it", unset=unset)


@rule("no-such-connector", Consequence.stop, evidence="N10", fix="run what the database has in its place")
def no_such_connector(subject: Subject) -> Iterator[Violation]:
    """The class of the connector is one of Kafka Connect.

    Kafka Connect rejects it: the class is not found.
    """
    if reason := subject.facts.get("absent"):
        yield Violation("connector.class", str(reason))


FORMER_PACKAGES = {"com.datamountaineer.streamreactor": {"since": "6.0", "now": "io.lenses.streamreactor.…"}}
"""The packages of all connectors of a project, with the release since which they have another name."""


@rule(
    "former-connector-class",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="O",
    fix="install the release that has the class, or use the new class with its own options",
)
def former_connector_class(subject: Subject) -> Iterator[Violation]:
    """The class of the connector is one of its current releases.

    A worker with a current release of the connector does not find it. The file does not show which one is installed.
    """
    package = ".".join(subject.config.get("connector.class", "").strip().split(".")[:3])
    if former := FORMER_PACKAGES.get(package) or subject.facts.get("former"):
        message = f"since release {former['since']} the connector has '{former['now']}' in its place"
        yield Violation("connector.class", message)


COMPLETE = Version.of("2.0")
"""A file for a release before it has sinks of its time too."""
OF_CONNECT = ("tasks.max", "errors.tolerance", "key.converter", "value.converter")
"""Options of Kafka Connect with names that no connector has for something else."""
LIKELY, LIKELY_NAME = 0.9, 0.6
ADDED = lazy_pattern(r"\bASNCDC\.ADDTABLE\s*\(\s*'\w+'\s*,\s*'(\w+)'\s*\)", re.IGNORECASE)
"""The procedure of Debezium's scripts that puts a table of Db2 into capture mode."""


@rule(
    "capture-mode-not-set",
    Consequence.loss,
    of_names=True,
    evidence="N20",
    fix="call ASNCDC.ADDTABLE for the table",
)
def capture_mode_not_set(subject: Subject) -> Iterator[Violation]:
    """The captured tables of Db2 are in capture mode, if the file puts tables into it.

    Db2 records no changes of other tables: the connector publishes nothing of them, without an error.
    """
    added = {match[1].lower() for match in matches(subject.text, ADDED)}
    for table in subject.tables if added else ():
        name = parts(table)[-1].lower()
        if PLAIN_TABLE.fullmatch(table) and name not in added:
            yield Violation("table.include.list", f"the file puts other tables than '{table}' into capture mode")


@rule(
    "option-of-another-sink",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="C08",
    fix="use the option of this sink",
)
def option_of_another_sink(subject: Subject) -> Iterator[Violation]:
    """No option is that of another sink of the same kind.

    Debezium's sink for JDBC and those of others have other names for the same; a name that a sink does not know is
    ignored.
    """
    for key, option in subject.facts.get("unread", {}).items():
        if not option and subject.release < COMPLETE:
            continue  # a sink of that time may read it
        if subject.config.get(key, "false").strip().lower() not in ("false", "none"):
            is_former = not option and FORMER_MARK in subject.config  # of a release that may read it
            consequence = Consequence.advice if option in subject.config or is_former else None
            hint = f"; its option is '{option}'" if option else ""
            yield Violation(key, f"the sink does not read '{key}'{hint}", consequence=consequence)


FORMER_MARK = "type.name"
"""An option of the sink for Elasticsearch before release 11."""
OF_EVERY_SINK = (
    *("topics", "topics.regex", "consumer.override.*", "errors.*", "transforms*", "predicates*", "tasks.*", "name"),
    *("key.converter*", "value.converter*", "header.converter*", "connector.*", "config.action.reload", "comment*"),
)

OF_EVERY_SOURCE = (
    "producer.override.*",
    "topic.creation.*",
    "exactly.once.support",
    "transaction.boundary*",
    "offsets.*",
)


@rule("unknown-option-of-sink", Consequence.wrong, of_names=True, evidence="C08", fix="correct the name")
def unknown_option_of_sink(subject: Subject) -> Iterator[Violation]:
    """Every option is one that the connector or Kafka Connect reads.

    Another one is ignored without an error.
    """
    names, unread = subject.facts.get("reads", ()), subject.facts.get("unread", {})
    readable_names = (*names, *OF_EVERY_SINK, *OF_EVERY_SOURCE, *subject.facts.get("harmless", ()))
    for key in subject.config if names else ():
        if key not in unread and not any(fnmatchcase(key, pattern) for pattern in readable_names):
            near = closest(key, [name for name in names if "*" not in name], LIKELY_NAME)
            hint = f"; did you mean '{near}'?" if near else ""
            yield Violation(key, f"the connector has no option '{key}'{hint}")


@rule("sink-needs-value", Consequence.stop, evidence="N10", fix="set the other option to that value")
def sink_needs_value(subject: Subject) -> Iterator[Violation]:
    """An option of a sink that is on has what it needs in another option.

    The sink rejects its configuration.
    """
    for key, needed in subject.facts.get("if_true", {}).items():
        for other, value in needed.items() if subject.on(key) else ():
            if subject.config.get(other, "").strip().lower() != value and subject.says(other):
                yield Violation(key, f"'{key}' needs {other}={value}")


@rule("sink-without-topics", Consequence.stop, evidence="N10", fix="set topics, or topics.regex")
def sink_without_topics(subject: Subject) -> Iterator[Violation]:
    """A sink names the topics that it reads.

    Kafka Connect rejects a sink with neither topics nor topics.regex.
    """
    keys = ("topics", "topics.regex")
    shown = subject.document.kind != "code"  # a program may add them
    if (
        shown
        and subject.is_sink
        and not any(subject.config.get(key, "").strip() for key in keys)
        and subject.says(*keys)
    ):
        key = next((key for key in keys if key in subject.config), "connector.class")
        message = "'topics' is empty" if key != "connector.class" else "neither 'topics' nor 'topics.regex' is set"
        yield Violation(key, message, unset="" if key in subject.config and key in keys else keys[0])


@rule("topics-and-pattern", Consequence.stop, of_names=True, evidence="N10", fix="set one of them only")
def topics_and_pattern(subject: Subject) -> Iterator[Violation]:
    """A sink has topics or topics.regex.

    Kafka Connect rejects a sink with both.
    """
    if all(subject.config.get(key, "").strip() for key in ("topics", "topics.regex")) and not subject.connector:
        yield Violation("topics.regex", "'topics' and 'topics.regex' are both set")


@rule("exclusive-flags", Consequence.stop, evidence="N10", fix="set one of them to false")
def exclusive_flags(subject: Subject) -> Iterator[Violation]:
    """Flags of a sink that exclude each other are not on together.

    The sink rejects its configuration.
    """
    for flag, others in subject.facts.get("exclusive", {}).items():
        beside = list(filter(subject.on, others))
        if beside and subject.on(flag):
            yield Violation(flag, f"'{flag}' may not be on beside '{beside[0]}'")


@rule("statement-of-no-topic", Consequence.stop, evidence="N10", fix="use the same names of topics in both")
def statement_of_no_topic(subject: Subject) -> Iterator[Violation]:
    """A sink for Neo4j has a statement for each of its topics, and for no other one.

    The sink rejects its configuration.
    """
    prefix = subject.facts.get("statement_of_topic", "")
    stated = {key: key.removeprefix(prefix) for key in subject.config if prefix and key.startswith(prefix)}
    topics = subject.entries("topics")
    for key, topic in stated.items() if topics and subject.says("topics") else ():
        if topic not in topics:
            yield Violation(key, f"'{topic}' is not in topics: {', '.join(topics)}")


TOPIC_NAME = lazy_pattern(r"[A-Za-z0-9._-]{1,249}")


@rule("invalid-topic-in-list", Consequence.stop, evidence="N10", fix="write a pattern into topics.regex")
def invalid_topic_in_list(subject: Subject) -> Iterator[Violation]:
    """The topics of a sink are names of topics.

    The consumer of the sink refuses a pattern, and the task fails.
    """
    for topic in subject.entries("topics") if subject.is_sink and subject.says("topics") else ():
        if not TOPIC_NAME.fullmatch(topic):
            yield Violation("topics", f"'{topic}' cannot be the name of a topic")


@rule(
    "deletes-not-enabled",
    Consequence.stop,
    evidence="N10",
    fix="set delete.enabled=true, and the primary key to that of the record; or drop the tombstones",
)
def deletes_not_enabled(subject: Subject) -> Iterator[Violation]:
    """A sink for which tombstones are configured deletes rows.

    tombstones.on.delete is an option of sources. A sink for JDBC without delete.enabled fails at the first tombstone.
    """
    key = "tombstones.on.delete"
    if subject.facts.get("needs_schema") and subject.on(key) and not subject.on("delete.enabled"):
        yield Violation(key, f"'{key}' is an option of sources, and delete.enabled is not set")


@rule(
    "misspelt-option-of-connect",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="C08 B06",
    fix="correct the name",
)
def misspelt_option_of_connect(subject: Subject) -> Iterator[Violation]:
    """The options that every connector has, and those of common sinks, are written as Kafka Connect reads them.

    It ignores a name that it does not know, and the default applies.
    """
    if subject.connector or "connector.class" not in subject.config:
        return  # the rule unknown-option says so
    names = (*OF_CONNECT, *subject.facts.get("spells", ()))
    unset = [name for name in names if name not in subject.config]
    for key in subject.config:
        if near := closest(key, unset, LIKELY) if key not in names else None:
            option = options.catalogue("connect").options.get(near)
            consequence = Consequence.risk if near.endswith(f".{key}") else None  # which another connector may have
            if option and is_default(option, subject.config[key]):
                consequence = Consequence.advice
            message = f"unknown option '{key}'; did you mean '{near}'?"
            yield Violation(key, message, Edit(key, rename=near), consequence=consequence)


OF_CONVERTER = ("schemas.enable", "schema.registry.url")
"""Options that a converter takes with the prefix of its place alone."""


@rule(
    "converter-option-without-prefix",
    Consequence.wrong,
    of_names=True,
    evidence="N05",
    fix="write value.converter. or key.converter. before it",
)
def converter_option_without_prefix(subject: Subject) -> Iterator[Violation]:
    """The options of a converter have the prefix of its place.

    Kafka Connect does not pass them on without it, and the converter has its default.
    """
    for key in OF_CONVERTER if not subject.document.settings and not subject.connector else ():
        if key in subject.config and f"value.converter.{key}" not in subject.config:
            yield Violation(key, f"'{key}' is an option of a converter; its full name is 'value.converter.{key}'")


OF_CONSUMER = (
    *("max.poll.records", "max.poll.interval.ms", "auto.offset.reset", "isolation.level", "session.timeout.ms"),
    *("fetch.min.bytes", "fetch.max.bytes", "fetch.max.wait.ms", "max.partition.fetch.bytes"),
)
"""Options of Kafka's consumer, which a sink takes with a prefix alone."""


@rule(
    "consumer-option-without-prefix",
    Consequence.wrong,
    of_names=True,
    evidence="N05",
    fix="write consumer.override. before it",
)
def consumer_option_without_prefix(subject: Subject) -> Iterator[Violation]:
    """The options of a sink's consumer have the prefix consumer.override.

    Kafka Connect does not pass them on without it, and the worker's settings apply.
    """
    for key in subject.config if subject.is_sink else ():
        name = key.removeprefix("consumer.")
        full = f"consumer.override.{name}"
        if name in OF_CONSUMER and full not in subject.config:
            yield Violation(key, f"'{name}' is an option of the consumer; its full name is '{full}'")


@rule(
    "sink-option-idle",
    Consequence.wrong,
    of_names=True,
    evidence="N05",
    fix="set what makes it effective, or remove the option",
)
def sink_option_idle(subject: Subject) -> Iterator[Violation]:
    """An option of a sink has an effect with its other options."""
    for key, (other, word, hint) in subject.facts.get("idle_unless", {}).items():
        cause = subject.config.get(other, "")
        is_of_others = "." in cause and not cause.startswith("io.confluent.")
        if key in subject.config and subject.says(other) and word not in cause and not is_of_others:
            yield Violation(key, f"'{key}' has an effect with {hint} only")
    for condition, other in subject.facts.get("idle_if", {}).items():
        key, cause = option_of(condition), option_of(other)
        values = [subject.config.get(name, "") for name in (key, cause)]
        if subject.says(key, cause) and holds(condition, values[0]) and holds(other, values[1]):
            yield Violation(cause, f"'{condition}' has no effect with {other}")
