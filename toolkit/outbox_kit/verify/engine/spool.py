"""The engine of large topics: rows go to Parquet files, a folder for each partition, and DuckDB asks the questions.

Memory stays below a cap however many events there are; DuckDB spills to disk what does not fit.
"""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from outbox_kit.errors import SpoolFailed
from outbox_kit.verify.engine import Doubts, Rows
from outbox_kit.verify.paths import KIND_BITS, NOTHING, TYPE_BITS, UNDECLARED
from outbox_kit.verify.tally import Here

BUFFERED = 500_000  # rows of 32 bytes, before they are written
SHARE = 0.5  # of the memory for DuckDB; the other half is the process's own and the client's queues
LEAST = 64 << 20  # bytes, with which DuckDB still works
THREADS = 2
# each row with the highest number of its key before it, none for a key's first; and what is wrong with two of them
MACROS = """
create temp macro steps(files) as table select key_hash, seq, max(seq) over
  (partition by key_hash order by pos rows between unbounded preceding and 1 preceding) as before
  from read_parquet(files);
create temp macro late(seq, before) as seq <= before and seq > -9223372036854775808;
create temp macro gap(seq, before) as
  case when before > -9223372036854775808 and seq > before then seq - 1 > before else false end;
"""
SCREEN = """
select count(*) filter (before is null), count(*) filter (late(seq, before)), count(*) filter (gap(seq, before))
from steps($files)
"""
NUMBERS = "select key_hash, seq from steps($files) where late(seq, before)"
GAPPED = "select distinct key_hash from steps($files) where gap(seq, before)"
AGAIN = (
    "create or replace temp table repeated as select id_hash from read_parquet($files) group by 1 having count(*) > 1"
)
IDS = "select distinct id_hash from read_parquet($files) where id_hash in (select id_hash from repeated)"
PATHS = f"""
select distinct key_hash from (select key_hash, kind,
    coalesce(lag(kind) over (partition by key_hash, kind >> {TYPE_BITS} order by pos), {NOTHING}) as before
  from read_parquet($files) where kind <> {UNDECLARED})
where (before << {KIND_BITS}) | kind in (select step from forbidden)
"""  # noqa: S608 - numbers of ours
KEYS = "select distinct key_hash from read_parquet($files)"
SPLIT = """
select key_hash from read_parquet($files, filename = true) group by 1
having count(distinct string_split(filename, '/')[-2]) > 1
"""


NO_STEPS = np.empty(0, np.int64)


class Spool:
    """Remembers on disk. folder: where the files are, to be kept by whoever made it."""

    def __init__(
        self, folder: Path, memory: int, others: Sequence[Path] = (), forbidden: NDArray[np.int64] = NO_STEPS
    ) -> None:
        """memory: bytes for everything that this process holds. others: folders to be read along.

        forbidden: steps that no aggregate may take; see `paths`.
        """
        self.folder = folder
        self._folders = (folder, *others)
        self._waiting: defaultdict[Here, list[Rows]] = defaultdict(list)
        self._count = 0
        self._keys: dict[Here, int] = {}
        self._scratch = Path(tempfile.mkdtemp(prefix="spill-", dir=folder))
        limit = {"memory_limit": f"{max(int(memory * SHARE), LEAST) >> 20}MB", "temp_directory": str(self._scratch)}
        self._database = duckdb.connect(config={**limit, "threads": THREADS, "preserve_insertion_order": "false"})
        self._database.execute(MACROS)
        self._paths = bool(forbidden.size)
        self._database.register("forbidden", {"step": forbidden})

    def add(self, rows: Rows) -> None:
        """See `Engine`."""
        self._waiting[rows.topic, rows.partition].append(rows)
        self._count += len(rows.offsets)
        if self._count >= BUFFERED:
            self.flush()

    def flush(self) -> None:
        """Write what waits; a file is named by its first offset, as Kafka's own segments are."""
        for (topic, partition), batches in self._waiting.items():
            rows = {
                "pos": np.concatenate([np.array(one.offsets, np.int64) for one in batches]),
                "key_hash": np.concatenate([one.hashed_keys() for one in batches]),
                "id_hash": np.concatenate([one.ids for one in batches]),
                "seq": np.concatenate([one.sequences for one in batches]),
                "kind": np.concatenate([one.kinds for one in batches]),
            }
            with self._working():
                folder = self.folder / topic / str(partition)
                folder.mkdir(parents=True, exist_ok=True)
                self._database.register("waiting", rows)
                self._database.sql("select * from waiting").write_parquet(str(folder / f"{rows['pos'][0]:020}.parquet"))
                self._database.unregister("waiting")
        self._waiting.clear()
        self._count = 0

    def doubts(self, *, gaps: bool, split: bool) -> Iterator[Doubts]:
        """See `Engine`."""
        self.flush()
        there = self._files()
        repeated, strewn = self._repeated(there), self._split(there) if split else {}
        for here, own in sorted(there.items()):
            files = {"files": own}
            keys, late, gap = self._asked(SCREEN, files)[0]
            self._keys[here] = keys
            numbers: defaultdict[int, set[int]] = defaultdict(set)
            for key, number in self._asked(NUMBERS, files) if late else ():
                numbers[key].add(number)
            ids = self._column(IDS, files) if repeated else set()
            gapped = self._column(GAPPED, files) if gaps and gap else set()
            strays = strewn.get(here[0], set())
            strays = strays & self._column(KEYS, files) if strays else strays
            paths = self._column(PATHS, files) if self._paths else set()
            if found := Doubts(*here, ids, dict(numbers), gapped, strays, paths):
                yield found

    def keys(self) -> int:
        """See `Engine`; known when the doubts are."""
        return sum(self._keys.values())

    def close(self) -> None:
        """See `Engine`."""
        self._database.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _repeated(self, there: Mapping[Here, list[str]]) -> bool:
        """Keep the ids that are there more than once, whatever the partition; whether there are any."""
        if not there:
            return False
        self._asked(AGAIN, {"files": [file for own in there.values() for file in own]})
        return bool(self._asked("select count(*) from repeated")[0][0])

    def _split(self, there: Mapping[Here, list[str]]) -> dict[str, set[int]]:
        """The keys that are in more than one partition of their topic."""
        files: defaultdict[str, list[str]] = defaultdict(list)
        for (topic, _), own in there.items():
            files[topic] += own
        return {topic: self._column(SPLIT, {"files": own}) for topic, own in files.items()}

    def _files(self) -> dict[Here, list[str]]:
        """What was written of each partition."""
        found: defaultdict[Here, list[str]] = defaultdict(list)
        for folder in self._folders:
            for file in folder.glob("*/*/*.parquet"):
                found[file.parent.parent.name, int(file.parent.name)].append(str(file))
        return found

    def _column(self, question: str, values: dict[str, Any]) -> set[int]:
        return {value for (value,) in self._asked(question, values)}

    def _asked(self, question: str, values: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
        with self._working():
            return self._database.execute(question, values).fetchall()

    @contextmanager
    def _working(self) -> Iterator[None]:
        try:
            yield
        except (duckdb.Error, OSError) as cause:
            raise SpoolFailed(
                "the events could not be written down, or not be judged",
                where=str(self.folder),
                why=str(cause).partition("\n")[0],
                fix="allow more --memory, or name a --spool-dir with more room: 40 bytes for each event",
            ) from cause
