"""The SQL of what a table lacks, by its database's template. Pure."""

import json

from outbox_kit import dialects
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import plain
from outbox_kit.assets import TEMPLATES
from outbox_kit.render import text

KEY = "aggregate_id"


def key_column(one: Candidate) -> str:
    """A column for the key, filled from the payload before the insert; empty where no template says how."""
    dialect = dialects.named(one.dialect)
    if one.family("payload") == "xml" or not any(
        (TEMPLATES / folder / "adopt" / "key-column.sql.j2").is_file() for folder in dialect.folders
    ):
        return ""
    members = one.evidence.members(one.roles["payload"])
    member = next((name for name in members if name.lower().endswith("id") and plain(name) != "id"), "")
    return text.sql(
        "adopt/key-column.sql.j2",
        dialect,
        table=(one.table.schema, one.table.name),
        owner=one.table.owner,
        trigger=dialect.made(one.table.name, KEY),
        maker=(one.table.schema, dialect.made(one.table.name, KEY)),
        key=dialect.spelled(KEY),
        payload=one.roles["payload"],
        family=one.family("payload"),
        member=member or "aggregateId",
        path=f"$.{json.dumps(member or 'aggregateId')}",
        quoted=dialect.ident,
        guessed=not member,
    )
