"""A shard: some partitions of a log, read on one machine and judged together with the others on another."""

import hashlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from outbox_kit.errors import SpoolFailed, UsageProblem
from outbox_kit.findings.finding import Collector
from outbox_kit.kafka.read import Range
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.state.sealed import opened, sealed
from outbox_kit.verify.state.tally import tally
from outbox_kit.wire.parts import MessagePart

FILE = "shard.json"
SCHEMA = "outbox-kit/shard/v4"


@dataclass(frozen=True)
class Shard:
    """What one machine has read."""

    folder: Path
    ranges: Sequence[Range]
    counts: dict[str, int]
    """The partitions of each topic."""
    tally: dict[str, Any]
    """As a document."""
    parts: tuple[MessagePart, ...] = ()
    """In its sums."""


def digest(outbox: Outbox) -> str:
    """What tells one outbox from another, so that shards of two are never judged together."""
    return hashlib.sha256(outbox.model_dump_json().encode()).hexdigest()


def write(shard: Shard, outbox: Outbox) -> None:
    """Write what a shard has found beside its rows. Raises SpoolFailed."""
    document = {
        "schema": SCHEMA,
        "outbox": digest(outbox),
        "ranges": [astuple(r) for r in shard.ranges],
        "partitions": shard.counts,
        "tally": shard.tally,
        "parts": [astuple(part) for part in shard.parts],
    }
    try:
        topics = sorted({r.topic for r in shard.ranges})
        (shard.folder / FILE).write_text(sealed(document, shard.folder, topics), encoding="utf-8")
    except OSError as cause:
        raise SpoolFailed("cannot write the shard", where=str(shard.folder), why=str(cause)) from cause


def load(folders: Sequence[Path], outbox: Outbox) -> list[Shard]:
    """Shards of one verification. Raises UsageProblem if one is not a shard, is of another outbox, or two overlap."""
    shards = [_load(folder, outbox) for folder in folders]
    folder_of: dict[tuple[str, int], Path] = {}
    for shard in shards:
        for r in shard.ranges:
            if other := folder_of.get((r.topic, r.partition)):
                raise UsageProblem(
                    f"partition {r.partition} of '{r.topic}' is in two shards",
                    where=f"{other}, {shard.folder}",
                    fix="give each machine its own part (--of 1/3, --of 2/3, --of 3/3), and name each folder once",
                )
            folder_of[r.topic, r.partition] = shard.folder
    return shards


def _load(folder: Path, outbox: Outbox) -> Shard:
    try:
        document = opened(folder / FILE, SCHEMA, folder)
        ranges = [Range(*values) for values in document["ranges"]]
        parts = tuple(MessagePart(*part) for part in document["parts"])
        shard = Shard(folder, ranges, document["partitions"], document["tally"], parts)
        tally(shard.tally, Collector(1, CHECKS.get))  # whether it can be read at all
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as cause:
        raise UsageProblem(
            "invalid shard: expected a folder of verify shard",
            where=str(folder),
            why=str(cause),
            fix="write one: outbox-kit verify shard --of 1/1 --out FOLDER",
        ) from None
    if document["outbox"] != digest(outbox):
        raise UsageProblem(
            "the shard was read with another schema file",
            where=str(folder),
            fix="use the same schema file for verify shard and verify merge",
        )
    return shard
