"""What the folder of a database offers to the rest of the kit: a value `SERVER` in its module `server`.

Its parts are typed, so mypy compares them for every database. What one database lacks is None in its value.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from outbox_kit.databases.backlog import BacklogReader
from outbox_kit.databases.catalogue import CatalogueReader
from outbox_kit.databases.changes import IdentifiedLog, ServerLog
from outbox_kit.databases.cleanup import CleanupSession
from outbox_kit.databases.ddl import DatabaseChange
from outbox_kit.databases.failures import FailureDesk, FencedFailureTable
from outbox_kit.databases.figures import OpensFigures
from outbox_kit.databases.hand_over import LogHandOver, OffsetTableHandOver, SlotTableHandOver
from outbox_kit.databases.ledger import Ledger, MarkedLedger
from outbox_kit.databases.observed import Observe, ObservedObjects, ServerRisk
from outbox_kit.databases.polling import FailureTables, OutboxTables
from outbox_kit.databases.resent import ResendableRows
from outbox_kit.databases.two_phase import MessageStore
from outbox_kit.databases.url import Endpoint, has_password
from outbox_kit.schema.model import Outbox

RELAY_APPLICATION = "outbox-kit relay"
"""The name that a relay gives to the server."""
LONG_WEEKEND_HOURS = (
    96  # how long a log should be kept on servers that delete it whether or not a connector has read it
)


class Cell(NamedTuple):
    """A value of a row, and its column."""

    name: str
    type: str
    """As the server's catalogue has it."""
    value: str | bytes | None
    """A text, with times in UTC; bytes where the column holds bytes or bits."""
    optional: bool
    """Whether the column may be NULL."""
    default: str | None = None
    """The column's default, as the server's catalogue prints it; None if it has none."""


@dataclass(frozen=True)
class Slot:
    """A replication slot."""

    active: bool
    plugin: str
    database: str
    wal_status: str
    confirmed: int
    """The position that the connector has confirmed, in bytes since the beginning of the log."""
    retained: int
    """Bytes of log that the server keeps for it."""
    behind: int
    """Bytes of log that the connector has not confirmed."""


@dataclass(frozen=True)
class SlotReader:
    """The process that reads a replication slot."""

    pid: int
    """Of the server's process that serves it."""
    application: str | None
    """The name that it gave; None if the user of the database may not see it."""

    def __str__(self) -> str:
        return f"process {self.pid} ({self.application or 'its application_name is not visible to this user'})"


@dataclass(frozen=True)
class FirstRead:
    """A relay that publishes the rows that were in the table before its first start; its slot does not exist yet."""

    slot: str
    """Its temporary slot."""
    pid: int
    """Of the server's process that serves it; other relays wait until its connection ends."""
    seconds: float | None
    """Since its begin; None if the user of the database may not see it."""
    idle_seconds: float | None
    """Since it has fetched rows; None if it does not wait between two fetches, or may not be seen."""


class Apply(Protocol):
    """Runs a script of `gen-ddl`."""

    def __call__(
        self, dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
    ) -> list[DatabaseChange]:
        """What the statements have changed, by the server's catalogue.

        keep_table: whether an outbox table that exists must have the schema file's columns.
        password: set as the connector's user's.
        Raises UsageProblem, TableDiffers, DatabaseUnreachable, DatabaseRefused.
        """


class DryRun(Protocol):
    """Examines the changes that a script of `gen-ddl` would make, on servers that can roll one back."""

    def __call__(self, dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True) -> list[DatabaseChange]:
        """The changes that the statements would make, by the server's catalogue; nothing is changed.

        keep_table: as for `Apply`. Raises UsageProblem, TableDiffers, DatabaseUnreachable, DatabaseRefused.
        """


class Probe(Protocol):
    """Questions to a running server about one outbox. All but `position` raise EnvironmentProblem and UsageProblem."""

    def position(self, offset: Mapping[str, Any]) -> int | None:
        """The position in an offset that the connector has stored while streaming; None before.

        Raises ValueError, TypeError, LookupError or AttributeError for the offset of another kind of connector.
        """

    def log_position(self, dsn: str, outbox: Outbox) -> int | None:
        """Where the server's log ends now, comparable with `position`; None where nothing has been captured yet."""

    def write_heartbeat(self, dsn: str, outbox: Outbox) -> None:
        """Write the heartbeat row, so that even an idle outbox has something to publish."""

    def heartbeat_age(self, dsn: str, outbox: Outbox) -> float | None:
        """Seconds since the last heartbeat; None if there is none."""

    def missing_from_publication(self, dsn: str, outbox: Outbox) -> list[str]:
        """The tables that the server does not pass on to the connector, as `schema.table`."""

    def risks(self, dsn: str) -> list[ServerRisk]:
        """What keeps the connector from its events, now or one day."""

    def write_canary(self, dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
        """Write a row that no consumer reads: it proves the way from the table to its topic."""

    def remove_canary(self, dsn: str, outbox: Outbox, event_id: uuid.UUID) -> None:
        """Delete the canary row; its message stays in its topic."""


class Defects(Protocol):
    """Examines an outbox's tables, constraints and privileges without changing them."""

    def __call__(self, dsn: str, outbox: Outbox, constraints: Mapping[str, str]) -> list[str]:
        """What `gen-ddl --apply` would create or grant again, a sentence each, as far as the catalogue shows it.

        constraints: the digests of the outbox table's CHECKs by name. Raises UsageProblem, EnvironmentProblem.
        """


class Slots(Protocol):
    """Replication slots and publications, on servers that remember how far a connector has read."""

    def slot(self, dsn: str, name: str) -> Slot | None:
        """The slot of that name, or None. Raises EnvironmentProblem."""

    def reader(self, dsn: str, name: str) -> SlotReader | None:
        """Who reads the slot of that name now; None if no process does. Raises EnvironmentProblem."""

    def first_read(self, dsn: str, name: str) -> FirstRead | None:
        """The first read of the relay that will create the slot of that name. Raises EnvironmentProblem."""

    def publication_exists(self, dsn: str, name: str) -> bool:
        """Whether the database has the publication. Raises EnvironmentProblem."""

    def may_drop(self, dsn: str) -> bool:
        """Whether the user may drop slots. Raises EnvironmentProblem."""

    def drop_slot(self, dsn: str, name: str) -> None:
        """Drop a slot that no connector reads, if it exists. Raises EnvironmentProblem."""


class SlotCopies(Protocol):
    """Replication slots for a connector that replaces another one; all raise EnvironmentProblem."""

    def create_slot(self, dsn: str, name: str) -> None:
        """Create a slot at the end of the log; waits for transactions that are open."""

    def copy_slot(self, dsn: str, source: str, copy: str) -> None:
        """Create a slot at the position of another one, which no process reads."""

    def unpublished_ids(
        self, dsn: str, outbox: Outbox, offset: Mapping[str, Any], column: str, most: int
    ) -> Sequence[str] | None:
        """The event ids of the committed rows that the connector with a stored offset would publish, as texts.

        outbox: with the slot, which no process reads. column: of the ids. most: the greatest number of ids.
        Returns None if there are more, or if the rows cannot be read from the log.
        """


class StoredOffsets(Protocol):
    """The positions in a server's log that a connector can begin at; all raise EnvironmentProblem."""

    def missing(self, dsn: str, outbox: Outbox, offset: Mapping[str, Any]) -> str:
        """Why a connector cannot begin at a stored offset, a sentence; empty if it can."""

    def parse(self, dsn: str, outbox: Outbox, position: str) -> Mapping[str, Any]:
        """The offset at a position that a user has written. Raises UsageProblem, also if the log cannot go back."""

    def repeated(self, dsn: str, outbox: Outbox, first: Mapping[str, Any], last: Mapping[str, Any]) -> str:
        """What the log has between two offsets, in words."""


@dataclass(frozen=True)
class Server:
    """What a database's server can be asked and told."""

    endpoint: Callable[[str], Endpoint]
    """The parts of an address, without connecting."""
    database_names: Callable[[str, Outbox], tuple[str, ...]]
    """What the database is called that an address leads to; empty where it leads to no particular one."""
    apply: Apply
    probe: Probe
    catalogue: CatalogueReader
    ledger: Callable[[str, Outbox], Ledger]
    """The outbox table at an address, as what must arrive."""
    has_password: Callable[[str], bool] = has_password
    """Whether an address spells a password out."""
    marked_ledger: Callable[[str, Outbox], MarkedLedger] | None = None
    """The same where its rows say when they were committed, which `verify follow` needs."""
    read_row: Callable[[str, Outbox, str], list[Cell]] | None = None
    """The row of an id, as the server holds it, for a preview; empty if there is none."""
    slots: Slots | None = None
    dry_run: DryRun | None = None
    """The changes that a script would make; None if the server cannot roll a script back."""
    log: Callable[[str, Outbox], ServerLog] | None = None
    """The server's log at an address, from which a relay reads the rows of an outbox."""
    identified_log: Callable[[str, Outbox], IdentifiedLog] | None = None
    """The same, if positions in it can be stored elsewhere."""
    failures: FailureTables | None = None
    """The table of the events that a relay could not publish."""
    fenced_failures: Callable[[str, Outbox], FencedFailureTable] | None = None
    """The same table for a relay that publishes exactly once."""
    failure_desk: Callable[[str, Outbox], FailureDesk] | None = None
    """The same table for operators."""
    polled: OutboxTables | None = None
    """The outbox table, from which relays read rows by polling."""
    backlog: BacklogReader | None = None
    """The relays that do so, and the age of what they have not published."""
    hand_over: LogHandOver | None = None
    """What a hand-over needs; None if a connector and a relay cannot read one log."""
    stored_offsets: StoredOffsets | None = None
    """The positions at which a connector can begin; None if the kit cannot compare them with the log."""
    resendable: ResendableRows | None = None
    """The rows of an outbox table that can be published again; None if the kit has no statements for that."""
    slot_copies: SlotCopies | None = None
    """How a connector is replaced by another one beside it; None if a connector has no replication slot."""
    slot_table_hand_over: SlotTableHandOver | None = None
    """The same with relays that read the table, if a connector has a replication slot."""
    offset_table_hand_over: OffsetTableHandOver | None = None
    """The same, if its position is a stored offset."""
    defects: Defects | None = None
    """Which tables, constraints and privileges of an outbox are missing."""
    examine: Callable[[str, Outbox], ObservedObjects] | None = None
    """The outbox and the connector's user at an address, where `observe` is None; None if there are no queries."""
    observe: Observe | None = None
    """What `doctor` examines; None if the kit has no queries for that."""
    figures: OpensFigures | None = None
    """The figures of a running outbox in one session; None if they are read by the questions of the probe."""
    cleanup: Callable[[str], CleanupSession] | None = None
    """How old rows are removed, at an address; None if the kit has no statements for that."""
    two_phase: Callable[[str, Outbox], MessageStore] | None = None
    """The two-phase messages of a coordinator, at an address; None if the kit has no statements for that."""
