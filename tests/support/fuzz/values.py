"""A case as values: rows, what their writers did, messages, and what else the world was like.

Times are seconds before (negative) and after the start of the verification. Each feature draws from a random source of
its own, so that leaving one out changes nothing else.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

DAY = 86_400.0
NEVER = float("inf")
GONE = "CustomerGone"  # the type of a tombstone
FEATURES = (
    "sequence",
    "savepoints",
    "payloads",
    "odd payloads",
    "odd keys",
    "tenant",
    "shared topic",
    "other key",
    "marks",
    "outage",
    "no_data",
    "during",
    "late",
    "stopped",
    "cleanup",
    "by hand",
    "lost",
    "phantoms",
    "copies",
    "strayed",
    "faults",
    "no id",
    "cut",
    "broken",
    "large",
    "busy",
)


@dataclass(frozen=True)
class Row:
    """A row as it was written. part: its transaction, or the savepoint within. sequence: None where there is no column.

    ends: when its transaction ended. deleted: when the row went, negative for before the start.
    """

    number: int
    event_id: str
    aggregate: str
    type: str
    key: str
    sequence: int | None
    payload: bytes | None = b"{}"
    tenant: str = "north"
    transaction: int = 0
    part: str = ""
    written: float = 0.0
    ends: float = 0.0
    committed: bool = True
    deleted: float = NEVER
    by_hand: bool = False


@dataclass(frozen=True)
class Step:
    """One statement of a writer. row: its number, of an insert."""

    at: float
    transaction: int
    what: str
    row: int = -1


@dataclass(frozen=True)
class Message:
    """A message as a consumer gets it. at: its timestamp, and when it came. row: where it is from; -1 for a phantom.

    fault: what of it is not as in its row.
    """

    topic: str
    key: str
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...]
    at: float
    row: int
    fault: str = ""
    partition: int = 0
    offset: int = 0

    @property
    def place(self) -> tuple[str, int, int]:
        """Its coordinates."""
        return self.topic, self.partition, self.offset

    @property
    def event_id(self) -> str | None:
        """The header id."""
        return next((value.decode() for name, value in self.headers if name == "id"), None)

    @property
    def aggregate(self) -> str | None:
        """The header aggregateType."""
        return next((value.decode() for name, value in self.headers if name == "aggregateType"), None)

    @property
    def sequence(self) -> int | None:
        """The header sequence."""
        return next((int(value) for name, value in self.headers if name == "sequence"), None)


@dataclass(frozen=True)
class Case:
    """One case. ledger: table, file or none. document: the schema file. passes: when the slot is past every message.

    starts: first offsets that are left, by partition. told: the fields that a ledger's file has beside the id.
    upper: whether the file writes its ids in upper case. broken: which reading of the log ends half-way, from 1.
    begins: when the connector first started, where it did not read the rows from before.
    """

    seed: int
    ledger: str
    ids: str
    document: dict[str, Any]
    steps: tuple[Step, ...]
    rows: tuple[Row, ...]
    messages: tuple[Message, ...]
    partitions: dict[str, int]
    ends: dict[tuple[str, int], int]
    starts: dict[tuple[str, int], int] = field(default_factory=dict)
    passes: float | None = 0.0
    told: frozenset[str] = frozenset()
    upper: bool = False
    broken: int = 0
    begins: float = -NEVER

    @property
    def table(self) -> dict[str, Any]:
        """The schema file's table."""
        own: dict[str, Any] = self.document["table"]
        return own

    def describe(self) -> str:
        """The case in a few lines."""
        faults = Counter(m.fault for m in self.messages if m.fault)
        known = {m.row for m in self.messages}
        lines = [
            f"seed {self.seed}, ledger {self.ledger}, ids {self.ids}, {len(self.rows)} rows, "
            f"{sum(r.committed for r in self.rows)} committed, {len(self.messages)} messages, {self.partitions}",
            f"table {self.table}, ordering {self.document['ordering']}, connect {self.document['connect']}",
            f"not sent {sum(r.committed and r.number not in known for r in self.rows)}, "
            f"deleted before {sum(r.deleted < 0 for r in self.rows)}, "
            f"deleted meanwhile {sum(0 <= r.deleted < NEVER for r in self.rows)}, by hand "
            f"{sum(r.by_hand for r in self.rows)}, late {sum(m.at > 0 for m in self.messages)}, faults {dict(faults)}",
            f"passes {self.passes}, starts {self.starts}, broken reading {self.broken}, "
            f"file tells {sorted(self.told)} upper {self.upper}, begins {self.begins}",
        ]
        return "\n".join(f"  {line}" for line in lines)


@dataclass
class Draw:
    """Random sources by feature. without: features that are left out."""

    seed: int
    ledger: str
    without: frozenset[str]

    def of(self, feature: str) -> random.Random:
        """The source of one feature."""
        return random.Random(f"{self.seed} {self.ledger} {feature}")

    def has(self, feature: str, share: float) -> bool:
        """Whether the case has a feature. share: of all cases that do."""
        return self.of(f"has {feature}").random() < share and feature not in self.without

    @property
    def busy(self) -> bool:
        """Whether many rows were written, some still are, and a cleanup takes others away meanwhile."""
        return self.ledger == "table" and self.has("busy", 0.02)
