"""Random outboxes of every database, with names of all kinds."""

import re

from hypothesis import assume
from hypothesis import strategies as st

from outbox_kit import databases
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version

NAME = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), exclude_characters=",:%"),
    min_size=1,
    max_size=20,
).filter(lambda name: name.strip() == name and len(name.encode()) <= 30)
WORD = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,20}", fullmatch=True)


@st.composite
def outboxes(draw: st.DrawFn) -> Outbox:
    names = draw(st.lists(NAME, min_size=8, max_size=8, unique=True))
    columns = dict(zip(("id", "aggregate_type", "aggregate_id", "type", "payload", "created_at"), names, strict=False))
    pairs = draw(st.lists(st.tuples(WORD, NAME), min_size=1, max_size=5, unique=True))
    dialect = databases.get(draw(st.sampled_from(sorted(databases.ALL))))
    assume(not set("".join(names)) & set(dialect.limits.forbidden))
    assume(not any(re.search(pattern, name) for name in names for pattern in dialect.limits.refused))
    assume(dialect.naming.schema or not set(names[6]) & set(dialect.limits.not_in_database))
    words = "\n".join([*names, *(kind for _, kind in pairs)])
    assume(not any(mark in words for mark in dialect.limits.marks))
    assume(dialect.limits.length(names[7]) <= dialect.limits.table)
    assume(not dialect.naming.unquoted_pattern or len({name.upper() for name in names}) == len(names))
    schema = "schema" if dialect.naming.schema else "name"
    guarantee = draw(st.sampled_from(["at-least-once", "exactly-once"]))
    capture = dialect.capture
    oldest = max(
        Version.of(capture.min_debezium), Version.of(capture.exactly_once if "exactly" in guarantee else "2.0")
    )
    releases = ["2.7", "3.0", "3.5", "3.6", "3.6.1.Final", "3.7"]
    return Outbox.model_validate(
        {
            "service": draw(st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True)),
            "database": {
                "dialect": dialect.name,
                schema: names[6],
                "user": "reader",
                "version": draw(st.sampled_from([None, "16", "18"])),
            },
            "table": {
                "name": names[7],
                "columns": columns,
                "payload": draw(st.sampled_from(["json", "text", "bytes"])),
                "retention": draw(st.sampled_from(dialect.retentions)),
            },
            "ordering": draw(
                st.sampled_from(
                    [{"sequence": None}, {"sequence": "§seq"}, {"sequence": "§s", "assigned_by": "application"}]
                )
            ),
            "delivery_guarantee": guarantee,
            "events": [
                {"aggregate": aggregate, "type": kind, "tombstone": draw(st.booleans())} for aggregate, kind in pairs
            ],
            "connect": {
                "debezium": draw(st.sampled_from([release for release in releases if Version.of(release) >= oldest])),
                "snapshot": "no_data" if "]" in names[6] + names[7] else "initial",  # SQL Server's cannot be sorted
            },
        }
    )
