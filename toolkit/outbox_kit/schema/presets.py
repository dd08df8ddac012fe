"""Tables that libraries make, each as a fragment of a schema file that lies beneath what the file itself says.

The fragments are in connectors/presets, one file a preset.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ruamel.yaml import YAML

from outbox_kit.assets import CONNECTORS
from outbox_kit.errors import UnknownName
from outbox_kit.schema.defaults import over
from outbox_kit.schema.nearest import nearest

FOLDER = CONNECTORS / "presets"


@dataclass(frozen=True)
class Preset:
    """One preset."""

    name: str
    title: str
    """The table, in a sentence."""
    owner: str
    """What its owner does with rows."""
    databases: Mapping[str, Mapping[str, Any]]
    """What differs in each that it is known for."""
    file: Mapping[str, Any]
    lacks: str = ""
    """What it does not have, and what helps; empty where it has everything."""

    def fragment(self, dialect: str) -> dict[str, Any]:
        """The part of a schema file that it stands for. Raises UnknownName for a database that it is not known for."""
        if dialect not in self.databases:
            raise UnknownName(
                f"the preset '{self.name}' is not known for {dialect}",
                why=f"it is for {', '.join(self.databases)}",
                fix="say what the columns are called: table.existing and table.columns",
            )
        return over(self.file, self.databases[dialect])


@cache
def listed() -> tuple[str, ...]:
    """The presets' names, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


@cache
def get(name: str) -> Preset:
    """A preset. Raises UnknownName."""
    if name not in listed():
        raise UnknownName(f"no preset '{name}'{nearest(name, listed())}", fix="list them: outbox-kit presets")
    return Preset(name, **YAML(typ="safe").load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))


def spread(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema file's document over the preset that it names; the same document where it names none.

    Raises UnknownName.
    """
    table, database = (_mapping(document.get(name)) for name in ("table", "database"))
    preset, dialect = table.get("preset"), database.get("dialect")
    if not (isinstance(preset, str) and isinstance(dialect, str)):
        return document
    return over(get(preset).fragment(dialect), document)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
