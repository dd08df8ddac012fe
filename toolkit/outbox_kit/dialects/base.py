"""What a dialect says about its database: facts as one frozen value, and quoting."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """A database as the generators need to know it.

    types: our column kinds (of the schema file, and `json`, `bytes`, `instant`) to the server's own type
        names, spelled as its catalogue spells them, so that an existing table can be compared.
    quotes: the marks around an identifier; a closing mark inside is doubled.
    connector: the connector's options that follow from the database alone. `{name}` stands for a name
        derived from the schema file; see `render.connector` for which there are.
    insert_once: the lines of an insert that adds no row where the key is there already, with `{table}`, `{columns}` and
        `{values}`; none where no code is written for the database.
    """

    name: str
    title: str
    types: Mapping[str, str]
    quotes: tuple[str, str]
    connector: Mapping[str, str]
    insert_once: tuple[str, ...] = ()

    def ident(self, *names: str) -> str:
        """A quoted identifier; several names make a qualified one."""
        opening, closing = self.quotes
        return ".".join(f"{opening}{name.replace(closing, closing * 2)}{closing}" for name in names)

    def literal(self, text: str) -> str:
        """A quoted text value (standard SQL: a quote mark inside is doubled)."""
        return "'" + text.replace("'", "''") + "'"
