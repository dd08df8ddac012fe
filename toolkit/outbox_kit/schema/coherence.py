"""The conditions among the parts of a schema file, which no single field can check. No file is touched here."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema import delivery, identifiers, inbox_coherence, previous_topics, routing, thresholds
from outbox_kit.schema.columns import fed
from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.names import names as derived
from outbox_kit.schema.nearest import nearest, suggestion
from outbox_kit.schema.problem import SchemaProblem, Steps, quoted
from outbox_kit.schema.words import (
    CANARY_AGGREGATE,
    GROUP,
    LONGEST_TOPIC,
    PLACEHOLDER,
    TOPIC_CHARACTERS,
)
from outbox_kit.versions import Version

MOST_COMPARED = 100  # names among which the nearest is searched: it takes time for each
KEY_OPTION = lazy_pattern(r"transforms\..+\.field\.event\.key")  # of any event router
LOG_SINCE = Version.of("3.6")  # DBZ-9275, dbz#2004, dbz#2058
IN_A_TOPIC = "expected A-Z a-z 0-9 . _ -"


def complaints(outbox: OutboxFields) -> list[SchemaProblem]:
    """The mistakes that a single field does not show; empty if there are none."""
    sections = (_database, _ownership, _source, _columns, identifiers.complaints, _log, _payload, _routing, _events)
    parts = (*sections, inbox_coherence.complaints, thresholds.complaints)
    problems = [problem for part in parts for problem in part(outbox)]
    return problems or [*previous_topics.complaints(outbox)]  # which are compared with the present topics


def _database(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    dialect, title, limits = outbox.dialect, outbox.dialect.title, outbox.dialect.limits
    yield from _container(outbox)
    yield from delivery.complaints(outbox)
    if dialect.naming.schema is None and outbox.database.db_schema:
        yield SchemaProblem(f"database.schema: {title} has no schemas; use database.name", ("database", "schema"))
    for key in ("slot", "publication"):
        if not dialect.capture.uses_slot and getattr(outbox.connect, key):
            yield SchemaProblem(
                f"connect.{key}: {title} has no replication slots and publications; remove the key", ("connect", key)
            )
    release, oldest = outbox.connect.debezium, dialect.capture.min_debezium
    if Version.of(release) < Version.of(oldest) or not Version.of(release).is_debezium:
        expected = f"expected a release from {oldest} to {Version.newest_debezium()} for {title}"
        yield SchemaProblem(f"invalid connect.debezium '{release}': {expected}", ("connect", "debezium"))
    if outbox.table.retention not in (*dialect.retentions, "external"):
        expected = f"expected {', '.join(dialect.retentions)} for {title}"
        yield SchemaProblem(f"invalid table.retention '{outbox.table.retention}': {expected}", ("table", "retention"))
    if outbox.database.replica_set and not dialect.documents:
        yield SchemaProblem(
            f"database.replica_set: {title} has no replica sets; remove the key", ("database", "replica_set")
        )
    if outbox.table.max_payload_bytes > limits.payload:
        expected = f"expected at most {limits.payload} for {title}"
        yield SchemaProblem(
            f"invalid table.max_payload_bytes '{outbox.table.max_payload_bytes}': {expected}",
            ("table", "max_payload_bytes"),
        )
    if outbox.database.writers and "writers" not in dialect.ddl.templates:
        fix = "grant a role of the application insert on the outbox, and remove the key"
        yield SchemaProblem(f"database.writers: {title} grants privileges by roles; {fix}", ("database", "writers"))
    identity = "identity" in dialect.ddl.default_clauses
    if outbox.ordering.sequence and outbox.ordering.assigned_by == "database" and not identity:
        expected = f"{title} has no identity columns; use application"
        yield SchemaProblem(f"invalid ordering.assigned_by 'database': {expected}", ("ordering", "assigned_by"))


def _container(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    dialect, role, container = outbox.dialect, derived(outbox).role, outbox.database.container
    prefix = dialect.naming.common_user_prefix
    if container and not dialect.capture.container_options:
        yield SchemaProblem(
            f"database.container: {dialect.title} has no container databases; remove the key",
            ("database", "container"),
        )
    elif container and not role.upper().startswith(prefix):
        yield SchemaProblem(
            f"invalid database.user {quoted(role)}: expected a name that begins with {prefix}, for a common user of a "
            "container database",
            ("database", "user"),
        )


def _ownership(outbox: OutboxFields) -> list[SchemaProblem]:
    """The conditions that hold for existing tables only, and those that hold for tables of outbox-kit only."""
    table, dialect = outbox.table, outbox.dialect
    if table.retention in ("delete", "partition") and table.columns.created_at is None:
        why = "it needs the column created_at, and table.columns.created_at is null"
        return [SchemaProblem(f"table.retention: {table.retention}: {why}", ("table", "retention"))]
    if table.ids not in dialect.types:
        return [SchemaProblem(f"invalid table.ids '{table.ids}': {dialect.title} has no {table.ids}", ("table", "ids"))]
    if table.existing:
        problem = "table.source needs an outbox table that outbox-kit creates; remove table.existing or table.source"
        return [SchemaProblem(problem, ("table", "source"))] if table.source else []
    lacking = [name for name, column in table.columns if column is None]
    only = {"ids": table.ids != "uuid", "retention": table.retention == "external"}
    return [
        *(
            SchemaProblem(f"table.columns.{name}: null needs table.existing: true", ("table", "columns", name))
            for name in lacking
        ),
        *(
            SchemaProblem(f"table.{key}: {getattr(table, key)} needs table.existing: true", ("table", key))
            for key, is_set in only.items()
            if is_set
        ),
    ]


def _source(outbox: OutboxFields) -> list[SchemaProblem]:
    source, dialect = outbox.table.source, outbox.dialect
    if source is None:
        return []
    if dialect.documents:
        fix = "capture the table directly (table.existing), or insert into the outbox from your code"
        return [SchemaProblem(f"table.source: {dialect.title} has no triggers; {fix}", ("table", "source"))]
    allowed, place = fed(outbox), ("table", "source", "columns")
    lacking = [name for name, column in allowed.items() if column.required and name != "id" and not column.filled]
    unknown = [
        SchemaProblem(
            f"unknown column {quoted(name)} in table.source.columns{nearest(name, list(allowed))}", (*place, name)
        )
        for name in source.columns
        if name not in allowed
    ]
    missing = [name for name in lacking if name not in source.columns]
    return unknown + [SchemaProblem(f"table.source.columns has no expression for '{name}'", place) for name in missing]


def _places(outbox: OutboxFields) -> list[tuple[str, Steps]]:
    """The name of each column, and its place in the file."""
    c = outbox.table.columns
    standard: list[tuple[str | None, Steps]] = [(name, ("table", "columns", key)) for key, name in c]
    extra = [(column.name, ("table", "extra", n, "name")) for n, column in enumerate(outbox.table.extra)]
    places = [*standard, (outbox.ordering.sequence, ("ordering", "sequence")), *extra]
    return [(name, place) for name, place in places if name is not None]


def _columns(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    places = _places(outbox)
    for place, first, name in _repeated(places):
        yield SchemaProblem(f"the column {quoted(name)} is used twice", place, first)
    for name, place in places:
        if set(name) & set(",:"):
            expected = "expected a name without commas and colons, which separate the router's placements"
            yield SchemaProblem(f"invalid column name {quoted(name)}: {expected}", place)
    yield from _table_name(outbox)
    yield from _key(outbox, [name for name, _ in places])
    to_partition = [n for n, column in enumerate(outbox.table.extra) if column.to == "partition"]
    if len(to_partition) > 1:
        second, first = (("table", "extra", n, "to") for n in (to_partition[1], to_partition[0]))
        yield SchemaProblem("only one column can have to: partition", second, first)


def _table_name(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    dialect, place = outbox.dialect, ("table", "name")
    both = outbox.table.name + derived(outbox).schema
    if "," in both:
        yield SchemaProblem(
            "a comma in the name of the table or schema: the connector's list of tables is separated by commas", place
        )
    if dialect.capture.override_format and dialect.naming.quotes[1] in both and outbox.connect.snapshot == "initial":
        yield SchemaProblem(
            f"a {dialect.naming.quotes[1]} in the name of the table or schema stops the connector's initial snapshot; "
            "use another name, or connect.snapshot: no_data",
            place,
        )


def _key(outbox: OutboxFields, names: Sequence[str]) -> Iterator[SchemaProblem]:
    key = routing.key_column(outbox.routing, outbox.table.columns)
    if key not in names:
        yield SchemaProblem(f"unknown column {quoted(key)} in routing.key{nearest(key, names)}", ("routing", "key"))
    raw = {column.strip(): option for option, column in outbox.connect.config.items() if KEY_OPTION.fullmatch(option)}
    for n, column in enumerate(outbox.table.extra):
        if not column.required and (option := {**raw, key: "routing.key"}.get(column.name)):
            text = f"{option} names the column {quoted(column.name)}, which may be NULL; set required: true"
            yield SchemaProblem(text, ("table", "extra", n, "required"))


def _log(outbox: OutboxFields) -> list[SchemaProblem]:
    if outbox.table.storage == "table":
        return []
    dialect, problems = outbox.dialect, []
    if not dialect.capture.decoder:
        problems.append(f"{dialect.title} has no logical decoding messages; use table")
    if outbox.table.existing or outbox.table.source:
        problems.append("a log-only outbox has no table; remove table.existing and table.source")
    if outbox.table.payload == "bytes":
        problems.append("a log-only outbox stores JSON; use payload: json or text in place of bytes")
    if Version.of(outbox.connect.debezium) < LOG_SINCE:
        problems.append("before Debezium 3.6 messages are lost or duplicated; use connect.debezium 3.6 or later")
    return [SchemaProblem(f"table.storage: log: {problem}", ("table", "storage")) for problem in problems]


def _payload(outbox: OutboxFields) -> list[SchemaProblem]:
    if outbox.dialect.documents and outbox.table.payload == "json":
        return [
            SchemaProblem(
                f"the payload of {quoted(event.type)} is not an object, which a document must be; "
                "use table.payload: text",
                ("events", n, "payload"),
            )
            for n, event in enumerate(outbox.events)
            if isinstance(event.payload, dict) and "object" not in event.payload.get("type", "object")
        ]
    if outbox.table.registry and outbox.cloudevents and outbox.cloudevents.mode == "structured":
        text = "cloudevents.mode: structured is plain JSON, which excludes table.registry; use mode: binary"
        return [SchemaProblem(text, ("cloudevents", "mode"))]
    return []


def _routing(outbox: OutboxFields) -> list[SchemaProblem]:
    topic = outbox.routing.topic
    placeholders = [name for name in PLACEHOLDER.findall(topic) if name != "service"]
    problems = _placeholders(outbox, placeholders)
    if outbox.routing.pattern is not None and not (placeholders and all(map(GROUP.fullmatch, placeholders))):
        problems.append("with routing.pattern, routing.topic can use only the pattern's groups, such as {1}")
    if len({routing.column_of(outbox.table.columns, name) for name in placeholders}) > 1:
        problems.append("routing.topic can use one column only: the event router routes by one field")
    literal = PLACEHOLDER.sub("", topic)
    if wrong := TOPIC_CHARACTERS.sub("", literal):
        problems.append(f"invalid character {quoted(wrong[0])} in routing.topic {quoted(topic)}: {IN_A_TOPIC}")
    return [SchemaProblem(problem, ("routing", "topic")) for problem in problems]


def _placeholders(outbox: OutboxFields, placeholders: Sequence[str]) -> list[str]:
    """The placeholders of `routing.topic` that stand for nothing."""
    texts = {x.name for x in outbox.table.extra if x.kind == "text" and x.required}
    groups = re.compile(outbox.routing.pattern or "").groups
    aggregate = [] if outbox.table.columns.aggregate_type is None else ["aggregate"]
    allowed = ["service", *aggregate, "type", *sorted(texts), *map(str, range(1, groups + 1))]
    listing = ", ".join(f"{{{name}}}" for name in ("service", *aggregate, "type"))
    expected = f"{listing}, a required text column of table.extra, or a group of routing.pattern such as {{1}}"
    return [
        f"unknown placeholder '{{{name}}}' in routing.topic: expected {expected}{suggestion(name, allowed, '{%s}')}"
        for name in placeholders
        if name not in allowed
    ]


def _events(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    pairs = [(event.aggregate, event.type) for event in outbox.events]
    places: list[Steps] = [("events", n) for n in range(len(pairs))]
    for place, first, (aggregate, kind) in _repeated(list(zip(pairs, places, strict=True))):
        yield SchemaProblem(f"the event {quoted(kind)} of {quoted(aggregate)} is declared twice", place, first)
    if outbox.table.columns.aggregate_type is None:
        kinds = [kind for _, kind in pairs]
        for place, first, kind in _repeated(list(zip(kinds, places, strict=True))):
            yield SchemaProblem(
                f"the event {quoted(kind)} is declared twice, and without aggregate_type no column names the aggregate",
                place,
                first,
            )
    yield from _routes(outbox)
    yield from _predecessors(outbox)
    for n, (aggregate, _) in enumerate(pairs):
        if aggregate == CANARY_AGGREGATE:
            text = f"the aggregate '{CANARY_AGGREGATE}' is reserved for canary events; use another name"
            yield SchemaProblem(text, ("events", n, "aggregate"))


def _predecessors(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The event types in `follows` that their aggregate does not have."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for event in outbox.events:
        kinds[event.aggregate].append(event.type)
    declared = {aggregate: set(names) for aggregate, names in kinds.items()}
    for n, event in enumerate(outbox.events):
        for position, name in enumerate(event.follows or ()):
            if name not in declared[event.aggregate]:
                names = kinds[event.aggregate]
                near = nearest(name, names) if len(names) <= MOST_COMPARED else ""
                text = f"unknown event type {quoted(name)} in follows of {quoted(event.type)}"
                yield SchemaProblem(f"{text}: not an event of {quoted(event.aggregate)}{near}", _follows(n, position))


def _follows(event: int, position: int) -> Steps:
    return ("events", event, "follows", position)


def _routes(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """Whether `routing.topic` makes valid names of topics.

    Raw options may route otherwise; then the linter asks the model of the router.
    """
    columns, route_column = outbox.table.columns, routing.route_column(outbox.routing, outbox.table.columns)
    key = "aggregate" if route_column == columns.aggregate_type else "type"
    routes: dict[str, Steps] = {}
    for n, event in enumerate(outbox.events):
        if (route := routing.route_of(event, columns, route_column)) is not None:
            routes.setdefault(route, ("events", n, key))
    pattern = outbox.routing.pattern
    if pattern is not None:
        for route in sorted(routes):
            if not re.fullmatch(pattern, route):
                yield SchemaProblem(f"routing.pattern does not match {quoted(route)}", ("routing", "pattern"))
    if any(name.startswith("transforms") for name in outbox.connect.config):
        return
    topics = {routing.topic_of_route(outbox, route): place for route, place in routes.items()}
    for part, place in sorted((routes if pattern is None else topics).items()):
        if wrong := TOPIC_CHARACTERS.sub("", part):
            text = f"invalid character {quoted(wrong[0])} in {quoted(part)}, which becomes part of a topic's name"
            yield SchemaProblem(f"{text}: {IN_A_TOPIC}", place)
        elif not part:
            yield SchemaProblem(f"routing.topic and routing.pattern make an empty topic name: {IN_A_TOPIC}", place)
    for topic, place in sorted(topics.items()):
        if len(topic) > LONGEST_TOPIC:
            yield SchemaProblem(f"the topic '{topic}' is longer than {LONGEST_TOPIC} characters", place)


def _repeated(declared: Sequence[tuple[Any, Steps]]) -> Iterator[tuple[Steps, Steps, Any]]:
    """Each name that was declared before: its place, the place of its first declaration, and the name itself."""
    first: dict[Any, Steps] = {}
    for name, place in declared:
        if name in first:
            yield place, first[name], name
        else:
            first[name] = place
