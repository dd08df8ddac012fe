"""What no single field of a schema file can know: whether its parts hold together. Sentences, and no file."""

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from outbox_kit import dialects
from outbox_kit.schema import identifiers
from outbox_kit.schema.columns import fed
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
LOG_SINCE = Version.of("3.6")  # DBZ-9275, dbz#2004, dbz#2058

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox


def complaints(outbox: "Outbox") -> list[str]:
    """What no single field can know: a list of sentences, empty if the outbox holds together."""
    parts = (_database, _ownership, _feed, _columns, identifiers.complaints, _log, _payload, _routing, _events)
    return [complaint for part in parts for complaint in part(outbox)]


def _database(outbox: "Outbox") -> list[str]:
    dialect, role, container = dialects.named(outbox.database.dialect), derived(outbox).role, outbox.database.container
    found, limits = [], dialect.limits
    if container and not dialect.capture.container:
        found.append(f"database.container: {dialect.title} has no containers; take it out")
    elif container and not role.upper().startswith(dialect.common):
        found.append(f"database.user: in a container it begins with {dialect.common}, and '{role}' does not")
    if dialect.schema is None and outbox.database.db_schema:
        found.append(f"database.schema: {dialect.title} has no schemas in a database; name the database")
    if not dialect.slots and (outbox.connect.slot or outbox.connect.publication):
        found.append(f"connect.slot and connect.publication: {dialect.title} has neither; take them out")
    if Version.of(outbox.connect.debezium) < Version.of(dialect.capture.since):
        found.append(f"connect.debezium: {dialect.title} needs {dialect.capture.since} or later")
    if outbox.table.retention not in (*dialect.retentions, "owner"):
        allowed = ", ".join(dialect.retentions)
        found.append(f"table.retention: {dialect.title} cannot do '{outbox.table.retention}'; choose {allowed}")
    if outbox.database.replica_set and not dialect.documents:
        found.append(f"database.replica_set: {dialect.title} has none; take it out")
    if outbox.table.max_payload_bytes > limits.payload:
        found.append(f"table.max_payload_bytes: {dialect.title} holds no more than {limits.payload}")
    if outbox.database.writers and "writers" not in dialect.ddl:
        found.append(
            f"database.writers: {dialect.title}'s users have their rights by roles; let a role of your application's "
            "insert into the outbox, and take this out"
        )
    if outbox.ordering.sequence and outbox.ordering.assigned_by == "database" and "identity" not in dialect.fills:
        found.append(f"ordering.assigned_by: {dialect.title} numbers nothing by itself; let the application do it")
    return found


def _ownership(outbox: "Outbox") -> list[str]:
    """What only a table of somebody else's may lack or have, and what only one of ours may."""
    table, dialect = outbox.table, dialects.named(outbox.database.dialect)
    if table.retention in ("delete", "partition") and table.columns.created_at is None:
        return [f"table.retention: {table.retention} goes by created_at, which this table does not have"]
    if table.ids not in dialect.types:
        return [f"table.ids: {dialect.title} has no {table.ids}"]
    if table.existing:
        return (
            ["table.existing and table.fed_by: a table that is filled from another one is ours"] if table.fed_by else []
        )
    lacking = [name for name, column in table.columns if column is None]
    found = [f"table.columns.{name} is null, which only a table with existing: true may lack" for name in lacking]
    only = {f"ids: {table.ids}": table.ids != "uuid", "retention: owner": table.retention == "owner"}
    return [*found, *(f"table.{said} is for a table with existing: true" for said, is_so in only.items() if is_so)]


def _feed(outbox: "Outbox") -> list[str]:
    feed, dialect = outbox.table.fed_by, dialects.named(outbox.database.dialect)
    if feed is None:
        return []
    if dialect.documents:
        other = "capture the table as it is (table.existing), or write into the outbox from your code"
        return [f"table.fed_by: no trigger is written for {dialect.title}; {other}"]
    allowed = fed(outbox)
    lacking = [name for name, column in allowed.items() if column.required and name != "id" and not column.filled]
    found = [
        f"table.fed_by.columns names '{name}', which is none of the outbox" + nearest(name, list(allowed))
        for name in feed.columns
        if name not in allowed
    ]
    return found + [
        f"table.fed_by.columns does not say what '{name}' gets" for name in lacking if name not in feed.columns
    ]


def _columns(outbox: "Outbox") -> list[str]:
    names, dialect = outbox.column_names, dialects.named(outbox.database.dialect)
    twice = sorted({name for name in names if names.count(name) > 1})
    found = [f"the column '{name}' is named twice" for name in twice]
    found += [
        f"the column '{name}' cannot be named in a placement: it holds a comma or a colon"
        for name in names
        if set(name) & set(",:")
    ]
    if "," in outbox.table.name + derived(outbox).schema:
        found.append("a comma in the table's or the schema's name would split the connector's list of tables")
    marked = dialect.capture.overridden and dialect.quotes[1] in outbox.table.name + derived(outbox).schema
    if marked and outbox.connect.snapshot == "initial":
        found.append(
            f"a {dialect.quotes[1]} in the table's or the schema's name stops the connector's first read; "
            "use another name, or connect.snapshot: no_data"
        )
    if outbox.key_column not in names:
        found.append(f"routing.key names the column '{outbox.key_column}', which the table does not have")
    if any(column.name == outbox.key_column and not column.required for column in outbox.table.extra):
        found.append(f"routing.key names the column '{outbox.key_column}', which may be null; make it required")
    if sum(column.to == "partition" for column in outbox.table.extra) > 1:
        found.append("only one column can go to the partition")
    return found


def _log(outbox: "Outbox") -> list[str]:
    if outbox.table.storage == "table":
        return []
    dialect, found = dialects.named(outbox.database.dialect), []
    if not dialect.capture.decoder:
        found.append(f"table.storage: {dialect.title} takes no messages into its log; use a table")
    if outbox.table.existing or outbox.table.fed_by:
        found.append("table.storage: log is no table; leave out existing and fed_by")
    if outbox.table.payload == "bytes":
        found.append("table.storage: log holds JSON, and so no payload: bytes; use json or text")
    if Version.of(outbox.connect.debezium) < LOG_SINCE:
        found.append("table.storage: log loses or doubles messages before Debezium 3.6; name that, or a later one")
    return found


def _payload(outbox: "Outbox") -> list[str]:
    if dialects.named(outbox.database.dialect).documents and outbox.table.payload == "json":
        return [
            f"the payload of '{event.type}' is no object, which a document must be; use table.payload: text"
            for event in outbox.events
            if isinstance(event.payload, dict) and "object" not in event.payload.get("type", "object")
        ]
    if outbox.table.registry and outbox.cloudevents and outbox.cloudevents.mode == "structured":
        return ["cloudevents.mode: structured is plain JSON, and table.registry says otherwise; use mode: binary"]
    return []


def _routing(outbox: "Outbox") -> list[str]:
    named = [name for name in PLACEHOLDER.findall(outbox.routing.topic) if name != "service"]
    texts = {x.name for x in outbox.table.extra if x.kind == "text" and x.required}
    groups = re.compile(outbox.routing.pattern or "").groups
    allowed = {"type", *texts, *map(str, range(1, groups + 1))}
    if outbox.table.columns.aggregate_type is not None:
        allowed.add("aggregate")
    said = ", ".join(f"{{{name}}}" for name in ("aggregate", "type") if name in allowed)
    found = [
        f"routing.topic names '{{{name}}}'; allowed are {{service}}, {said}, a required text column of table.extra, "
        "and a group of routing.pattern, such as {1}"
        for name in named
        if name not in allowed
    ]
    if outbox.routing.pattern is not None and not (named and all(map(GROUP.fullmatch, named))):
        found.append("routing.pattern: then routing.topic can name only the pattern's groups, such as {1}")
    if len(set(map(outbox.column_of, named))) > 1:
        found.append("routing.topic can name one column only: the router routes by one field")
    literal = PLACEHOLDER.sub("", outbox.routing.topic)
    if not TOPIC_CHARACTERS.fullmatch(literal or "x"):
        found.append("routing.topic holds a character that no topic may have; allowed are A-Z a-z 0-9 . _ -")
    return found


def _events(outbox: "Outbox") -> list[str]:
    pairs = [(event.aggregate, event.type) for event in outbox.events]
    found = [f"the event '{kind}' of '{aggregate}' is declared twice" for aggregate, kind in sorted(_several(pairs))]
    routes = {route for event in outbox.events if (route := outbox.route(event)) is not None}
    if outbox.table.columns.aggregate_type is None:
        several = sorted(_several([kind for _, kind in pairs]))
        found += [f"the event '{kind}' is declared twice, and no column says of which aggregate" for kind in several]
    pattern = outbox.routing.pattern
    if pattern is not None:
        found += [f"routing.pattern does not match '{one}'" for one in sorted(routes) if not re.fullmatch(pattern, one)]
    found += _names(outbox, routes)
    kinds: dict[str, list[str]] = defaultdict(list)
    for aggregate, kind in pairs:
        kinds[aggregate].append(kind)
    known = set(pairs)
    found += [
        f"'{event.type}' of '{event.aggregate}' comes after '{name}', which is no event of '{event.aggregate}'"
        + (nearest(name, kinds[event.aggregate]) if len(kinds[event.aggregate]) <= MOST_COMPARED else "")
        for event in outbox.events
        for name in event.after or ()
        if (event.aggregate, name) not in known
    ]
    if any(aggregate == CANARY_AGGREGATE for aggregate, _ in pairs):
        found.append(f"the aggregate '{CANARY_AGGREGATE}' is kept for the deployment's canary rows")
    return found


def _names(outbox: "Outbox", routes: set[str]) -> list[str]:
    """Whether `routing.topic` makes names of topics of these routes.

    Raw options may route otherwise; then it is the linter that asks the model of the router.
    """
    if any(name.startswith("transforms") for name in outbox.connect.config):
        return []
    topics = sorted(_name(outbox, route) for route in routes)
    parts = sorted(routes) if outbox.routing.pattern is None else topics
    found = [
        f"'{part}' cannot be part of a topic's name; allowed are A-Z a-z 0-9 . _ -"
        for part in parts
        if not TOPIC_CHARACTERS.fullmatch(part)
    ]
    return found + [
        f"the topic '{topic}' is longer than {LONGEST_TOPIC} characters"
        for topic in topics
        if len(topic) > LONGEST_TOPIC
    ]


def _name(outbox: "Outbox", route: str) -> str:
    """`routing.topic` with its placeholders filled; the route itself where no pattern matches it."""
    groups = {name: route for name in PLACEHOLDER.findall(outbox.routing.topic)} | {"service": outbox.service}
    if outbox.routing.pattern is not None:
        found = re.fullmatch(outbox.routing.pattern, route)
        if found is None:
            return route
        groups |= {str(number): text or "" for number, text in enumerate(found.groups(), 1)}
    return PLACEHOLDER.sub(lambda placeholder: groups[placeholder[1]], outbox.routing.topic)


def _several(words: list[Any]) -> set[Any]:
    """Those that are there more than once."""
    return {word for word, count in Counter(words).items() if count > 1}
