"""What may be removed. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from outbox_kit.databases.cleanup import PartitionRemoval, RemovalState, TableCondition, TablePartition
from outbox_kit.errors import TableDiffers
from outbox_kit.operate.cleanup.kind import Way
from outbox_kit.render.cleanup import OldRows, RowProof

APPLY = "create the missing objects: outbox-kit gen-ddl{} --apply"


def expect_table(
    rows: OldRows,
    columns: Sequence[str],
    way: Way,
    table: TableCondition,
    key: str = "table.retention",
    script: str = "",
) -> None:
    """Raise TableDiffers if the table is not the one of the schema file.

    columns: those that it must have. key: of the schema file, which says whether the table has partitions. script: the
    option of gen-ddl that creates the table; empty for the outbox.
    """
    name = ".".join(rows.table)
    if not table.columns:
        raise TableDiffers(f"table '{name}' does not exist", fix=APPLY.format(f" {script}" if script else ""))
    if missing := [column for column in columns if column not in table.columns]:
        raise TableDiffers(
            f"table '{name}' is not the table of the schema file: it has no column '{missing[0]}'",
            why="its rows belong to another program",
            fix="name the right database in OUTBOX_KIT_DSN, or the right table in the schema file",
        )
    if rows.created not in table.times:
        kind = table.columns[rows.created]
        raise TableDiffers(
            f"column '{rows.created}' of table '{name}' has the type {kind}: expected a time",
            fix="name the column of the insertion time in table.columns.created_at",
        )
    if table.partitioned is not (way is Way.drop):
        raise TableDiffers(
            f"table '{name}' {'is' if table.partitioned else 'is not'} partitioned: it does not match {key}",
            fix=f"set {key} to what the table is; or migrate the table: outbox-kit gen-ddl --diff git:main",
        )
    if rows.proof is RowProof.point and way is Way.delete and not table.key:
        raise TableDiffers(
            f"table '{name}' has no unique column that is never null",
            why="rows are found by it when their events are proven published",
            fix="add a primary key of one column",
        )


def as_created(rows: OldRows, table: TableCondition, *, failures: bool) -> OldRows:
    """The rows of the table as it is. failures: whether the table of failed events exists."""
    kept = rows.failures if failures else ()
    return replace(rows, zoneless=table.times[rows.created], failures=kept)


def without(rows: OldRows, consumers: Sequence[str]) -> OldRows:
    """The rows without those of some consumers of an inbox."""
    return replace(rows, horizons=tuple(each for each in rows.horizons if each[0] not in consumers))


def removable(partitions: Sequence[TablePartition]) -> Sequence[TablePartition]:
    """The partitions to remove: what a former run has begun first, because another detach is refused until then."""
    chosen = [each for each in partitions if each.detached or (each.old and not each.default)]
    return sorted(chosen, key=lambda each: (not each.pending, not each.detached, each.name))


def behind(blocked: str, chosen: Sequence[TablePartition]) -> Mapping[str, PartitionRemoval]:
    """The outcome for the partitions after a blocked one: the same transactions would block them."""
    names = [each.name for each in chosen]
    waiting = PartitionRemoval(RemovalState.blocked, f"not attempted behind partition {blocked}")
    return dict.fromkeys(names[names.index(blocked) + 1 :], waiting)


def strays(partitions: Sequence[TablePartition]) -> Sequence[TablePartition]:
    """The partitions whose old rows are deleted by batches, because they are not dropped."""
    return [each for each in partitions if each.default]


def next_batch(most: int, limit: int | None, removed: int) -> int:
    """The rows of the next batch; 0 if no more may be removed. limit: of the run. removed: so far."""
    return most if limit is None else max(0, min(most, limit - removed))
