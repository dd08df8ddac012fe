"""The parts of a table, and the table that the applications of two schema files can both write to. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from outbox_kit.render.constraints import CheckConstraint, constraints
from outbox_kit.render.described import described
from outbox_kit.schema.columns import Column
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns


@dataclass(frozen=True)
class Layout:
    """A table's columns and CHECKs by name, and its indexes by what they are for: `version` and `age`."""

    columns: Mapping[str, Column]
    checks: Mapping[str, CheckConstraint]
    indexes: Mapping[str, tuple[str, ...]]


def layout(outbox: Outbox) -> Layout:
    """The table of a schema file."""
    c, sequence, dialect = outbox.table.columns, outbox.ordering.sequence, outbox.dialect
    indexes: dict[str, tuple[str, ...]] = {}
    if (
        sequence
        and outbox.ordering.assigned_by == "application"
        and (dialect.ddl.global_unique_index or not partitioned(outbox))
    ):
        indexes["version"] = tuple(name for name in (c.aggregate_type, c.aggregate_id, sequence) if name is not None)
    if outbox.table.retention == "delete" and c.created_at is not None:
        indexes["age"] = (c.created_at,)
    checks = constraints(outbox, dialect)
    return Layout({x.name: x for x in described(outbox)}, {x.name: x for x in checks}, indexes)


def between(old: Outbox, new: Outbox) -> Layout:
    """A table that accepts the rows of both schema files' applications."""
    before, after, names_now = layout(old), layout(new), renamed(old, new)
    columns = {
        # a renamed column keeps its definition under the old name: a trigger fills it from the new column
        name: column if name in names_now else replace(column, required=column.required and _wants(after, name))
        for name, column in before.columns.items()
    }
    additional = {
        name: replace(x, required=False, filled="") for name, x in after.columns.items() if name not in columns
    }
    shared = before.checks.keys() & after.checks.keys() - _contradicted(old, new)
    checks = {name: check for name, check in layout(_widened(old, new)).checks.items() if name in shared}
    indexes = {name: of for name, of in before.indexes.items() if name == "age" or name in after.indexes}
    age = {"age": after.indexes["age"]} if "age" in after.indexes and "age" not in indexes else {}
    return Layout(columns | additional, checks, indexes | age)


def renamed(old: Outbox, new: Outbox) -> dict[str, str]:
    """The renamed columns: the new name by the old name."""
    now = _roles(new)
    return {name: now[role] for role, name in _roles(old).items() if role in now and name != now[role]}


def rebuilt(old: Outbox, new: Outbox) -> list[str]:
    """Why the table cannot be changed while the applications of both schema files write; empty if it can."""
    before, after, names_now = layout(old).columns, layout(new).columns, renamed(old, new)
    reasons = []
    if table(old) != table(new):
        reasons.append("the table and its indexes and constraints are renamed")
    if partitioned(old) != partitioned(new):
        reasons.append("partitioning can only be changed by rewriting the table")
    pairs = {(name, names_now.get(name, name)) for name in before}
    types = new.dialect.types
    reasons += [
        f"the type of '{now}' changes from {types[before[name].kind]} to {types[after[now].kind]}"
        for name, now in sorted(pairs)
        if now in after and types[after[now].kind] != types[before[name].kind]
    ]
    if _numbering(before) != _numbering(after):
        reasons.append("the database numbers the rows differently, existing rows included")
    c = old.table.columns
    keys = {name for name in (c.id, c.created_at if partitioned(old) else None) if name is not None}
    reasons += [
        f"'{name}' is part of the primary key and is renamed to '{names_now[name]}'" for name in keys & {*names_now}
    ]
    if not new.dialect.migration.sync_trigger:
        changes = ", ".join(f"'{name}' to '{now}'" for name, now in names_now.items())
        reasons += [f"columns are renamed ({changes}), and no trigger can keep both names equal"] if changes else []
    if {*names_now} & {*after} or {*names_now.values()} & {*before}:
        reasons.append("a column gets the name of another existing column")
    return reasons


def table(outbox: Outbox) -> tuple[str, str]:
    """The table's qualified name."""
    return outbox.names.schema, outbox.table.name


def partitioned(outbox: Outbox) -> bool:
    """Whether the table has a partition for each day."""
    return outbox.table.retention == "partition"


def written_columns(outbox: Outbox) -> set[tuple[str, str]]:
    """The columns that the application writes, with their kinds."""
    return {(x.name, x.kind) for x in described(outbox) if not x.filled}


def read_columns(outbox: Outbox) -> set[str]:
    """The columns that the connector's config names."""
    return router_columns(outbox).all


def _wants(after: Layout, name: str) -> bool:
    return name in after.columns and after.columns[name].required


def _roles(outbox: Outbox) -> dict[str, str]:
    """The columns' names by their purpose."""
    sequence = {"sequence": outbox.ordering.sequence} if outbox.ordering.sequence else {}
    extra = {f"{x.to} {'' if x.to == 'partition' else x.alias or x.name}": x.name for x in outbox.table.extra}
    return {**outbox.table.columns.model_dump(), **sequence, **extra}


def _numbering(columns: Mapping[str, Column]) -> set[str]:
    return {column.name for column in columns.values() if column.filled == "identity"}


def _widened(old: Outbox, new: Outbox) -> Outbox:
    """The old outbox, extended by everything that only the new one allows."""
    pairs = {(event.aggregate, event.type) for event in old.events}
    additional = [event for event in new.events if (event.aggregate, event.type) not in pairs]
    largest = max(old.table.max_payload_bytes, new.table.max_payload_bytes)
    topics = max(old.connect.topics, new.connect.topics, key=lambda topics: topics.partitions)
    return old.model_copy(
        update={
            "events": (*old.events, *additional),
            "table": old.table.model_copy(update={"max_payload_bytes": largest}),
            "connect": old.connect.model_copy(update={"topics": topics}),
        }
    )


def _contradicted(old: Outbox, new: Outbox) -> set[str]:
    """The CHECKs whose old and new conditions exclude each other."""
    was, now = ({event.type: event.tombstone for event in outbox.events} for outbox in (old, new))
    flipped = any(now.get(name, tombstone) != tombstone for name, tombstone in was.items())
    return {f"{old.table.name}_null_payload_is_a_tombstone"} if flipped else set()
