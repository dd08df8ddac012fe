"""What `doctor` observes of a server for one outbox, in the same terms for all databases. Values only."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class ServerSetting:
    """A setting of the server."""

    value: str
    pending: bool = False
    """Whether another value was configured that only holds after a restart."""


@dataclass(frozen=True)
class LackingPrivilege:
    """A privilege that a role does not have."""

    role: str
    privilege: str
    """As the database names it, with its object."""
    sql: str
    """The statement that grants it."""


@dataclass(frozen=True)
class ObservedRole:
    """The role of the connector or the relay."""

    login: bool
    """Whether it may log in."""
    expired: bool = False
    """Whether its password is not valid any more."""
    replication: bool = True
    """Whether it may read the log."""
    superuser: bool = False


@dataclass(frozen=True)
class ObservedReader:
    """The process that reads a replication slot."""

    user: str
    application: str
    address: str
    """The host that it is connected from."""
    pid: int

    def __str__(self) -> str:
        return f"{self.application or 'an unnamed program'} of user {self.user} at {self.address} (pid {self.pid})"


@dataclass(frozen=True)
class ObservedSlot:
    """A logical replication slot."""

    name: str
    plugin: str
    database: str
    active: bool
    reader: ObservedReader | None
    """Who reads it; None if nobody does, or the user may not see that."""
    wal_status: str
    confirmed: int | None
    """The confirmed position, in bytes since the beginning of the log."""
    retained: int | None
    """Bytes of log that the server keeps for it; None if it is lost."""
    lag: int | None
    """Bytes of log that are not confirmed."""
    safe_bytes: int | None
    """Bytes of log that can be written before the slot may be lost; None without a limit."""
    inactive_seconds: float | None
    """None if it is read, or the server does not record that."""
    invalidation: str
    """Why the server has invalidated it; empty if it has not, or does not say so."""
    failover: bool | None
    """Whether standbys have a copy of it; None if the server's release has no such copies."""


@dataclass(frozen=True)
class ObservedPublication:
    """A publication."""

    operations: frozenset[str]
    """Of insert, update, delete and truncate."""
    via_root: bool
    """Whether rows of a partition are published as those of the partitioned table."""
    tables: Mapping[str, frozenset[str] | None]
    """Tables as `schema.table`, with their published columns; None if all are published."""
    filters: Mapping[str, str]
    """The conditions on the rows of tables that have one."""


@dataclass(frozen=True)
class ReplicationLog:
    """The log of a server with replication slots, and what this outbox has in it."""

    slot: ObservedSlot | None
    others: Sequence[ObservedSlot]
    """The other logical slots of the server."""
    publication: ObservedPublication | None
    free_slots: int
    free_senders: int
    """How many more processes may read the log."""
    standbys: int
    """Standby servers that are connected."""
    bytes_per_second: float | None = None
    """How fast the log grows; None if it was not measured."""


@dataclass(frozen=True)
class BinaryLog:
    """The log of a server that deletes it by age, whether or not a connector has read it."""

    file: str
    """The file that is written now; empty if no log is written."""
    files: Sequence[str]
    """The files that are kept, the oldest first."""
    size: int
    """Of all of them, in bytes."""
    keep_seconds: float | None
    """How long a file is kept; None if it is not deleted by age."""


@dataclass(frozen=True)
class HorizonHolder:
    """What keeps the server from removing dead rows, the oldest one."""

    what: str
    seconds: float | None
    """How long it has been there; None if it is not known."""
    transactions: int
    """How many transactions have begun since."""
    sql: str
    """The statement that ends it; empty if it is a slot, which its reader moves."""


@dataclass(frozen=True)
class ObservedTable:
    """The outbox table."""

    exists: bool
    partitioned: bool = False
    differences: Sequence[str] = ()
    """Columns that are not as the schema file declares, a sentence each."""
    absent_checks: Sequence[str] = ()
    """CHECKs that do not exist, are not validated or have another condition."""
    primary_key: bool = True
    invalid_indexes: Sequence[str] = ()
    replica_identity: str = ""
    """As the server writes it: d, f, i or n; empty on other servers."""
    sequence_cache: int | None = None
    """How many numbers a session takes from the sequence at once; None if there is no sequence."""
    rows: int = 0
    """The server's estimate."""
    dead: int = 0
    """Rows that are deleted and still occupy space, as an estimate."""
    autovacuum: bool = True
    """Whether the server removes them."""
    expired: bool = False
    """Whether rows are older than the table keeps them."""


class UnreadSubject(StrEnum):
    """Something that the user may not read, or that took too long."""

    heartbeat = "the heartbeat table"
    rows = "the rows of the outbox table"
    sessions = "the sessions of other users"


@dataclass(frozen=True)
class ObservedDatabase:
    """A server, its log and the tables of one outbox."""

    version: str
    read_only: str
    """Why it accepts no writes; empty if it does."""
    settings: Mapping[str, ServerSetting]
    """Those that matter to the delivery, by name; without those that this release does not have."""
    role: ObservedRole | None
    """None if it does not exist, or could not be examined."""
    table: ObservedTable
    absent_tables: Sequence[str]
    """The tables beside the outbox table that do not exist, as `schema.table`."""
    absent_writers: Sequence[str]
    """Roles of `database.writers` that do not exist."""
    lacking: Sequence[LackingPrivilege]
    """The privileges that existing roles do not have on existing objects."""
    unread: Collection[UnreadSubject] = ()
    """What is not known although the server has answered."""
    role_examined: bool = True
    """Whether the user may see roles and their privileges."""
    heartbeat_seconds: float | None = None
    """The age of the last heartbeat; None if there is none."""
    holders: Sequence[HorizonHolder] = ()
    """The oldest first."""
    slot_log: ReplicationLog | None = None
    """None if the database has no slots, or nothing reads the log."""
    binary_log: BinaryLog | None = None
    relay_started: bool = False
    """Whether a relay was ever started, as its own table says."""
    encoding: str = ""
    """Of texts in the database; empty where it does not matter."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """Statements that change a setting, by its name."""

    @property
    def created(self) -> bool:
        """Whether anything of the outbox exists."""
        published = self.slot_log is not None and self.slot_log.publication is not None
        return self.table.exists or self.role is not None or published


class ServerRisk(NamedTuple):
    """What keeps the connector from its events, now or one day."""

    text: str
    """A sentence without its period."""
    fix: str
    """The next step, often a statement."""

    def __str__(self) -> str:
        return f"{self.text}; {self.fix}"


@dataclass(frozen=True)
class ObservedCapture:
    """How a server captures the rows of one outbox, where nothing else of it is examined."""

    missing: Sequence[str]
    """Tables that are not captured, as `schema.table`."""
    risks: Sequence[ServerRisk]
    heartbeat_seconds: float | None
    """The age of the last heartbeat; None if there is none."""


@dataclass(frozen=True)
class ObservedObjects:
    """The outbox and the connector's user in a server whose log has no slot and no binary log."""

    flaws: Sequence[ServerRisk] = ()
    """What does not exist, or is not as `gen-ddl` creates it."""
    user_exists: bool = True
    lacking: Sequence[LackingPrivilege] = ()
    """The privileges that an existing user of the connector does not have on existing objects."""
    examined: bool = True
    """Whether the session's user may see users and privileges; if not, nothing is known of them."""


class CheckText(NamedTuple):
    """The condition of a CHECK."""

    expression: str
    digest: str
    """Of the expression, for servers that do not store it verbatim."""


class Observe(Protocol):
    """Observes a server without changing it."""

    def __call__(self, dsn: str, outbox: Outbox, checks: Mapping[str, CheckText]) -> ObservedDatabase:
        """What the server shows of an outbox.

        checks: the CHECKs of the outbox table by name. Raises UsageProblem, EnvironmentProblem.
        """
