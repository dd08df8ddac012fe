"""What no single field of a schema file can know: whether its parts hold together. Sentences, and no file."""

import re
from collections import Counter, defaultdict
from typing import Any

from outbox_kit.schema import identifiers, routing
from outbox_kit.schema.columns import fed
from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.names import names as derived
from outbox_kit.schema.nearest import nearest
from outbox_kit.schema.words import (
    CANARY_AGGREGATE,
    GROUP,
    LONGEST_TOPIC,
    PLACEHOLDER,
    TOPIC_CHARACTERS,
)
from outbox_kit.versions import Version

MOST_COMPARED = 100  # names among which one is looked for that is meant: it takes time for each
KEY_OPTION = re.compile(r"transforms\..+\.field\.event\.key")  # of any event router
LOG_SINCE = Version.of("3.6")  # DBZ-9275, dbz#2004, dbz#2058


def complaints(outbox: OutboxFields) -> list[str]:
    """What no single field can know: a list of sentences, empty if the outbox holds together."""
    parts = (_database, _ownership, _feed, _columns, identifiers.complaints, _log, _payload, _routing, _events)
    return [complaint for part in parts for complaint in part(outbox)]


def _database(outbox: OutboxFields) -> list[str]:
    dialect, role, container = outbox.dialect, derived(outbox).role, outbox.database.container
    problems, limits = [], dialect.limits
    if container and not dialect.capture.container_options:
        problems.append(f"database.container: {dialect.title} has no containers; take it out")
    elif container and not role.upper().startswith(dialect.naming.common_user_prefix):
        problems.append(
            f"database.user: in a container it begins with {dialect.naming.common_user_prefix}, and '{role}' does not"
        )
    if dialect.naming.schema is None and outbox.database.db_schema:
        problems.append(f"database.schema: {dialect.title} has no schemas in a database; name the database")
    if not dialect.capture.uses_slot and (outbox.connect.slot or outbox.connect.publication):
        problems.append(f"connect.slot and connect.publication: {dialect.title} has neither; take them out")
    if Version.of(outbox.connect.debezium) < Version.of(dialect.capture.min_debezium):
        problems.append(f"connect.debezium: {dialect.title} needs {dialect.capture.min_debezium} or later")
    if outbox.table.retention not in (*dialect.retentions, "owner"):
        allowed = ", ".join(dialect.retentions)
        problems.append(f"table.retention: {dialect.title} cannot do '{outbox.table.retention}'; choose {allowed}")
    if outbox.database.replica_set and not dialect.documents:
        problems.append(f"database.replica_set: {dialect.title} has none; take it out")
    if outbox.table.max_payload_bytes > limits.payload:
        problems.append(f"table.max_payload_bytes: {dialect.title} holds no more than {limits.payload}")
    if outbox.database.writers and "writers" not in dialect.ddl.templates:
        problems.append(
            f"database.writers: {dialect.title}'s users have their rights by roles; let a role of your application's "
            "insert into the outbox, and take this out"
        )
    if (
        outbox.ordering.sequence
        and outbox.ordering.assigned_by == "database"
        and "identity" not in dialect.ddl.default_clauses
    ):
        problems.append(f"ordering.assigned_by: {dialect.title} numbers nothing by itself; let the application do it")
    return problems


def _ownership(outbox: OutboxFields) -> list[str]:
    """What only a table of somebody else's may lack or have, and what only one of ours may."""
    table, dialect = outbox.table, outbox.dialect
    if table.retention in ("delete", "partition") and table.columns.created_at is None:
        return [f"table.retention: {table.retention} goes by created_at, which this table does not have"]
    if table.ids not in dialect.types:
        return [f"table.ids: {dialect.title} has no {table.ids}"]
    if table.existing:
        return (
            ["table.existing and table.fed_by: a table that is filled from another one is ours"] if table.fed_by else []
        )
    lacking = [name for name, column in table.columns if column is None]
    problems = [f"table.columns.{name} is null, which only a table with existing: true may lack" for name in lacking]
    only = {f"ids: {table.ids}": table.ids != "uuid", "retention: owner": table.retention == "owner"}
    return [
        *problems,
        *(f"table.{setting} is for a table with existing: true" for setting, is_so in only.items() if is_so),
    ]


def _feed(outbox: OutboxFields) -> list[str]:
    feed, dialect = outbox.table.fed_by, outbox.dialect
    if feed is None:
        return []
    if dialect.documents:
        alternative = "capture the table as it is (table.existing), or write into the outbox from your code"
        return [f"table.fed_by: no trigger is written for {dialect.title}; {alternative}"]
    allowed = fed(outbox)
    lacking = [name for name, column in allowed.items() if column.required and name != "id" and not column.filled]
    problems = [
        f"table.fed_by.columns names '{name}', which is none of the outbox" + nearest(name, list(allowed))
        for name in feed.columns
        if name not in allowed
    ]
    return problems + [
        f"table.fed_by.columns does not say what '{name}' gets" for name in lacking if name not in feed.columns
    ]


def _columns(outbox: OutboxFields) -> list[str]:
    names, dialect = outbox.column_names, outbox.dialect
    repeated = sorted({name for name in names if names.count(name) > 1})
    problems = [f"the column '{name}' is named twice" for name in repeated]
    problems += [
        f"the column '{name}' cannot be named in a placement: it holds a comma or a colon"
        for name in names
        if set(name) & set(",:")
    ]
    if "," in outbox.table.name + derived(outbox).schema:
        problems.append("a comma in the table's or the schema's name would split the connector's list of tables")
    marked = dialect.capture.override_format and dialect.naming.quotes[1] in outbox.table.name + derived(outbox).schema
    if marked and outbox.connect.snapshot == "initial":
        problems.append(
            f"a {dialect.naming.quotes[1]} in the table's or the schema's name stops the connector's first read; "
            "use another name, or connect.snapshot: no_data"
        )
    key = routing.key_column(outbox.routing, outbox.table.columns)
    if key not in names:
        problems.append(f"routing.key names the column '{key}', which the table does not have")
    raw = {column.strip(): option for option, column in outbox.connect.config.items() if KEY_OPTION.fullmatch(option)}
    problems += [
        f"{option} names the column '{column.name}', which may be null; make it required"
        for column in outbox.table.extra
        if not column.required and (option := {**raw, key: "routing.key"}.get(column.name))
    ]
    if sum(column.to == "partition" for column in outbox.table.extra) > 1:
        problems.append("only one column can go to the partition")
    return problems


def _log(outbox: OutboxFields) -> list[str]:
    if outbox.table.storage == "table":
        return []
    dialect, problems = outbox.dialect, []
    if not dialect.capture.decoder:
        problems.append(f"table.storage: {dialect.title} takes no messages into its log; use a table")
    if outbox.table.existing or outbox.table.fed_by:
        problems.append("table.storage: log is no table; leave out existing and fed_by")
    if outbox.table.payload == "bytes":
        problems.append("table.storage: log holds JSON, and so no payload: bytes; use json or text")
    if Version.of(outbox.connect.debezium) < LOG_SINCE:
        problems.append("table.storage: log loses or doubles messages before Debezium 3.6; name that, or a later one")
    return problems


def _payload(outbox: OutboxFields) -> list[str]:
    if outbox.dialect.documents and outbox.table.payload == "json":
        return [
            f"the payload of '{event.type}' is no object, which a document must be; use table.payload: text"
            for event in outbox.events
            if isinstance(event.payload, dict) and "object" not in event.payload.get("type", "object")
        ]
    if outbox.table.registry and outbox.cloudevents and outbox.cloudevents.mode == "structured":
        return ["cloudevents.mode: structured is plain JSON, and table.registry says otherwise; use mode: binary"]
    return []


def _routing(outbox: OutboxFields) -> list[str]:
    placeholders = [name for name in PLACEHOLDER.findall(outbox.routing.topic) if name != "service"]
    texts = {x.name for x in outbox.table.extra if x.kind == "text" and x.required}
    groups = re.compile(outbox.routing.pattern or "").groups
    allowed = {"type", *texts, *map(str, range(1, groups + 1))}
    if outbox.table.columns.aggregate_type is not None:
        allowed.add("aggregate")
    listing = ", ".join(f"{{{name}}}" for name in ("aggregate", "type") if name in allowed)
    problems = [
        f"routing.topic names '{{{name}}}'; allowed are {{service}}, {listing}, a required text column of table.extra, "
        "and a group of routing.pattern, such as {1}"
        for name in placeholders
        if name not in allowed
    ]
    if outbox.routing.pattern is not None and not (placeholders and all(map(GROUP.fullmatch, placeholders))):
        problems.append("routing.pattern: then routing.topic can name only the pattern's groups, such as {1}")
    if len({routing.column_of(outbox.table.columns, name) for name in placeholders}) > 1:
        problems.append("routing.topic can name one column only: the router routes by one field")
    literal = PLACEHOLDER.sub("", outbox.routing.topic)
    if not TOPIC_CHARACTERS.fullmatch(literal or "x"):
        problems.append("routing.topic holds a character that no topic may have; allowed are A-Z a-z 0-9 . _ -")
    return problems


def _events(outbox: OutboxFields) -> list[str]:
    pairs = [(event.aggregate, event.type) for event in outbox.events]
    problems = [f"the event '{kind}' of '{aggregate}' is declared twice" for aggregate, kind in sorted(_several(pairs))]
    columns, route_column = outbox.table.columns, routing.route_column(outbox.routing, outbox.table.columns)
    routes = {route for event in outbox.events if (route := routing.route_of(event, columns, route_column)) is not None}
    if outbox.table.columns.aggregate_type is None:
        repeated = sorted(_several([kind for _, kind in pairs]))
        problems += [
            f"the event '{kind}' is declared twice, and no column says of which aggregate" for kind in repeated
        ]
    pattern = outbox.routing.pattern
    if pattern is not None:
        problems += [
            f"routing.pattern does not match '{route}'" for route in sorted(routes) if not re.fullmatch(pattern, route)
        ]
    problems += _names(outbox, routes)
    kinds: dict[str, list[str]] = defaultdict(list)
    for aggregate, kind in pairs:
        kinds[aggregate].append(kind)
    declared = set(pairs)
    problems += [
        f"'{event.type}' of '{event.aggregate}' comes after '{name}', which is no event of '{event.aggregate}'"
        + (nearest(name, kinds[event.aggregate]) if len(kinds[event.aggregate]) <= MOST_COMPARED else "")
        for event in outbox.events
        for name in event.after or ()
        if (event.aggregate, name) not in declared
    ]
    if any(aggregate == CANARY_AGGREGATE for aggregate, _ in pairs):
        problems.append(f"the aggregate '{CANARY_AGGREGATE}' is kept for the deployment's canary rows")
    return problems


def _names(outbox: OutboxFields, routes: set[str]) -> list[str]:
    """Whether `routing.topic` makes names of topics of these routes.

    Raw options may route otherwise; then it is the linter that asks the model of the router.
    """
    if any(name.startswith("transforms") for name in outbox.connect.config):
        return []
    topics = sorted(_name(outbox, route) for route in routes)
    parts = sorted(routes) if outbox.routing.pattern is None else topics
    problems = [
        f"'{part}' cannot be part of a topic's name; allowed are A-Z a-z 0-9 . _ -"
        for part in parts
        if not TOPIC_CHARACTERS.fullmatch(part)
    ]
    return problems + [
        f"the topic '{topic}' is longer than {LONGEST_TOPIC} characters"
        for topic in topics
        if len(topic) > LONGEST_TOPIC
    ]


def _name(outbox: OutboxFields, route: str) -> str:
    """`routing.topic` with its placeholders filled; the route itself where no pattern matches it."""
    groups = {name: route for name in PLACEHOLDER.findall(outbox.routing.topic)} | {"service": outbox.service}
    if outbox.routing.pattern is not None:
        match = re.fullmatch(outbox.routing.pattern, route)
        if match is None:
            return route
        groups |= {str(number): text or "" for number, text in enumerate(match.groups(), 1)}
    return PLACEHOLDER.sub(lambda placeholder: groups[placeholder[1]], outbox.routing.topic)


def _several(words: list[Any]) -> set[Any]:
    """Those that are there more than once."""
    return {word for word, count in Counter(words).items() if count > 1}
