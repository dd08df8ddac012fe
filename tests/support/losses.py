"""Events that are lost, that nobody wrote, and whose rows were cleaned up, all at once, for ids of one kind."""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.reading.captured import CapturedLog, CapturedMessage
from outbox_kit.verify.run import Verification
from outbox_kit.wire.routes import Routes
from tests.support.deliveries import StandIn
from tests.support.ids import KINDS
from tests.support.request import request_of

ROWS, EACH = 4000, 200
CHECKS = ("LOS-01", "LOS-03", "LOS-07", "KEY-02", "HDR-06", "PAY-12")
TYPES = {"ULID": "text", "bigint": "bigint"}  # all others are UUIDs
KEPT_S = 14_400  # the oldest row was written so long ago: near to what was cleaned up an hour is not judged
Insert = Callable[[Sequence[tuple[Any, ...]]], None]


def outbox_of(dialect: str, database: str, kind: str, name: str = "outbox") -> Outbox:
    """An outbox in an existing table, its ids of a kind; rows go after a day. name: the table's and the topic's."""
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": dialect, "name": database},
            "routing": {"topic": name},
            "table": {
                "existing": True,
                "name": name,
                "ids": TYPES.get(kind, "uuid"),
                "retention": "delete",
                "keep_days": 1,
                "columns": {"created_at": "written"},
            },
            "ordering": {"sequence": "sequence"},
            "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
        }
    )


def check(outbox: Outbox, dsn: str, kind: str, insert: Insert) -> None:
    """Write rows, verify messages against them, and hold each finding against what was done.

    insert: writes rows into an empty table: id, key, payload, sequence, and how many seconds ago it was written.
    """
    ids = [one.decode() for one in itertools.islice(KINDS[kind](), ROWS + EACH)]
    cleaned, lost, nobody = set(ids[:EACH]), set(ids[2 * EACH : 3 * EACH]), set(ids[ROWS:])
    rows = [(one, str(n % 50), f'{{"n": {n}}}', n, KEPT_S - KEPT_S * n // ROWS) for n, one in enumerate(ids[:ROWS])]
    insert([row for row in rows if row[0] not in cleaned])
    sent = [row for row in rows if row[0] not in lost]
    sent += [(one, "7", "{}", ROWS - EACH + n, 0) for n, one in enumerate(ids[ROWS:])]
    request = request_of(
        outbox, CapturedLog(outbox, list(captured(outbox, sent))), dsn, max_samples=10 * EACH, delivery=StandIn()
    )
    report = Verification(request, lambda _: None).run()
    findings = {one.id: one for one in report.findings if one.id in CHECKS}
    counts = {check: finding.count for check, finding in findings.items()}
    assert (report.verdict, counts) == ("fail", {"LOS-01": EACH, "LOS-03": EACH, "LOS-07": EACH})
    fold = str if kind in TYPES else str.lower
    assert {sample.expected.split()[1] for sample in findings["LOS-01"].samples} == set(map(fold, lost))
    assert {sample.actual.split()[-1] for sample in findings["LOS-03"].samples} == set(map(fold, nobody))


def captured(outbox: Outbox, rows: Sequence[tuple[Any, ...]]) -> Iterator[CapturedMessage]:
    """The messages of rows, in the order of their sequence."""
    now, topic, offsets = int(time.time() * 1000), Routes(outbox).topics[0], dict[int, int]()
    for event_id, key, payload, sequence, ago in sorted(rows, key=lambda row: row[3]):
        partition = partition_of(key.encode(), outbox.connect.topics.partitions)
        offset = offsets[partition] = offsets.get(partition, -1) + 1
        position = (topic, partition, offset)
        yield CapturedMessage(position, key.encode(), payload.encode(), headers(event_id, sequence), now - ago * 1000)


def headers(event_id: str, sequence: int) -> list[tuple[str, bytes | None]]:
    """The headers of an event's message."""
    texts = {"id": event_id, "eventType": "OrderPlaced", "aggregateType": "Order", "sequence": str(sequence)}
    return [(name, text.encode()) for name, text in texts.items()]
