"""What a rule examines: the config of one connector, with the schema file if it was generated from one."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from outbox_kit import databases
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import ddl, meant, placeholders, worker
from outbox_kit.lint.ddl import CreatedTable
from outbox_kit.lint.document import Document
from outbox_kit.lint.grouped import Grouped
from outbox_kit.lint.raw_topics import raw_topics
from outbox_kit.lint.steps import TransformStep
from outbox_kit.lint.suppressions import Suppression
from outbox_kit.lint.table_names import OUTBOX_WORDS
from outbox_kit.router import options
from outbox_kit.router.chain import MONGO_EVENT_ROUTER, Outcome
from outbox_kit.router.convert import STORAGE, below
from outbox_kit.router.events import RowColumn
from outbox_kit.router.javatext import split, trim, whole_number
from outbox_kit.router.options import COMPLETE, Option, OptionPlace
from outbox_kit.router.settings import Placement, placement
from outbox_kit.router.transforms import DECODE
from outbox_kit.router.values import Failure
from outbox_kit.versions import Version
from outbox_kit.wire import config_rows
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.send import send

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox
    from outbox_kit.wire.routes import Routes

STRING = f"{STORAGE}StringConverter"
JSON = "org.apache.kafka.connect.json.JsonConverter"
BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
BINARY = ("io.debezium.converters.BinaryDataConverter", "io.debezium.converters.ByteArrayConverter")
REGISTRY = ("Avro", "Protobuf", "JsonSchema", "ExtJson")
RELATIONAL, MONGO = "table", "collection"
# the router's options that name a column, by what it is for; {} stands for table or collection
COLUMN_OPTIONS = {
    "id": "{}.field.event.id",
    "key": "{}.field.event.key",
    "payload": "{}.field.event.payload",
    "route": "route.by.field",
    "timestamp": "{}.field.event.timestamp",
    "version": "{}.field.event.schema.version",
}
PAGES = (".md", ".markdown", ".mdx", ".txt", ".adoc", ".asciidoc", ".rst", ".org", ".tsx", ".jsx")
COLLECTION = "schema.getpostman.com"
"""What a collection of Postman names, which sends JSON without its comments."""
CLASS_KEY = lazy_pattern(r"transforms\.([^.]+)\.type")


@dataclass(frozen=True)
class Subject:
    """One config under examination."""

    source: str
    """The file that it is from."""
    document: Document
    """The config with the place of each of its keys."""
    release: Version
    """The Debezium release that it is to run on."""
    outbox: "Outbox | None" = None
    """The outbox that the config was generated from; None for a config from another source."""
    names_release: bool = False
    """Whether the file's text names that release."""
    suppressions: Sequence[Suppression] = ()
    """What comments of the file accept."""
    text: str = field(default="", compare=False, repr=False)
    """The text of the file."""
    group: "Grouped[Subject]" = field(default_factory=Grouped, compare=False, repr=False)
    """The configs that are examined together."""
    neighbours: "tuple[Subject, ...]" = field(default=(), compare=False, repr=False)
    """The other configs of the file."""

    @cached_property
    def config(self) -> Mapping[str, str]:
        """The connector's options, as they are meant."""
        return meant.config(self.document)

    @cached_property
    def unknown(self) -> frozenset[str]:
        """The options whose value the file does not say: placeholders, and references that the worker resolves."""
        return placeholders.open_keys(self.config, self.source, is_of_page=self.is_of_page)

    def says(self, *keys: str) -> bool:
        """Whether the file says the values of options, or that they are not set."""
        return not self.document.partial and not self.unknown.intersection(keys)

    @cached_property
    def connector(self) -> str | None:
        """outbox-kit's name of the connector, by its class or its event router; None if it is unknown."""
        if "connector.class" not in self.config and self.option_prefix == MONGO:
            return next(name for name, dialect in databases.ALL.items() if dialect.capture.option_prefix == MONGO)
        return options.connectors().get(trim(self.config.get("connector.class", "")))

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """What is described of the connector as a whole; nothing if its class is not known."""
        if self.connector:
            return options.catalogue(self.connector).facts
        described = options.classes("others").get(trim(self.config.get("connector.class", "")))
        return described.facts if described else {}

    @cached_property
    def created_tables(self) -> Mapping[str, CreatedTable]:
        """The tables that the file creates, by their names in lower case."""
        return ddl.tables(self.text, self.document.start[0])

    @cached_property
    def steps(self) -> list[TransformStep]:
        """The transformations in their order."""
        listed = [trim(name) for name in split(self.config.get("transforms", ""), ",")]
        names = [name for name in listed if not placeholders.is_open("transforms", name)]
        steps = []
        for name in filter(None, names):
            step_options = below(self.config, f"transforms.{name}.")
            steps.append(TransformStep(name, trim(step_options.get("type", "")), step_options))
        return steps

    @cached_property
    def idle_prefixes(self) -> tuple[str, ...]:
        """The prefixes of transformations that have a class and are not listed in `transforms`."""
        listed = {step.name for step in self.steps}
        classes = [match[1] for key in self.config if (match := CLASS_KEY.fullmatch(key))]
        return tuple(f"transforms.{name}." for name in classes if name not in listed and self.says("transforms"))

    @cached_property
    def router(self) -> TransformStep | None:
        """The first event router of the chain."""
        return next((step for step in self.steps if step.routes), None)

    @property
    def option_prefix(self) -> str:
        """How the router's options begin: table, or collection for MongoDB's."""
        return MONGO if self.router and self.router.kind == MONGO_EVENT_ROUTER else RELATIONAL

    def router_key(self, name: str) -> str:
        """The full key of a router option, in the router's own words: `{}` stands for table or collection."""
        prefix = self.router.prefix if self.router else options.TRANSFORM
        return prefix + name.format(self.option_prefix)

    def router_option(self, name: str) -> str | None:
        """The value of a router option; None if it is not set."""
        return self.config.get(self.router_key(name))

    def effective(self, name: str) -> str | None:
        """The value that holds for a router option: the one set, or the release's default."""
        value = self.router_option(name)
        if value is not None:
            return value
        option = self.option(self.router_key(name))
        return option.default_at(self.release) if option else None

    def setting(self, key: str) -> str | None:
        """The value that holds for an option of the connector: the one set, or the release's default."""
        if key not in self._settings:
            value, option = self.config.get(key), self.option(key)
            default = option.default_at(self.release) if option else None
            self._settings[key] = default if value is None else trim(value)
        return self._settings[key]

    @cached_property
    def _settings(self) -> dict[str, str | None]:
        """What `setting` has answered: every rule and every peer asks."""
        return {}

    def option(self, key: str) -> Option | None:
        """The option of a key in the registry; None if it is unknown."""
        place = self.places.get(key) or options.resolve(self.config, key)
        return place.option

    @cached_property
    def places(self) -> Mapping[str, OptionPlace]:
        """Where each key of the config belongs; every rule asks."""
        return {key: options.resolve(self.config, key) for key in self.config}

    @cached_property
    def placement(self) -> list[Placement]:
        """The additional fields; empty if the text is not a valid placement."""
        try:
            return list(placement(self.router_option("{}.fields.additional.placement")))
        except (Failure, IndexError):
            return []

    def on(self, key: str) -> bool:
        """Whether a flag holds, and has an effect."""
        option = self.option(key)
        is_idle = option is not None and option.no_effect_since is not None
        return not is_idle and (self.setting(key) or "").lower() == "true"

    def flag(self, name: str) -> bool:
        """Whether a flag of the router holds."""
        return trim(self.effective(name) or "").lower() == "true"

    @property
    def expands(self) -> bool:
        """Whether JSON payloads are expanded."""
        return self.flag("{}.expand.json.payload")

    @property
    def enveloped(self) -> bool:
        """Whether the value is a struct around the payload."""
        return any(entry.place == "envelope" for entry in self.placement)

    def converter(self, part: str) -> str:
        """The class of the converter for key, value or header; empty if it is left to the worker."""
        return trim(self.config.get(f"{part}.converter", ""))

    def converter_in_use(self, part: str) -> str:
        """The class of the converter for key or value: that of the worker, if the file shows one and sets no other."""
        key = f"{part}.converter"
        if key in self.config or self.document.settings:
            return self.converter(part)
        return trim((worker.options(self.text) or {}).get(key, ""))

    @property
    def structured(self) -> bool:
        """Whether the value's converter writes structs as such."""
        return self.converter("value") == JSON or self.asks_registry

    @property
    def asks_registry(self) -> bool:
        """Whether the value's converter asks a schema registry."""
        return any(word in self.converter("value") for word in REGISTRY)

    @property
    def writes_cloudevents(self) -> bool:
        """Whether the value's converter writes CloudEvents."""
        return self.converter("value").endswith("CloudEventsConverter")

    @cached_property
    def columns(self) -> dict[str, str]:
        """The columns that the router reads, by what for."""
        defaults = options.catalogue(self.connector).facts.get("columns", {}) if self.connector else {}
        columns = {
            purpose: defaults[purpose]
            if purpose in defaults and self.router_option(option) is None
            else self.effective(option)
            for purpose, option in COLUMN_OPTIONS.items()
        }
        return {purpose: column for purpose, column in columns.items() if column is not None}

    @property
    def heartbeats(self) -> bool:
        """Whether heartbeats are sent."""
        return (whole_number(self.setting("heartbeat.interval.ms") or "") or 0) > 0

    @property
    def is_sink(self) -> bool:
        """Whether the class of the connector is called a sink."""
        return trim(self.config.get("connector.class", "")).endswith(meant.SINK)

    @property
    def changes_messages(self) -> bool:
        """Whether a transformation of somebody else's changes messages in an unknown way."""
        return any(step.kind and not step.kind.startswith(meant.CONNECT_CLASSES) for step in self.steps)

    def shapes(self, key: str) -> bool:
        """Whether an option decides what a message looks like, such as the router's or a converter's."""
        converters = ("key.converter", "value.converter", "header.converter")
        return key.startswith(("transforms.", "predicates.", *converters, "column.", "time.precision.mode"))

    @property
    def reads(self) -> set[str]:
        """Every column that the router reads."""
        return {*self.columns.values(), *(entry.column for entry in self.placement)}

    def entries(self, key: str) -> list[str]:
        """The entries of an option that is a list, without empty ones."""
        return [entry for entry in map(trim, split(self.config.get(key, ""), ",")) if entry]

    @property
    def skipped(self) -> set[str]:
        """The operations that the connector leaves out: c, u, d or t."""
        return {trim(name).lower() for name in split(self.setting("skipped.operations") or "", ",")}

    @property
    def tables(self) -> list[str]:
        """The entries of the list of captured tables or collections."""
        listed = self.config.get("table.include.list") or self.config.get("collection.include.list") or ""
        return [trim(entry) for entry in listed.split(",") if trim(entry)]

    @cached_property
    def created_table(self) -> CreatedTable | None:
        """The captured outbox table, if the file creates it or inserts into it, and no other one."""
        names = [re.split(r"[.\\]", table)[-1].lower() for table in self.tables]
        listed = {name for name in names if not any(word in name for word in ("heartbeat", "signal"))}
        fitting = [
            table for name, table in self.created_tables.items() if (name in listed if listed else "outbox" in name)
        ]
        if len(fitting) != 1 or self.option_prefix != RELATIONAL:
            return None
        return fitting[0].spelt_as({column for key, column in self.config.items() if "field.event." in key})

    @cached_property
    def is_of_page(self) -> bool:
        """Whether it stands in a page or in a collection of requests, as an example."""
        return self.source.lower().endswith(PAGES) or COLLECTION in self.text

    @property
    def captures_outbox(self) -> bool:
        """Whether a captured table may be an outbox, by its name."""
        if not self.tables or not self.says("table.include.list", "collection.include.list"):
            return True
        return self.names_outbox

    @property
    def names_outbox(self) -> bool:
        """Whether a captured table is called like an outbox."""
        return any(word in table.lower() for table in self.tables for word in OUTBOX_WORDS)

    @cached_property
    def raw_topics(self) -> list[str]:
        """The raw topics of what is captured: messages in the log, and tables that the list names without patterns."""
        if not self.connector:
            return []
        if not self.says("topic.prefix", "topic.delimiter") or "topic.naming.strategy" in self.config:
            return []
        decoded = any(step.kind == DECODE for step in self.steps)
        messages = [f"{self.config.get('topic.prefix', 'prefix')}.message"] if decoded else []
        return messages + raw_topics(self.raw_topic_pattern, self.config, self.tables)

    @property
    def raw_topic_pattern(self) -> str:
        """The parts of the connector's raw topics; empty if they are not known."""
        if self.connector == SQLSERVER.name and self.release < COMPLETE:
            return ""  # they had no database then
        return str(self.facts.get("raw_topic", ""))

    @property
    def raw_topic(self) -> str:
        """The raw topic of the outbox table; an example if the config does not determine it."""
        if self.outbox:
            return connector_topics(self.outbox).rows
        return (self.raw_topics or [f"{self.config.get('topic.prefix', 'prefix')}.schema.outbox"])[0]

    @cached_property
    def topics(self) -> list[str]:
        """The topics of the schema file's events on this release; empty if they are not known."""
        return self.routes.topics if self.routes and not self.routes.assumed else []

    @cached_property
    def routes(self) -> "Routes | None":
        """The routes of the schema file's events on this release; None without a schema file."""
        if self.outbox is None:
            return None
        from outbox_kit.wire.routes import Routes

        return Routes(self.outbox, self.release)

    @cached_property
    def previews(self) -> list[tuple[str, str | None, Outcome]]:
        """The outcome of each declared event, with the topic of `routing.topic`; of one sample row if none is declared.

        An event whose payload's schema gives no sample is left out.
        """
        if not self.router or not self.connector or (self.outbox is None and self._is_hidden()):
            return []
        if self.outbox is None and sum(step.routes for step in self.steps) > 1:
            return []  # each has columns of its own
        previews = []
        for who, expected, row in self._sample_rows(self.connector):
            try:
                outcome = send(self.connector, self.config, self.raw_topic, row(), self.release)
            except UsageProblem:
                continue
            previews.append((who, expected, outcome))
        return previews

    def _is_hidden(self) -> bool:
        """Whether the file does not show all of what shapes the messages."""
        return self.document.partial or any(map(self.shapes, self.unknown))

    def _sample_rows(self, connector: str) -> Iterator[tuple[str, str | None, Callable[[], list[RowColumn]]]]:
        routes = self.routes
        if routes is None:
            placed = [(entry.column, entry.place or "") for entry in self.placement]
            yield "a sample row", None, partial(config_rows.of_config, connector, self.columns, placed, {})
            return
        from outbox_kit.wire import rows
        from outbox_kit.wire.routes import routing_topic

        outbox = routes.outbox
        topic_of = routing_topic(outbox)
        for event in outbox.events:
            route = routes.route(event)
            expected = None if route is None else topic_of(route)
            yield f"'{event.type}'", expected, partial(rows.of_event, outbox, event, {})
