"""The privileges of the application's roles on the table, and how they change between two schema files. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.render.migration.layout import table
from outbox_kit.schema.model import Outbox

Right = tuple[str, str | None]  # a privilege, and the only column that it is for


@dataclass(frozen=True)
class LostRights:
    """The privileges that a writer loses."""

    name: str
    rights: tuple[Right, ...]

    @property
    def grantees(self) -> tuple[str, ...]:
        """The names of a user or role in the catalogue of MySQL and MariaDB; a role of MariaDB has no host."""
        user, _, host = self.name.partition("@")
        return tuple(f"'{user}'@'{host_pattern}'" for host_pattern in ([host] if host else ("%", "")))


def gaining_rights(old: Outbox, new: Outbox) -> list[str]:
    """The writers that gain privileges."""
    old_writers = old.database.writers
    return [x for x in _granted(new) if x not in old_writers or {*_rights(new, x)} - {*_rights(old, x)}]


def losing_rights(old: Outbox, new: Outbox, *, by_name: bool) -> Iterator[LostRights]:
    """The writers that lose privileges. by_name: whether the privileges on a renamed table stay with the old name."""
    moved, of = (
        by_name and table(old) != table(new),
        (None, new.table.columns.id),
    )  # others are dropped with their column
    for name in _granted(old):
        kept_rights = () if moved else _rights(new, name)
        if rights := tuple(right for right in _rights(old, name) if right not in kept_rights and right[1] in of):
            yield LostRights(name, rights)


def _granted(outbox: Outbox) -> tuple[str, ...]:
    """The writers to which the generated script grants privileges."""
    return outbox.database.writers if "writers" in outbox.dialect.ddl.templates else ()


def _rights(outbox: Outbox, writer: str) -> tuple[Right, ...]:
    if _anywhere(writer) not in map(_anywhere, outbox.database.writers):
        return ()
    deletes: tuple[Right, ...] = (("delete", None), ("select", outbox.table.columns.id))
    return (("insert", None), *(deletes if outbox.table.retention == "delete_on_insert" else ()))


def _anywhere(writer: str) -> str:
    """An account of MySQL or MariaDB without the host that means any host."""
    return writer.removesuffix("@%")
