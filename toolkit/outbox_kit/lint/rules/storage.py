"""Rules about the storages of the position and of the schema history."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from outbox_kit import data_file
from outbox_kit.assets import CONNECTORS
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.server import keeps_position_otherwise
from outbox_kit.lint.server import SINK, SOURCE
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim
from outbox_kit.schema.nearest import closest

POSITION, HISTORY = "offset.storage", "schema.history.internal"
CLIENTS = ("producer.", "consumer.")
"""Prefixes of options that a history in Kafka passes on."""
BY_DEFAULT = {POSITION: "FileOffsetBackingStore", HISTORY: "KafkaSchemaHistory"}
SLIP = 0.8
"""How similar a name must be to be meant."""


@dataclass(frozen=True)
class StorageFacts:
    """The options of a storage's classes, without the prefix."""

    options: Sequence[str]
    required: Mapping[str, str] = field(default_factory=dict)
    """Those without which it does not start, with the former name that it reads too; empty if there is none."""
    former: Sequence[str] = ()
    """Former names that it still reads."""


@cache
def _storages() -> tuple[Mapping[str, StorageFacts], frozenset[str]]:
    """The storages by what the names of their classes begin with, and the names of all options that one has."""
    described = data_file.values(CONNECTORS / "storages.yaml")
    storages = {kind: StorageFacts(**facts) for kind, facts in described["classes"].items()}
    names = (name for facts in storages.values() for name in (*facts.options, *facts.former))
    return storages, frozenset((*described["general"], *names))


@dataclass(frozen=True)
class _Storage:
    """A storage that a connector uses."""

    key: str
    """The option or setting that names its class."""
    kind: str
    """The simple name of the class."""
    config: Mapping[str, str]

    @property
    def facts(self) -> StorageFacts | None:
        """What is known of it; None for a class of others."""
        return next((facts for name, facts in _storages()[0].items() if self.kind.startswith(name)), None)


def _used(subject: Subject) -> Iterator[_Storage]:
    """The storages whose class is known to be one of Debezium or Kafka."""
    settings = subject.document.settings
    position = next((key for key in (f"{SOURCE}{POSITION}", POSITION) if key in settings), "")
    for key, config in ((position, settings), (HISTORY, subject.config)):
        name = trim(config.get(key, ""))
        if (name or key == HISTORY) and (not name or name.startswith(("io.debezium.", "org.apache.kafka."))):
            yield _Storage(key, name.rpartition(".")[2] or BY_DEFAULT[HISTORY], config)


@rule("storage-incomplete", Consequence.stop, evidence="N05", fix="set the option")
def storage_incomplete(subject: Subject) -> Iterator[Violation]:
    """The storage of the position or of the schema history has the options without which it does not start.

    The address of Redis may be that of Debezium Server's sink. Other rules speak of the default storages.
    """
    if subject.document.supplemented or keeps_position_otherwise(subject):
        return
    for storage in _used(subject):
        if storage.facts is None or storage.kind in BY_DEFAULT.values() or not subject.says(storage.key):
            continue
        for name, former in storage.facts.required.items():
            needed = f"{storage.key}.{name}"
            read = (needed, f"{storage.key}.{former}")
            if f"{SINK}{name}" not in subject.document.settings and not any(key in storage.config for key in read):
                yield Violation(storage.key, f"'{needed}' is not set", unset=needed)


@rule(
    "unknown-storage-option",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="N12 J06",
    fix="correct the name, or remove the option",
)
def unknown_storage_option(subject: Subject) -> Iterator[Violation]:
    """Every option of a storage of the position or of the schema history is one that a storage has.

    Another one is ignored without an error: the storage uses its default, such as a table of another name.
    """
    for storage in _used(subject):
        for key in storage.config if storage.facts else ():
            name = key.removeprefix(f"{storage.key}.")
            if name == key or name in _storages()[1] or name.startswith(CLIENTS):
                continue
            near = _similar(name, storage.facts)
            hint = f"; did you mean '{storage.key}.{near}'?" if near else ""
            severity = None if near else Severity.warning  # it is not known what the config lacks
            yield Violation(key, f"{storage.kind} has no option '{name}'{hint}", severity=severity)


def _similar(name: str, facts: StorageFacts | None) -> str | None:
    """The option of a storage that is meant by another name; None if that is not certain."""
    names = [*facts.options, *facts.former] if facts else []
    return None if any(each.startswith(f"{name}.") for each in names) else closest(name, names, SLIP)
