"""What the application's roles may do to the table, from one schema file to the next. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.render.migration.layout import table
from outbox_kit.schema.model import Outbox

Right = tuple[str, str | None]  # what, and of which column alone


@dataclass(frozen=True)
class LostRights:
    """What a writer may not do any more."""

    name: str
    rights: tuple[Right, ...]

    @property
    def grantees(self) -> tuple[str, ...]:
        """A user or role as MySQL's and MariaDB's catalogue calls it; a role of MariaDB has no host."""
        user, _, host = self.name.partition("@")
        return tuple(f"'{user}'@'{host_pattern}'" for host_pattern in ([host] if host else ("%", "")))


def gaining_rights(old: Outbox, new: Outbox) -> list[str]:
    """Those who may do more than before."""
    old_writers = old.database.writers
    return [x for x in _granted(new) if x not in old_writers or {*_rights(new, x)} - {*_rights(old, x)}]


def losing_rights(old: Outbox, new: Outbox, *, by_name: bool) -> Iterator[LostRights]:
    """Those who may do less. by_name: whether the rights of a table that gets another name stay with the old name."""
    moved, of = by_name and table(old) != table(new), (None, new.table.columns.id)  # the others go with their column
    for name in _granted(old):
        kept_rights = () if moved else _rights(new, name)
        if rights := tuple(right for right in _rights(old, name) if right not in kept_rights and right[1] in of):
            yield LostRights(name, rights)


def _granted(outbox: Outbox) -> tuple[str, ...]:
    """The writers, where the kit's script gives them their rights."""
    return outbox.database.writers if "writers" in outbox.dialect.ddl.templates else ()


def _rights(outbox: Outbox, writer: str) -> tuple[Right, ...]:
    if _anywhere(writer) not in map(_anywhere, outbox.database.writers):
        return ()
    deletes: tuple[Right, ...] = (("delete", None), ("select", outbox.table.columns.id))
    return (("insert", None), *(deletes if outbox.table.retention == "immediate" else ()))


def _anywhere(writer: str) -> str:
    """A user who may come from any host, as MySQL and MariaDB call one without a host."""
    return writer.removesuffix("@%")
