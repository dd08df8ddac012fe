"""The engine of large topics: rows go to Parquet files, a folder for each partition, and DuckDB asks the questions.

Memory stays below a cap however many events there are; DuckDB spills to disk what does not fit.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbox_kit.kafka.read import Range
from outbox_kit.verify.state.engine import EventRows, Suspects
from outbox_kit.verify.state.scratch import ScratchDatabase
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.transitions import FIRST, KIND_BITS, NOTHING, TYPE_BITS, UNDECLARED

BUFFERED = 500_000  # rows of 40 bytes, before they are written
SHARE = 0.5  # of the memory for DuckDB; the other half is the process's own and the client's queues
PROBLEM, SPACE = "cannot store or evaluate the events", "40 bytes for each event"
# the rows that are asked about: all, or those of keys and ids that have come since others were judged
WHOLE = """
create temp macro keyed(files, since) as table select * from read_parquet(files);
create temp macro named(files, fresh) as table select id_hash from read_parquet(files);
"""
SINCE = """
create temp macro keyed(files, since) as table select * from read_parquet(files)
  where key_hash in (select key_hash from read_parquet(files) where pos >= since);
create temp macro named(files, fresh) as table select id_hash from read_parquet(files)
  where id_hash in (select id_hash from read_parquet(fresh));
"""
# each row with the highest number of its key before it, none for a key's first; and what is wrong with two of them
MACROS = """
create temp macro steps(files, since) as table select pos, key_hash, seq, max(seq) over
  (partition by key_hash order by pos rows between unbounded preceding and 1 preceding) as before
  from keyed(files, since);
create temp macro late(seq, before) as seq <= before and seq > -9223372036854775808;
create temp macro gap(seq, before) as
  case when before > -9223372036854775808 and seq > before then seq - 1 > before else false end;
"""
SCREEN = """
select count(*) filter (before is null), count(*) filter (pos >= $since and late(seq, before)),
  count(*) filter (pos >= $since and gap(seq, before)) from steps($files, $since)
"""
NUMBERS = "select key_hash, seq from steps($files, $since) where pos >= $since and late(seq, before)"
GAPPED = "select distinct key_hash from steps($files, $since) where pos >= $since and gap(seq, before)"
BEGUN = f"""
select distinct key_hash from steps($files, $since) where pos >= $since and before is null and seq > {FIRST}
"""  # noqa: S608 - an internal number
AGAIN = (
    "create or replace temp table repeated as select id_hash from named($files, $fresh) group by 1 having count(*) > 1"
)
IDS = "select distinct id_hash from read_parquet($files) where id_hash in (select id_hash from repeated)"
PATHS = f"""
select distinct key_hash from (select pos, key_hash, kind,
    coalesce(lag(kind) over (partition by key_hash, kind >> {TYPE_BITS} order by pos), {NOTHING}) as before
  from keyed($files, $since) where kind <> {UNDECLARED})
where pos >= $since and (before << {KIND_BITS}) | kind in (select step from forbidden)
"""  # noqa: S608 - internal numbers
KEYS = "select distinct key_hash from read_parquet($files)"
SPLIT = """
select key_hash from (
  select key_hash, bool_and(starts_with(filename, $fresh)) as fresh from read_parquet($files, filename = true)
  group by key_hash, string_split(filename, '/')[-2]
) group by 1 having count(*) > 1 and bool_or(fresh)
"""
LAST = f"qualify row_number() over (partition by key_hash, kind >> {TYPE_BITS} order by seq desc, pos desc) = 1"
LATEST = f"select * from read_parquet($files) {LAST}"  # noqa: S608
BEFORE = f"""
select key_hash, seq, kind from read_parquet($files)
where pos < $start and key_hash in (select unnest($keys)) {LAST}
"""  # noqa: S608


NO_STEPS = np.empty(0, np.int64)


class Spool:
    """Remembers on disk. folder: where the files are; its creator deletes it."""

    def __init__(
        self,
        folder: Path,
        memory: int,
        others: Sequence[Path] = (),
        forbidden: NDArray[np.int64] = NO_STEPS,
        settled: Mapping[PartitionId, Range] | None = None,
    ) -> None:
        """memory: bytes for everything that this process holds. others: folders to be read along.

        forbidden: steps that no aggregate may take; see `paths`. settled: where the others were judged, what can be
        read again of each partition; only what comes behind is doubted.
        """
        self.folder = folder
        self._folders = (folder, *others)
        self._settled = settled
        self._waiting: defaultdict[PartitionId, list[EventRows]] = defaultdict(list)
        self._count = 0
        self._keys: dict[PartitionId, int] = {}
        self._database = ScratchDatabase(folder, int(memory * SHARE), PROBLEM, SPACE)
        self._database.execute((WHOLE if settled is None else SINCE) + MACROS)
        self._paths = bool(forbidden.size)
        self._database.register("forbidden", {"step": forbidden})

    def add(self, rows: EventRows) -> None:
        """See `Engine`."""
        self._waiting[rows.topic, rows.partition].append(rows)
        self._count += len(rows.offsets)
        if self._count >= BUFFERED:
            self.flush()

    def flush(self) -> None:
        """Write what waits; a file is named by its first offset, as Kafka's own segments are."""
        for (topic, partition), batches in self._waiting.items():
            rows = {
                "pos": np.concatenate([np.array(batch.offsets, np.int64) for batch in batches]),
                "key_hash": np.concatenate([batch.hashed_aggregates() for batch in batches]),
                "id_hash": np.concatenate([batch.ids for batch in batches]),
                "seq": np.concatenate([batch.sequences for batch in batches]),
                "kind": np.concatenate([batch.kinds for batch in batches]),
            }
            file = self.folder / topic / str(partition) / f"{rows['pos'][0]:020}.parquet"
            self._database.write_columns(file, rows)
        self._waiting.clear()
        self._count = 0

    def suspects(self, *, gaps: bool, split: bool, complete: Container[PartitionId] = ()) -> Iterator[Suspects]:
        """See `Engine`."""
        self.flush()
        files_by_partition = self._files()
        repeated, keys_misplaced = self._repeated(files_by_partition), self._split(files_by_partition) if split else {}
        for topic_partition, of_partition in sorted(files_by_partition.items()):
            files = {"files": of_partition}
            steps = {**files, "since": self._bounds(topic_partition).end}
            keys, late, gap = self._database.execute(SCREEN, steps)[0] if self._fresh(of_partition) else (0, 0, 0)
            self._keys[topic_partition] = keys
            numbers: defaultdict[int, set[int]] = defaultdict(set)
            for key, number in self._database.execute(NUMBERS, steps) if late else ():
                numbers[key].add(number)
            ids = self._column(IDS, files) if repeated else set()
            gapped = self._column(GAPPED, steps) if gaps and gap else set()
            gapped |= self._column(BEGUN, steps) if gaps and keys and topic_partition in complete else set()
            strays = keys_misplaced.get(topic_partition[0], set())
            strays = strays & self._column(KEYS, files) if strays else strays
            paths = self._column(PATHS, steps) if self._paths else set()
            before = self._before(topic_partition, of_partition, [*numbers, *gapped, *paths])
            if suspect := Suspects(*topic_partition, ids, dict(numbers), gapped, strays, paths, before):
                yield suspect

    def keys(self) -> int:
        """See `Engine`; known when the doubts are."""
        return sum(self._keys.values())

    def close(self) -> None:
        """See `Engine`."""
        self._database.close()

    def fold(self) -> None:
        """Write down what the other folders know of each key: the row with its highest number."""
        for (topic, partition), files in self._files().items():
            file = self.folder / topic / str(partition) / "folded.parquet"
            self._database.write(file, LATEST, {"files": files})

    def _bounds(self, topic_partition: PartitionId) -> Range:
        return (self._settled or {}).get(topic_partition, Range(*topic_partition, 0, 0))

    def _fresh(self, files: Sequence[str]) -> list[str]:
        """Those of some files that have not been judged."""
        return [file for file in files if self._settled is None or file.startswith(f"{self.folder}/")]

    def _before(
        self, topic_partition: PartitionId, files: Sequence[str], keys: Sequence[int]
    ) -> dict[int, list[tuple[int, int]]]:
        """The last numbers and kinds of keys before what can be read again."""
        last: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        if self._settled is not None and keys:
            parameters = {"files": files, "start": self._bounds(topic_partition).start, "keys": keys}
            for key, number, kind in self._database.execute(BEFORE, parameters):
                last[key].append((number, kind))
        return dict(last)

    def _repeated(self, files_by_partition: Mapping[PartitionId, list[str]]) -> bool:
        """Keep the ids that are there more than once, whatever the partition; whether there are any."""
        files = [file for files in files_by_partition.values() for file in files]
        if not (fresh := self._fresh(files)):
            return False
        self._database.execute(AGAIN, {"files": files, "fresh": fresh})
        return self._database.number("select count(*) from repeated") > 0

    def _split(self, files_by_partition: Mapping[PartitionId, list[str]]) -> dict[str, set[int]]:
        """The keys that are in more than one partition of their topic."""
        files: defaultdict[str, list[str]] = defaultdict(list)
        for (topic, _), paths in files_by_partition.items():
            files[topic] += paths
        fresh = "" if self._settled is None else f"{self.folder}/"
        return {topic: self._column(SPLIT, {"files": paths, "fresh": fresh}) for topic, paths in files.items()}

    def _files(self) -> dict[PartitionId, list[str]]:
        """What was written of each partition."""
        files: defaultdict[PartitionId, list[str]] = defaultdict(list)
        for folder in self._folders:
            for file in folder.glob("*/*/*.parquet"):
                files[file.parent.parent.name, int(file.parent.name)].append(str(file))
        return files

    def _column(self, question: str, values: dict[str, Any]) -> set[int]:
        return {value for (value,) in self._database.execute(question, values)}
