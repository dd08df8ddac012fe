"""What a database's tables are: names, types of texts, limits, the script, and its migration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Naming:
    """How tables and users are named and quoted."""

    quotes: tuple[str, str]
    """The marks around an identifier; a closing mark inside is doubled."""
    schema: str | None
    """The schema of tables if the schema file names none, `{service}` for the service's name; None if the database has
    no schemas."""
    unquoted_pattern: str = ""
    """The names that the server writes in upper case if they are not quoted, as a regular expression."""
    users_have_host: bool = False
    """Whether a user is a name and the host that he connects from: `name@host`."""
    common_user_prefix: str = ""
    """The prefix of users that exist in all databases of a container."""


@dataclass(frozen=True)
class Strings:
    """How a text literal is written."""

    prefix: str = ""
    """Stands before the opening quote."""
    escapes: Mapping[str, str] = field(default_factory=lambda: {"'": "''"})
    """Characters that are written differently inside."""
    backslash_prefix: str = ""
    """The prefix of a literal with a backslash, which is doubled then: a server may be configured to take it for an
    escape or not. Empty if the script itself configures that."""
    booleans: Mapping[str, str] = field(default_factory=dict)
    """The words of booleans, and what stands for each in a column of numbers; empty if the server reads the words."""


@dataclass(frozen=True)
class Ddl:
    """The script that creates the outbox."""

    folders: tuple[str, ...]
    """The template folders, the database's own before those that it shares."""
    templates: tuple[str, ...]
    """The templates of the script, in order."""
    transactional: bool
    """Whether the script can be one transaction."""
    default_clauses: Mapping[str, str]
    """How the server fills a column: `identity`, and `now`. Empty if it does not."""
    of_log: tuple[str, ...] = ()
    """The templates that only a reader of the server's log needs."""
    log_roles: tuple[str, ...] = ()
    """Roles of managed servers whose members may read the log."""
    suffix: str = "sql"
    """The file suffix of the script, and of its templates."""
    comment_prefix: str = "--"
    """The beginning of a comment line."""
    preamble: str = ""
    """Commands for the shell client, before the script."""
    global_unique_index: bool = False
    """Whether a unique index spans the partitions of a table without the column of the partitions."""


@dataclass(frozen=True)
class Migration:
    """What a migration of a table can do on the server."""

    table_swap: Literal["online", "offline"] | None = None
    """How a new table replaces the old one: while application and connector run, or while the writers are stopped and
    after the connector has processed all rows. None if the table is rewritten in place."""
    sync_trigger: bool = False
    """Whether a script that can be run again may create the trigger that keeps two columns equal."""


@dataclass(frozen=True)
class Limits:
    """What the server refuses."""

    name: int
    """The longest name, in `unit`."""
    table: int
    """The longest name of a table; names that are derived from it must fit too."""
    role: int
    """The longest name of a user or role."""
    unit: str = "bytes"
    """Of lengths: bytes or characters."""
    payload: int = 512 * 1024 * 1024
    """The largest payload that a row may be allowed, in bytes."""
    forbidden: str = ""
    """Characters that no name may contain."""
    not_in_database: str = ""
    """Characters that the name of a database may not contain."""
    schema: int = 0
    """The longest name of a schema of the kit; as `name` if 0."""
    database: int = 0
    """The longest name of a database; as `name` if 0."""
    delete_batch: int = 5000
    """The rows of a DELETE that is one of many: so few that the server does not lock the whole table."""
    other: int = 0
    """The longest name of what others have created; as `name` if 0."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Other names that the server refuses: a regular expression of their content, and that in words."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """Texts that no name or text may contain because a client gives them a meaning; why."""

    def length(self, name: str) -> int:
        """The length of a name, as the server counts it."""
        return len(name.encode("utf-16-le")) // 2 if self.unit == "characters" else len(name.encode())


@dataclass(frozen=True)
class Conditions:
    """How the conditions of CHECKs are written; `{}` stands for a value."""

    text: str = "{}"
    """A column of any kind, as text."""
    topic_safe: str = ""
    """That a text can be part of a topic's name."""
    is_json: str = ""
    """That a text is JSON; empty if the column's type ensures it."""
    is_uuid: str = ""
    """That a text is a UUID; empty if the column's type ensures it."""
    is_boolean: str = ""
    """That a number is a boolean; empty if the column's type ensures it."""
    pair: str = "({}, {})"
    """Two texts as one value that can be compared."""
    same: str = "({}) = ({})"
    """That two conditions are both true or both false."""
    octets: str = "octet_length({})"
    """The number of bytes of a text, or of a value of bytes, in a message."""
    empty_is_null: bool = False
    """Whether an empty text is NULL."""
    counted: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Kinds of payload whose length `octets` does not tell: their length, and the bytes that one unit of it can be."""
    comma: str = ", "
    """Between the items of a long list."""
