"""The SQL of missing columns, from the template of the database. Pure."""

import json

from outbox_kit import databases
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import plain
from outbox_kit.assets import TEMPLATES
from outbox_kit.render import text

KEY = "aggregate_id"


def key_column(candidate: Candidate) -> str:
    """A column for the key, filled from the payload before the insert; empty where no template says how."""
    dialect = databases.get(candidate.dialect)
    if candidate.family("payload") == "xml" or not any(
        (TEMPLATES / folder / "adopt" / "key-column.sql.j2").is_file() for folder in dialect.ddl.folders
    ):
        return ""
    members = candidate.evidence.members(candidate.roles["payload"])
    member = next((name for name in members if name.lower().endswith("id") and plain(name) != "id"), "")
    return text.sql(
        "adopt/key-column.sql.j2",
        dialect,
        table=(candidate.table.schema, candidate.table.name),
        owner=candidate.table.owner,
        trigger=dialect.derived_name(candidate.table.name, KEY),
        maker=(candidate.table.schema, dialect.derived_name(candidate.table.name, KEY)),
        key=dialect.fold_case(KEY),
        payload=candidate.roles["payload"],
        family=candidate.family("payload"),
        member=member or "aggregateId",
        path=f"$.{json.dumps(member or 'aggregateId')}",
        quoted=dialect.quote_ident,
        guessed=not member,
    )
