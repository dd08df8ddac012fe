"""What a follower knows from one window to the next, in a folder that is whole at every moment.

The document names every folder of rows that counts: other folders were incomplete when a process was killed.
A window counts as a whole, or not at all: rows are written first, then the document is replaced in one step.
"""

import fcntl
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outbox_kit.errors import SpoolFailed, UsageProblem
from outbox_kit.kafka.read import Range
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import keys
from outbox_kit.verify.reading.shard import digest
from outbox_kit.verify.request import PriorWindows
from outbox_kit.verify.state.sealed import opened, sealed
from outbox_kit.verify.state.tally import PartitionId

FILE = "state.json"
LOCK = "lock"
ROWS = "rows"
SCHEMA = "outbox-kit/follow/v2"
Ends = dict[PartitionId, int]


@dataclass(frozen=True)
class RetainedWindow:
    """A window whose rows are remembered one by one."""

    folder: str
    """Their name."""
    starts: Ends
    """Where each partition's began."""


@dataclass(frozen=True)
class TableSnapshot:
    """A moment of the ledger."""

    mark: str = ""
    """What tells later which rows it had."""
    point: int | None = None
    """What the delivery has to pass until they are all published, None where that is asked when they are compared."""
    ends: Ends = field(default_factory=dict)
    """Of each partition, from before it: later rows' messages come behind them."""


@dataclass(frozen=True)
class Totals:
    """What has been counted since the following began."""

    events: Counter[str] = field(default_factory=Counter)
    findings: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """By check, severity and topic."""
    windows: Counter[str] = field(default_factory=Counter)
    copies: int = 0
    problems: int = 0


@dataclass(frozen=True)
class State:
    """Where a follower is."""

    window: int = 0
    """The number of the last one, 0 before the first."""
    begins: Ends = field(default_factory=dict)
    """Where each partition was begun."""
    ends: Ends = field(default_factory=dict)
    """Up to where each partition was read."""
    kept: tuple[RetainedWindow, ...] = ()
    base: str = ""
    """The folder of what is known of keys from before the kept windows."""
    compared: TableSnapshot = field(default_factory=TableSnapshot)
    """Up to where rows were compared."""
    ahead: tuple[TableSnapshot, ...] = ()
    """The moments since, whose points the delivery has to pass first."""
    conditions: frozenset[tuple[str, str]] = frozenset()
    """Conditions that were told, as check and topic."""
    totals: Totals = field(default_factory=Totals)
    unsaid: str = ""
    """What is to be printed yet."""

    @property
    def folders(self) -> list[str]:
        """Every folder of rows that counts, the oldest first."""
        return [*filter(None, (self.base,)), *(window.folder for window in self.kept)]

    def prior_windows(self, folder: Path, first: Mapping[PartitionId, int], until: TableSnapshot) -> PriorWindows:
        """What the next window is held against.

        folder: the state's. first: each log's first offset by now. until: up to where rows are compared.
        """
        starts: Ends = {}
        for window in reversed(self.kept):
            starts |= window.starts
        ranges = {
            topic_partition: Range(
                *topic_partition, min(max(starts.get(topic_partition, end), first.get(topic_partition, 0)), end), end
            )
            for topic_partition, end in self.ends.items()
        }
        cut = {topic_partition for topic_partition, begin in self.begins.items() if begin}
        keys_misplaced = any(check == keys.WRONG_PARTITION.id for check, _, _ in self.totals.findings)
        folders = [folder / ROWS / name for name in self.folders]
        return PriorWindows(folders, ranges, cut, keys_misplaced, self.compared.ends, until.ends, until.point)


def load(folder: Path, outbox: Outbox) -> State | None:
    """The state in a folder, or None where none was written yet. Raises UsageProblem."""
    path = folder / FILE
    try:
        document = opened(path, SCHEMA, folder / ROWS)
        state = _state(document["state"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as cause:
        fix = "use another folder: --state FOLDER"
        raise UsageProblem(
            "invalid state folder: expected one of verify follow", where=str(path), why=str(cause), fix=fix
        ) from None
    if document["outbox"] != digest(outbox):
        raise UsageProblem(
            "the state was written with another schema file",
            where=str(path),
            fix="use another folder: --state FOLDER; --from offsets:FILE begins where --offsets-out ended",
        )
    return state


def save(state: State, folder: Path, outbox: Outbox) -> None:
    """Replace the state in a folder, and remove the rows that do not count any more. Raises SpoolFailed."""
    document = {"schema": SCHEMA, "outbox": digest(outbox), "state": _plain(state)}
    fresh = folder / f"{FILE}.new"
    try:
        fresh.write_text(sealed(document, folder / ROWS, state.folders), encoding="utf-8")
        fresh.replace(folder / FILE)
    except OSError as cause:
        fix = "free disk space, or use another folder: --state FOLDER"
        raise SpoolFailed("cannot write the state", where=str(folder), why=str(cause), fix=fix) from cause
    for path in (folder / ROWS).iterdir():
        if path.name not in state.folders:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """A folder that is locked for this process. Raises SpoolFailed, or UsageProblem if another process holds it."""
    others = sorted({path.name for path in folder.iterdir()} - {LOCK, ROWS, f"{FILE}.new"}) if folder.is_dir() else []
    if others and FILE not in others:
        raise UsageProblem(
            f"the folder contains another file: '{others[0]}'",
            where=str(folder),
            fix="use another folder: --state FOLDER",
        )
    try:
        (folder / ROWS).mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    except OSError as cause:
        fix = "name a writable folder: --state FOLDER"
        raise SpoolFailed("cannot create the state folder", where=str(folder), why=str(cause), fix=fix) from cause
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            fix = "end the other process, or use another folder: --state FOLDER"
            raise UsageProblem("another verify follow uses this state folder", where=str(folder), fix=fix) from None
        yield


def _plain(state: State) -> dict[str, Any]:
    totals = state.totals
    return {
        **{name: getattr(state, name) for name in PLAIN},
        **{name: _rows(getattr(state, name)) for name in ENDS},
        "compared": _mark(state.compared),
        "ahead": [_mark(snapshot) for snapshot in state.ahead],
        "kept": [[window.folder, _rows(window.starts)] for window in state.kept],
        "conditions": sorted(state.conditions),
        "totals": {
            "events": totals.events,
            "findings": _rows(totals.findings),
            "windows": totals.windows,
            "copies": totals.copies,
            "problems": totals.problems,
        },
    }


def _state(raw: dict[str, Any]) -> State:
    totals = raw["totals"]
    return State(
        **{name: raw[name] for name in PLAIN} | {name: _pairs(raw[name]) for name in ENDS},
        compared=_marked(raw["compared"]),
        ahead=tuple(map(_marked, raw["ahead"])),
        kept=tuple(RetainedWindow(folder, _pairs(starts)) for folder, starts in raw["kept"]),
        conditions=frozenset((check, topic) for check, topic in raw["conditions"]),
        totals=Totals(
            Counter(totals["events"]),
            Counter(_pairs(totals["findings"])),
            Counter(totals["windows"]),
            totals["copies"],
            totals["problems"],
        ),
    )


PLAIN = ("window", "base", "unsaid")
ENDS = ("begins", "ends")


def _mark(snapshot: TableSnapshot) -> list[Any]:
    return [snapshot.mark, snapshot.point, _rows(snapshot.ends)]


def _marked(raw: list[Any]) -> TableSnapshot:
    mark, point, ends = raw
    return TableSnapshot(mark, point, _pairs(ends))


def _rows(pairs: Mapping[Any, int]) -> list[list[Any]]:
    return [[*key, value] for key, value in pairs.items()]


def _pairs(rows: list[list[Any]]) -> dict[Any, int]:
    return {tuple(key): value for *key, value in rows}
