"""What `adopt` needs to know about existing tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TriggerExpressions:
    """The expressions of a trigger that fills an outbox from another table.

    `{text}` is a name as a text literal, `{path}` the JSON path of a member as one, `{column}` a quoted identifier.
    """

    member: str
    """A member of the array's element, as text."""
    row: str
    """The whole row as JSON, of `{members}`."""
    row_member: str
    """One of the members, separated by commas."""
    hexadecimal: str
    """Bytes as text."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Column types of UUIDs, and their text."""
    new: str = "new"
    """The new row."""
    document: str = ""
    """A member that may be a document; empty if `member` returns documents too."""


@dataclass(frozen=True)
class GeneratedColumns:
    """What the log has of generated columns."""

    published_since: str = ""
    """The first version of the server that can publish stored ones; empty if none."""
    setting: str = ""
    """The setting of the publication for that."""
    missing: str = ""
    """Why a connector never gets them; empty if it can."""


@dataclass(frozen=True)
class Adoption:
    """What `adopt` needs to know about existing tables."""

    rewritten_types: tuple[str, ...] = ()
    """The column types that do not keep the bytes of a document."""
    generated_columns: GeneratedColumns | None = None
    """None if generated columns are in the log like others."""
    trigger: TriggerExpressions | None = None
    """None if the kit writes no trigger for the database."""
