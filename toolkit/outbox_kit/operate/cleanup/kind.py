"""What a kind of table says about its removal of old rows. The kinds are the modules of `kinds`."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from outbox_kit.delivery.interface import Delivery, RowEvidence
from outbox_kit.errors import UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.operate.cleanup import kinds
from outbox_kit.render.cleanup import OldRows, RowProof
from outbox_kit.schema.model import Outbox


class Way(StrEnum):
    """How old rows are removed."""

    delete = "delete"
    """By batches of a DELETE."""
    drop = "drop"
    """By dropping daily partitions."""
    discard = "discard"
    """As an operator discards dead letters, which ends what waits for them."""


@dataclass(frozen=True)
class KeepTimes:
    """How long rows are kept, in hours."""

    older_than: int | None = None
    """As a user asks for it; None for the default of the kind."""
    repair: int = 1
    """The least, so that rows are there while a failure is repaired."""


@dataclass(frozen=True)
class EvidenceSources:
    """The systems that show which rows are not needed any more."""

    delivery: Delivery
    cluster: Cluster
    by_age: bool
    """Whether the age of a row is enough if they do not show it."""
    by_position: bool = False
    """Whether the offsets of consumers are never reset: what is before them is not delivered again."""


def kept_hours(times: KeepTimes, least: int, table: str, why: str) -> int:
    """For how many hours rows are kept whose age alone says that they are needed. Raises UsageProblem for less.

    least: hours. table: in words. why: a shorter time is wrong.
    """
    if times.older_than is not None and times.older_than < least:
        raise UsageProblem(
            f"invalid --older-than: expected at least {least} hours for the {table}",
            why=why,
            fix=f"leave it out, or name a longer time than {least}h",
        )
    return times.older_than or least


def by_age_alone(_outbox: Outbox, _sources: EvidenceSources, _times: KeepTimes) -> RowEvidence:
    """The evidence for rows that nobody else needs."""
    return RowEvidence(RowProof.age)


@dataclass(frozen=True)
class RemovalJob:
    """What a job of the database knows, which asks no other system."""

    remark: str
    """What it means that rows are deleted by their age alone, for the head of the script."""
    proof: Callable[[Outbox], RowProof] = lambda _: RowProof.age
    """What the database itself shows."""
    unproven: str = ""
    """What an age does not prove, as the end of a sentence; empty if it is proof enough."""
    why: str = ""
    """Where the proof is."""


@dataclass(frozen=True)
class CleanupKind:
    """A kind of table."""

    name: str
    """As a user names it."""
    rows: Callable[[Outbox, RowEvidence, KeepTimes], OldRows]
    """The rows that may be deleted. Raises UsageProblem if the times do not fit."""
    columns: Callable[[Outbox], Sequence[str]]
    """The columns that the table must have: it is another table without them."""
    way: Callable[[Outbox], Way]
    """How they are removed."""
    obstacle: Callable[[Outbox], str] = lambda _: ""
    """Why there is nothing to remove, a sentence; empty if there is."""
    evidence: Callable[[Outbox, EvidenceSources, KeepTimes], RowEvidence] = by_age_alone
    """What shows which rows are not needed any more. Raises NotProven, PositionLost, EnvironmentProblem."""
    script: str = ""
    """The option of gen-ddl that creates the table; empty if it is created with the outbox."""
    partitioned_by: str = "table.retention"
    """The key of the schema file that says whether the table has partitions."""
    job: RemovalJob | None = None
    """A job of the database that deletes the rows; None if that takes more than a statement."""
    by_position: bool = False
    """Whether offsets of Kafka show which rows are needed, so that `--by-position` has a meaning."""
    beside_outbox: bool = True
    """Whether the table is in the database of the outbox."""
    destructive: bool = False
    """Whether its rows are of events that were not delivered."""


def all_kinds() -> Mapping[str, CleanupKind]:
    """The kinds by name."""
    modules = (
        importlib.import_module(f"{kinds.__name__}.{module.name}") for module in pkgutil.iter_modules(kinds.__path__)
    )
    return {module.KIND.name: module.KIND for module in modules}
