"""The facts of a database, as one frozen value that the generators and models read; and its quoting. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.databases.facts.adoption import Adoption, GeneratedColumns, TriggerExpressions
from outbox_kit.databases.facts.inbox import InboxFacts
from outbox_kit.databases.facts.offsets import OffsetForm
from outbox_kit.databases.facts.output import HISTORY_OPTIONS, TABLE_OPTIONS, Capture, Code, Runbook
from outbox_kit.databases.facts.table import Conditions, Ddl, Limits, Migration, Naming, Strings
from outbox_kit.databases.facts.two_phase import TwoPhaseFacts
from outbox_kit.tls import TlsSettings

__all__ = [
    "HISTORY_OPTIONS",
    "TABLE_OPTIONS",
    "Access",
    "Adoption",
    "Capture",
    "Code",
    "Conditions",
    "Ddl",
    "Dialect",
    "GeneratedColumns",
    "InboxFacts",
    "Limits",
    "Migration",
    "Naming",
    "OffsetForm",
    "Runbook",
    "Strings",
    "TriggerExpressions",
    "TwoPhaseFacts",
]


OF_ADDRESS = "the TLS settings of OUTBOX_KIT_DSN"
UNNAMED_TLS = TlsSettings("the database server", "OUTBOX_KIT_DSN", *[OF_ADDRESS] * 4)


@dataclass(frozen=True)
class Access:
    """How the kit reaches a server of the database."""

    port: int
    """The server's usual one."""
    dsn: str
    """The address in the form that the kit takes, with `{host}`, `{port}` and `{database}`."""
    example: str
    """The form of an address, as help and errors show it."""
    variable: str
    """The environment variable of the password, if the address leaves it out."""
    extra: str = ""
    """The extra of this package that installs the driver; empty if the driver is always installed."""
    tls: TlsSettings = UNNAMED_TLS
    """The options of an address for TLS, as errors name them."""


@dataclass(frozen=True)
class Dialect:
    """A database, as the generators need to know it."""

    name: str
    """As in the schema file; also the name of its folders, and of its file in `connectors/`."""
    title: str
    """Its name in prose."""
    types: Mapping[str, str]
    """Column kinds (of the schema file, and `document`, `json`, `bytes`, `instant`) and the server's types, as its
    catalogue writes them, so that an existing table can be compared. `integer` is the only kind that can be the
    partition: its type must be one that the connector sends as an INT32."""
    access: Access
    naming: Naming
    ddl: Ddl
    limits: Limits
    capture: Capture
    runbook: Runbook
    conditions: Conditions = field(default_factory=Conditions)
    strings: Strings = field(default_factory=Strings)
    migration: Migration = field(default_factory=Migration)
    adoption: Adoption = field(default_factory=Adoption)
    inbox: InboxFacts = field(default_factory=InboxFacts)
    two_phase: TwoPhaseFacts = field(default_factory=TwoPhaseFacts)
    code: Code | None = None
    """None if the kit writes no application code for the database."""
    timestamp_type: str = ""
    """The type of a column that can be the timestamp of a record: the connector must send it as an INT64, unless its
    options say otherwise. Empty where rows are documents."""
    short_types: Mapping[str, int] = field(default_factory=dict)
    """Kinds of payload with a type for short ones, the kind `short ...`, and the most bytes that it holds."""
    documents: bool = False
    """Whether rows are documents, and a payload of kind `json` a document inside, which the router is to expand."""
    file_defaults: Mapping[str, Any] = field(default_factory=dict)
    """Values of the schema file that the database prescribes, if the file leaves them out."""
    retentions: tuple[str, ...] = ("delete", "partition", "delete_on_insert", "forever")
    """How old rows can be removed."""
    rank: int = 100
    """The position in lists of databases; by name where it is the same."""
    row_transactions: bool = False
    """Whether a row says which transaction wrote it."""

    def fold_case(self, name: str) -> str:
        """A name as the server's catalogue has it if it is not quoted."""
        pattern = self.naming.unquoted_pattern
        return name.upper() if pattern and re.fullmatch(pattern, name) else name

    def derived_name(self, *names: str) -> str:
        """A name that consists of others."""
        return "_".join(map(self.fold_case, names))

    def quote_ident(self, *names: str) -> str:
        """A quoted identifier; several names are a qualified one."""
        opening, closing = self.naming.quotes
        return ".".join(f"{opening}{name.replace(closing, closing * 2)}{closing}" for name in names)

    def quote_account(self, name: str) -> str:
        """A quoted user or role."""
        user, at, host = name.partition("@")
        if not self.naming.users_have_host:
            return self.quote_ident(name)
        return self.quote_literal(user) + (at and at + self.quote_literal(host))

    def quote_literal(self, text: str) -> str:
        """A quoted text value."""
        prefix, escapes = self.strings.prefix, self.strings.escapes
        if self.strings.backslash_prefix and "\\" in text:
            prefix, escapes = self.strings.backslash_prefix, {**escapes, "\\": "\\\\"}
        return f"{prefix}'" + "".join(escapes.get(character, character) for character in text) + "'"
