"""Whether keys are the rows', as text, and in the right partition."""

from functools import partial

from outbox_kit.findings.rule import Group
from outbox_kit.kafka.partitioner import partition_of, partitioner
from outbox_kit.verify.checks import CHECKS, ERROR, EVENTS, TABLE
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.record import Violations, encoded, shown

define = partial(CHECKS.define, group=Group("Keys", ("routing", "key"), rank=1))


MISSING = define(
    id="KEY-01",
    severity=ERROR,
    title="the key is missing",
    fix="the key's column is null, and the order of its aggregate is lost",
    needs=EVENTS,
)
NOT_THE_ROWS = define(
    id="KEY-02",
    severity=ERROR,
    title="the key is not the outbox row's",
    fix="another column is the key, or the row was changed: an UPDATE is no event",
    needs=TABLE | {Need.events, Need.row_key},
)
ENCODED = define(
    id="KEY-03",
    severity=ERROR,
    title="the key is encoded",
    fix="a JSON converter quotes it; use StringConverter",
    needs=EVENTS,
)
WRONG_PARTITION = define(
    id="KEY-04",
    severity=ERROR,
    title="the key is in the wrong partition",
    fix="another producer, another partitioner, or new partitions",
    needs=EVENTS | {Need.keyed},
)
SEVERAL_PARTITIONS = define(
    id="KEY-05",
    severity=ERROR,
    title="one key in several partitions",
    fix="its order is lost; see KEY-04",
    needs=EVENTS | {Need.keyed},
)


def missing(key: bytes | None) -> Violations:
    """A record without a key."""
    if not key:
        yield MISSING, "a key", shown(key)


def placed(contract: Contract, key: bytes, partition: int, partitions: int) -> Violations:
    """A key's encoding and its partition. partitions: of the topic."""
    if encoded(key):
        yield ENCODED, "the column's text", shown(key)
    if contract.routes.by_key and (expected := partition_of(key, partitions)) != partition:
        by = partitioner(key, partition, partitions)
        actual = f"partition {partition}" + (f", where {by} puts it" if by else "")
        yield WRONG_PARTITION, f"partition {expected} of {partitions}", actual
