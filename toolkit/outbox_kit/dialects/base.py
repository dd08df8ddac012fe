"""What a dialect says about its database: facts as one frozen value, and quoting."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Code:
    """What `gen-code` needs to know of a database.

    stacks: those whose library speaks to it.
    placeholder: how its own drivers mark a bound value; `{n}` is its number. Empty where rows are documents.
    bound: how a bound value of one of our kinds stands in a statement, where it needs more than its mark.
    insert_once: the lines of an insert into the inbox that adds no row where the key is there already, with `{table}`,
        `{columns}` and `{values}`. It counts 1 where it has added the row, and any other number where it has not,
        whatever a driver has it count. Where there is no word for it, `merge` does it, with the values as its source.
    inbox: the file of the script that makes the inbox.
    """

    stacks: tuple[str, ...]
    placeholder: str = ""
    insert_once: tuple[str, ...] = ()
    bound: Mapping[str, str] = field(default_factory=dict)
    inbox: str = "inbox.sql"


@dataclass(frozen=True)
class Limits:
    """What a database takes no more of.

    name, table, role: the longest, in `unit`; names that are made of the table's must fit too.
    schema, database, other: the longest of a schema that is ours, a database, and what is somebody else's; as `name`
        where they are 0.
    payload: the most bytes of it that a row may be allowed.
    forbidden: characters that no name may have. not_in_database: those that a database's name may not have.
    refused: other names that the server does not take: a regular expression of what one has, and that in words.
    marks: what no name or text may hold, because the program that runs a script takes it for a word of its own; why.
    """

    name: int
    table: int
    role: int
    unit: str = "bytes"
    payload: int = 512 * 1024 * 1024
    forbidden: str = ""
    not_in_database: str = ""
    schema: int = 0
    database: int = 0
    other: int = 0
    refused: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)

    def length(self, name: str) -> int:
        """How long the server takes a name to be."""
        return len(name.encode("utf-16-le")) // 2 if self.unit == "characters" else len(name.encode())


@dataclass(frozen=True)
class Conditions:
    """How a database says what the CHECKs ask; `{}` stands for a value.

    text: a column of any kind as text. topic_safe: that a text can be part of a topic's name.
    is_json, is_uuid, is_boolean: that a column is one, where its type does not say so.
    pair: two texts as one value that can be compared. same: that two conditions are both true or both false.
    octets: how many bytes a text, or a value of bytes, is in a message. empty_is_null: whether an empty text is a NULL.
    counted: by kind of payload, its length where `octets` does not tell it, and how many bytes one of it can be.
    comma: what is between the items of a long list.
    """

    text: str = "{}"
    topic_safe: str = ""
    is_json: str = ""
    is_uuid: str = ""
    is_boolean: str = ""
    pair: str = "({}, {})"
    same: str = "({}) = ({})"
    octets: str = "octet_length({})"
    empty_is_null: bool = False
    counted: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    comma: str = ", "


@dataclass(frozen=True)
class Capture:
    """How the database's connector is told of the outbox.

    options: those that follow from the database alone. `{name}` stands for a name derived from the schema file; see
        `render.connector` for which there are.
    container: those that take their place where the database is in a container; none where there are no containers.
    raw_topic: where the connector would send a table's rows. listed: how its options call a table.
    snapshot: the first read, of `{columns}` in `{order}`; empty where the connector takes no query.
    overridden: how the option that holds the first read calls the table, where not as the others.
    router: the class of the router. field: how its options for columns begin.
    decoder: the transformation that makes a row of a message in the server's log; empty where it has no such messages.
    beats: that the connector touches a row of ours, so that its position moves while the outbox is idle.
    described: that the log says what a row's columns were when it was written; where it does not, the connector must
        have passed all rows of a table before that changes.
    idle_seconds: how long a server that nobody writes to keeps a heartbeat waiting. since: the first Debezium that it
        can be done with.
    """

    options: Mapping[str, str]
    container: Mapping[str, str] = field(default_factory=dict)
    raw_topic: str = "{prefix}.{schema}.{table}"
    listed: str = "{schema}.{table}"
    snapshot: str = "SELECT * FROM {rows} ORDER BY {order}"
    overridden: str = ""
    router: str = "io.debezium.transforms.outbox.EventRouter"
    field: str = "table"
    decoder: str = ""
    beats: bool = True
    described: bool = True
    idle_seconds: float = 0
    since: str = "0"


@dataclass(frozen=True)
class Runbook:
    """What an operator types.

    client: its shell client, asked something by the quoted SQL after it. few: the end of a query for some rows only.
    new_password: how its user gets another password. trouble: its own chapters.
    """

    client: str
    trouble: tuple[str, ...]
    few: str = "limit 20"
    new_password: str = "alter user ... identified by ..."  # noqa: S105 - a statement


@dataclass(frozen=True)
class Dialect:
    """A database as the generators need to know it.

    types: our column kinds (of the schema file, and `document`, `json`, `bytes`, `instant`) to the server's own
        type names, spelled as its catalogue spells them, so that an existing table can be compared. `integer` is the
        only kind that can go to the partition: it must be one that the connector sends as an INT32.
    moment: the type of a column that can be the record's timestamp: one that the connector sends as an INT64, unless
        its options say otherwise. Empty where rows are documents.
    short: kinds of payload that are of another type, the kind `short ...`, up to so many bytes.
    quotes: the marks around an identifier; a closing mark inside is doubled.
    national: what stands before a text literal. escapes: what is written differently inside.
    escaped: what stands before a text literal with a backslash, which is doubled then: the server may have been told to
        take one for an escape, or not to. Empty where the script itself says which.
    unquoted: the names, as a regular expression, that are in upper case where nobody has quoted them.
    hosts: whether a user is a name and the host that he comes from: `name@host`.
    common: how the names of users begin that all databases of a container know.
    port: where its servers listen. schema: where tables are unless said otherwise, `{service}` for the service's own;
        None where a schema is a database.
    dsn: how the kit is told of a database.
    documents: that rows are documents, and a payload of kind `json` one inside, which the router is to expand.
    defaults: what the schema file means where it says nothing and the database leaves no other choice.
    retentions: how old rows can go. slots: whether the server remembers how far the connector is.
    fills: how the database fills a column by itself: `identity`, and `now`.
    folders: where its templates are, its own before those that it shares.
    script: the suffix of the templates of the script. remark: what begins a remark in it.
    ddl: the templates of the script, in order. atomic: whether they can be one transaction.
    preamble: what the shell client must be told before the script.
    exchanges: how a table that is written anew takes the old one's place: `unseen` by code and connector, or `quietly`,
        while nobody writes and the connector has passed all rows; empty where it is rewritten in its own place.
    mirrors: whether a script that can be run again may make the trigger that keeps two columns the same.
    row_transactions: whether a row says which transaction wrote it.
    spans: whether a unique index spans a table's partitions without the column that they are made by.
    code: how an application writes to it; None where no code is written for the database.
    """

    name: str
    title: str
    types: Mapping[str, str]
    quotes: tuple[str, str]
    port: int
    schema: str | None
    dsn: str
    slots: bool
    folders: tuple[str, ...]
    ddl: tuple[str, ...]
    atomic: bool
    fills: Mapping[str, str]
    limits: Limits
    capture: Capture
    runbook: Runbook
    conditions: Conditions = Conditions()
    code: Code | None = None
    moment: str = ""
    short: Mapping[str, int] = field(default_factory=dict)
    national: str = ""
    escapes: Mapping[str, str] = field(default_factory=lambda: {"'": "''"})
    escaped: str = ""
    unquoted: str = ""
    hosts: bool = False
    common: str = ""
    documents: bool = False
    defaults: Mapping[str, Any] = field(default_factory=dict)
    retentions: tuple[str, ...] = ("delete", "partition", "immediate", "keep")
    script: str = "sql"
    remark: str = "--"
    preamble: str = ""
    exchanges: str = ""
    mirrors: bool = False
    spans: bool = False
    row_transactions: bool = False

    def spelled(self, name: str) -> str:
        """A name as the database's catalogue has it, where the schema file's is unquoted."""
        return name.upper() if self.unquoted and re.fullmatch(self.unquoted, name) else name

    def made(self, *names: str) -> str:
        """A name that is made of others."""
        return "_".join(map(self.spelled, names))

    def ident(self, *names: str) -> str:
        """A quoted identifier; several names make a qualified one."""
        opening, closing = self.quotes
        return ".".join(f"{opening}{name.replace(closing, closing * 2)}{closing}" for name in names)

    def account(self, name: str) -> str:
        """A quoted user or role."""
        user, at, host = name.partition("@")
        return self.ident(name) if not self.hosts else self.literal(user) + (at and at + self.literal(host))

    def literal(self, text: str) -> str:
        """A quoted text value."""
        mark, escapes = self.national, self.escapes
        if self.escaped and "\\" in text:
            mark, escapes = self.escaped, {**escapes, "\\": "\\\\"}
        return f"{mark}'" + "".join(escapes.get(character, character) for character in text) + "'"
