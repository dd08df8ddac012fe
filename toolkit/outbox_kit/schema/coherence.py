"""What no single field of a schema file can know: whether its parts hold together. Sentences, and no file."""

from typing import TYPE_CHECKING

from outbox_kit import dialects
from outbox_kit.schema.names import names as derived
from outbox_kit.schema.nearest import nearest
from outbox_kit.schema.words import (
    CANARY_AGGREGATE,
    LONGEST_TOPIC,
    PLACEHOLDER,
    TOPIC_CHARACTERS,
)
from outbox_kit.versions import Version

LOG_SINCE = Version.of("3.6")  # DBZ-9275, dbz#2004, dbz#2058

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox


def complaints(outbox: "Outbox") -> list[str]:
    """What no single field can know: a list of sentences, empty if the outbox holds together."""
    parts = (_database, _columns, _log, _payload, _routing, _events)
    return [complaint for part in parts for complaint in part(outbox)]


def _database(outbox: "Outbox") -> list[str]:
    dialect, role = dialects.named(outbox.database.dialect), derived(outbox).role
    found = []
    if dialect.schema is None and outbox.database.db_schema:
        found.append(f"database.schema: {dialect.title} has no schemas in a database; name the database")
    if not dialect.slots and (outbox.connect.slot or outbox.connect.publication):
        found.append(f"connect.slot and connect.publication: {dialect.title} has neither; take them out")
    if Version.of(outbox.connect.debezium) < Version.of(dialect.since):
        found.append(f"connect.debezium: {dialect.title} has had a connector since {dialect.since}")
    if outbox.table.retention not in dialect.retentions:
        allowed = ", ".join(dialect.retentions)
        found.append(f"table.retention: {dialect.title} cannot do '{outbox.table.retention}'; choose {allowed}")
    if dialect.length(role) > dialect.longest_role:
        found.append(
            f"the role's name '{role}' is longer than {dialect.longest_role} {dialect.unit}; name one in database.user"
        )
    return found


def _columns(outbox: "Outbox") -> list[str]:
    names, dialect = outbox.column_names, dialects.named(outbox.database.dialect)
    twice = sorted({name for name in names if names.count(name) > 1})
    found = [f"the column '{name}' is named twice" for name in twice]
    found += [
        f"the column '{name}' cannot be named in a placement: it holds a comma or a colon"
        for name in names
        if set(name) & set(",:")
    ]
    found += [
        f"the column '{name}' is longer than {dialect.longest_name} {dialect.unit}"
        for name in names
        if dialect.length(name) > dialect.longest_name
    ]
    if dialect.length(outbox.table.name) > dialect.longest_table:
        room = f"{dialect.longest_table} {dialect.unit}; names made of it must fit {dialect.longest_name}"
        found.append(f"the table's name is longer than {room}")
    if "," in outbox.table.name + derived(outbox).schema:
        found.append("a comma in the table's or the schema's name would split the connector's list of tables")
    marked = dialect.overridden and dialect.quotes[1] in outbox.table.name + derived(outbox).schema
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
    if not dialect.decoder:
        found.append(f"table.storage: {dialect.title} takes no messages into its log; use a table")
    if outbox.table.payload == "bytes":
        found.append("table.storage: log holds JSON, and so no payload: bytes; use json or text")
    if Version.of(outbox.connect.debezium) < LOG_SINCE:
        found.append("table.storage: log loses or doubles messages before Debezium 3.6; name that, or a later one")
    return found


def _payload(outbox: "Outbox") -> list[str]:
    if outbox.table.registry and outbox.cloudevents and outbox.cloudevents.mode == "structured":
        return ["cloudevents.mode: structured is plain JSON, and table.registry says otherwise; use mode: binary"]
    return []


def _routing(outbox: "Outbox") -> list[str]:
    named = [name for name in PLACEHOLDER.findall(outbox.routing.topic) if name != "service"]
    texts = {x.name for x in outbox.table.extra if x.kind == "text" and x.required}
    found = [
        f"routing.topic names '{{{name}}}'; allowed are {{service}}, {{aggregate}}, {{type}} "
        "and a required text column of table.extra"
        for name in named
        if name not in {"aggregate", "type"} | texts
    ]
    if len(set(named)) > 1:
        found.append("routing.topic can name one column only: the router routes by one field")
    literal = PLACEHOLDER.sub("", outbox.routing.topic)
    if not TOPIC_CHARACTERS.fullmatch(literal or "x"):
        found.append("routing.topic holds a character that no topic may have; allowed are A-Z a-z 0-9 . _ -")
    return found


def _events(outbox: "Outbox") -> list[str]:
    pairs = [(event.aggregate, event.type) for event in outbox.events]
    found = [
        f"the event '{kind}' of '{aggregate}' is declared twice"
        for aggregate, kind in sorted({pair for pair in pairs if pairs.count(pair) > 1})
    ]
    routes = {route for event in outbox.events if (route := outbox.route(event)) is not None}
    found += [
        f"'{route}' cannot be part of a topic's name; allowed are A-Z a-z 0-9 . _ -"
        for route in sorted(routes)
        if not TOPIC_CHARACTERS.fullmatch(route)
    ]
    found += [
        f"the topic '{topic}' is longer than {LONGEST_TOPIC} characters"
        for topic in map(outbox.topic, sorted(routes))
        if len(topic) > LONGEST_TOPIC
    ]
    found += [
        f"'{event.type}' of '{event.aggregate}' comes after '{name}', which is no event of '{event.aggregate}'"
        + nearest(name, [kind for aggregate, kind in pairs if aggregate == event.aggregate])
        for event in outbox.events
        for name in event.after or ()
        if (event.aggregate, name) not in pairs
    ]
    if any(aggregate == CANARY_AGGREGATE for aggregate, _ in pairs):
        found.append(f"the aggregate '{CANARY_AGGREGATE}' is kept for the deployment's canary rows")
    return found
