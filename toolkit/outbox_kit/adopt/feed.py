"""A new outbox table that a trigger fills from a table whose rows cannot be published directly. Pure."""

import json
from collections.abc import Sequence
from typing import Any

from outbox_kit import databases
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import chosen, family
from outbox_kit.databases.facts import Dialect, TriggerExpressions

EXAMPLE = "Example"
ROLES = ("type", "aggregate_type", "aggregate_id", "payload")


def _member(dialect: Dialect, form: str, name: str) -> str:
    """A member of the array's element."""
    return form.format(text=dialect.quote_literal(name), path=dialect.quote_literal(f"$.{json.dumps(name)}"))


def _row(dialect: Dialect, trigger: TriggerExpressions, names: Sequence[str]) -> str:
    """The whole row as JSON."""
    values = [(dialect.quote_literal(name), dialect.quote_ident(name)) for name in names]
    members = ", ".join(trigger.row_member.format(text=text, column=column) for text, column in values)
    return trigger.row.format(members=members)


def table_of(candidate: Candidate) -> str:
    """The name of the new outbox table, within the limits of the database."""
    dialect = databases.get(candidate.dialect)
    name = candidate.table.name
    while dialect.limits.length(dialect.derived_name(name, "events")) > dialect.limits.table:
        name = name[:-1]
    return dialect.derived_name(name, "events")


def feed(candidate: Candidate) -> dict[str, Any] | None:
    """The table as the schema file has it; None where no trigger is written for the database."""
    dialect = databases.get(candidate.dialect)
    trigger = dialect.adoption.trigger
    if trigger is None:
        return None
    members = chosen(candidate.evidence.element_members(candidate.many)) if candidate.many else {}
    plain = [x.name for x in candidate.table.columns if family(candidate.dialect, x.type) not in ("binary", "other")]
    example, key = dialect.quote_literal(EXAMPLE), candidate.column("id")
    defaults = {
        "type": example,
        "aggregate_type": example,
        "aggregate_id": f"{trigger.new}.{dialect.quote_ident(key.name)}" if key else example,
        "payload": "element" if candidate.many else _row(dialect, trigger, plain),
    }
    if candidate.family("id") == "binary":
        defaults["aggregate_id"] = trigger.hexadecimal.format(defaults["aggregate_id"])
    values = {
        role: f"{trigger.new}.{dialect.quote_ident(candidate.roles[role])}" for role in ROLES if role in candidate.roles
    }
    of_element = {role: _member(dialect, trigger.member, members[role]) for role in ROLES if role in members}
    if trigger.document and "payload" in members:
        of_element["payload"] = _member(dialect, trigger.document, members["payload"])
    if candidate.many:
        values.pop("payload", None)  # it is the array
    elif key and key.type in trigger.ids:
        values["id"] = trigger.ids[key.type].format(f"{trigger.new}.{dialect.quote_ident(key.name)}")
    array_column = {"array_column": candidate.many} if candidate.many else {}
    columns = defaults | values | of_element
    return {"name": table_of(candidate), "source": {"table": candidate.table.name, **array_column, "columns": columns}}
