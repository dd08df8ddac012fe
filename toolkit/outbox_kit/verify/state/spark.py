"""The engine for where one machine is outgrown: Apache Spark reads, examines and asks; the findings are the same.

Each partition of the log is one task, which examines its records in their order as any other engine does. It hands on a
row for each event and, last of all, its tally; what can only be judged over many rows is asked in SQL.
"""

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.storagelevel import StorageLevel

from outbox_kit.errors import SpoolFailed
from outbox_kit.kafka.read import Progress, Range
from outbox_kit.secret import revealed
from outbox_kit.verify.contract import contract
from outbox_kit.verify.reading.captured import CapturedMessage
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.request import Request
from outbox_kit.verify.state.engine import EventRows, Suspects
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.tally import PartitionId, Tally, tally
from outbox_kit.verify.transitions import FIRST, KIND_BITS, NOTHING, TYPE_BITS, UNDECLARED

UNSIGNED = 2**64 - 1  # Spark has no unsigned numbers
EVENT = "topic string, part int, pos long, key_hash long, id_hash long, seq long, kind long, tally string"
ROW = pa.schema(
    [("topic", pa.string()), ("part", pa.int32())]
    + [(name, pa.int64()) for name in ("pos", "key_hash", "id_hash", "seq", "kind")]
    + [("tally", pa.string())]
)
STEPS = """
create or replace temp view step as select topic, part, key_hash, seq, max(seq) over
  (partition by topic, part, key_hash order by pos rows between unbounded preceding and 1 preceding) as before
  from event
"""
REPEATED = "create or replace temp view repeated as select id_hash from event group by id_hash having count(*) > 1"
KEYS = "select count(*) from step where before is null"
IDS = (
    "select distinct topic, part, event.id_hash from event left semi join repeated on event.id_hash = repeated.id_hash"
)
NUMBERS = """
select topic, part, key_hash, seq from step where seq <= before and seq > -9223372036854775807 - 1
"""
GAPPED = """
select distinct topic, part, key_hash from step
where case when before > -9223372036854775807 - 1 and seq > before then seq - 1 > before else false end
"""
BEGUN = f"select distinct topic, part, key_hash from step where before is null and seq > {FIRST}"  # noqa: S608 - ours
SPLIT = """
select distinct event.topic, part, event.key_hash from event left semi join
  (select topic, key_hash from event group by topic, key_hash having count(distinct part) > 1) keys_misplaced
  on event.topic = keys_misplaced.topic and event.key_hash = keys_misplaced.key_hash
"""
PATHS = f"""
select distinct topic, part, key_hash from (select topic, part, key_hash, kind, coalesce(lag(kind) over
    (partition by topic, part, key_hash, shiftright(kind, {TYPE_BITS}) order by pos), {NOTHING}) as before
  from event where kind <> {UNDECLARED})
where (shiftleft(before, {KIND_BITS}) | kind) in (select step from forbidden)
"""  # noqa: S608 - internal numbers


class Spark:
    """Remembers in a Spark session's cache."""

    def __init__(self, settings: Mapping[str, str], forbidden: Iterable[int] = ()) -> None:
        """settings: of the session; spark.master and spark.jars.packages are those that are usually needed.

        forbidden: steps that no aggregate may take; see `paths`.
        """
        if settings.get("spark.master", "local").startswith("local"):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the tasks need what this process has
        builder = SparkSession.builder.appName("outbox-kit verify").config("spark.ui.showConsoleProgress", "false")
        for name, value in settings.items():
            builder = builder.config(name, value)
        with _translated():
            self._session = builder.getOrCreate()
        self._session.sparkContext.setLogLevel("ERROR")
        self._forbidden = [(int(step),) for step in forbidden]
        self._rows: list[DataFrame] = []
        self._count = 0

    def examine(
        self, request: Request, ranges: Sequence[Range], counts: dict[str, int], total_tally: Tally
    ) -> list[Progress]:
        """Let Spark examine some ranges and add what it counted to a tally. counts: partitions by topic."""
        readable = [r for r in ranges if r.end > r.start]
        if readable:
            with _translated():
                rows = self._read(request.log, readable).mapInArrow(_task(request, counts), EVENT)
                rows.persist(StorageLevel.DISK_ONLY)
                documents = [row.tally for row in rows.where("tally is not null").select("tally").collect()]
            for document in documents:
                total_tally.merge(tally(json.loads(document), request.findings()))
            self._rows.append(rows.where("tally is null"))
        return [Progress(r, r.end, done=True) for r in ranges]

    def _read(self, log: Any, ranges: Sequence[Range]) -> DataFrame:
        """Spark's own bounded reading; it fails where an offset in between is gone."""
        partitions_by_topic: defaultdict[str, list[int]] = defaultdict(list)
        ends: dict[str, defaultdict[str, dict[str, int]]] = {"start": defaultdict(dict), "end": defaultdict(dict)}
        for r in ranges:
            partitions_by_topic[r.topic].append(r.partition)
            ends["start"][r.topic][str(r.partition)] = r.start
            ends["end"][r.topic][str(r.partition)] = r.end
        options = {
            **{f"kafka.{name}": revealed(value) for name, value in log.access.items()},
            "kafka.bootstrap.servers": log.bootstrap,
            "kafka.isolation.level": "read_committed",
            "assign": json.dumps(partitions_by_topic),
            "startingOffsets": json.dumps(ends["start"]),
            "endingOffsets": json.dumps(ends["end"]),
            "includeHeaders": "true",
            "failOnDataLoss": "true",
        }
        return self._session.read.format("kafka").options(**options).load()

    def add(self, rows: EventRows) -> None:
        """See `Engine`; nothing is added to this one: its tasks pass on their rows."""

    def suspects(self, *, gaps: bool, split: bool, complete: Container[PartitionId] = ()) -> Iterator[Suspects]:
        """See `Engine`."""
        if not self._rows:
            return
        with _translated():
            everything = self._rows[0]
            for more in self._rows[1:]:
                everything = everything.unionAll(more)
            everything.createOrReplaceTempView("event")
            self._session.sql(STEPS)
            self._session.sql(REPEATED)
            self._count = self._session.sql(KEYS).collect()[0][0]
            by_partition: dict[PartitionId, Suspects] = {}
            for topic_partition, (id_hash,) in self._query_rows(IDS):
                by_partition.setdefault(topic_partition, Suspects(*topic_partition)).ids.add(id_hash & UNSIGNED)
            for topic_partition, (key, number) in self._query_rows(NUMBERS):
                by_partition.setdefault(topic_partition, Suspects(*topic_partition)).numbers.setdefault(
                    key & UNSIGNED, set()
                ).add(number)
            for topic_partition, (key,) in self._query_rows(GAPPED) if gaps else ():
                by_partition.setdefault(topic_partition, Suspects(*topic_partition)).gapped.add(key & UNSIGNED)
            for topic_partition, (key,) in self._query_rows(BEGUN) if gaps and complete else ():
                if topic_partition in complete:
                    by_partition.setdefault(topic_partition, Suspects(*topic_partition)).gapped.add(key & UNSIGNED)
            for topic_partition, (key,) in self._query_rows(SPLIT) if split else ():
                by_partition.setdefault(topic_partition, Suspects(*topic_partition)).split.add(key & UNSIGNED)
            self._session.createDataFrame(self._forbidden, "step long").createOrReplaceTempView("forbidden")
            for topic_partition, (key,) in self._query_rows(PATHS) if self._forbidden else ():
                by_partition.setdefault(topic_partition, Suspects(*topic_partition)).paths.add(key & UNSIGNED)
        yield from (by_partition[topic_partition] for topic_partition in sorted(by_partition))

    def _query_rows(self, question: str) -> Iterator[tuple[PartitionId, tuple[int, ...]]]:
        for topic, part, *values in self._session.sql(question).toLocalIterator():
            yield (topic, part), tuple(values)

    def keys(self) -> int:
        """See `Engine`; known when the doubts are."""
        return self._count

    def flush(self) -> None:
        """See `Engine`; there is nothing."""

    def close(self) -> None:
        """See `Engine`."""
        for rows in self._rows:
            rows.unpersist()
        self._session.stop()


class _Handed(Memory):
    """The engine of a task: it keeps rows until they are handed on, and is never asked."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[EventRows] = []

    def add(self, rows: EventRows) -> None:
        """See `Engine`."""
        self.rows.append(rows)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """What was kept, as Spark takes it."""
        for rows in self.rows:
            length = len(rows.offsets)
            columns = [
                pa.array([rows.topic] * length, pa.string()),
                pa.array([rows.partition] * length, pa.int32()),
                pa.array(rows.offsets, pa.int64()),
                pa.array(rows.hashed_aggregates().view(np.int64)),
                pa.array(rows.ids.view(np.int64)),
                pa.array(rows.sequences),
                pa.array(rows.kinds),
                pa.nulls(length, pa.string()),
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=ROW)
        self.rows.clear()


def _task(request: Request, counts: dict[str, int]) -> Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]]:
    """What Spark runs for each partition of the log."""
    bare_request = request.bare()

    def examine(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        handed, tally = _Handed(), Tally(bare_request.findings())
        examination = Examination(
            contract(bare_request.outbox, bare_request.registry), tally, handed, counts, bare_request.comparable_parts
        )
        for batch in batches:
            records = [_record(row) for row in batch.to_pylist()]
            if records:
                topic, partition, _ = records[0].place
                examination.take(topic, partition, records)
            yield from handed.batches()
        document = json.dumps(tally.document())
        yield pa.RecordBatch.from_pylist([dict.fromkeys(ROW.names) | {"tally": document}], schema=ROW)

    return examine


def _record(row: dict[str, Any]) -> CapturedMessage:
    headers = [(header["key"], header["value"]) for header in row["headers"] or ()]
    milliseconds = round(row["timestamp"].timestamp() * 1000)
    return CapturedMessage(
        (row["topic"], row["partition"], row["offset"]), row["key"], row["value"], headers, milliseconds
    )


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (PySparkException, Py4JJavaError, OSError) as cause:
        errors = re.findall(r"\b[\w.]*(?:Error|Exception): (?!Traceback|Job aborted).+", str(cause))
        raise SpoolFailed(
            "Spark failed",
            where="--engine spark",
            why=errors[-1] if errors else str(cause).partition("\n")[0],
            fix="see Spark's log; spark-sql-kafka-0-10_2.13 must have the version of Spark",
        ) from cause
