"""Whether keys are the rows', as text, and in the right partition."""

from functools import partial

from outbox_kit.findings.rule import Group
from outbox_kit.kafka.partitioner import partition_of, partitioner
from outbox_kit.verify.checks import CHECKS, COMPARE, ERROR, EVENTS, TABLE
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.record import Violations, encoded, shown

define = partial(CHECKS.define, group=Group("Keys", ("routing", "key"), rank=1))


MISSING = define(
    id="KEY-01",
    severity=ERROR,
    title="every message has a key",
    problem="the message has no key",
    why="Its partition is arbitrary, and the order of its aggregate is lost. The key's column is null in the "
    "outbox row.",
    fix="write the key's column with every event: outbox-kit explain routing.key",
    needs=EVENTS,
)
NOT_THE_ROWS = define(
    id="KEY-02",
    severity=ERROR,
    title="the key of every message is the key of its outbox row",
    problem="the key differs from the outbox row",
    why="Possible causes: the row was updated after the insert (an update is not published), or another column is "
    "used by the running connector (every message differs).",
    fix=f"do not update outbox rows: publish a correction as a new event; {COMPARE}",
    needs=TABLE | {Need.events, Need.row_key},
)
ENCODED = define(
    id="KEY-03",
    severity=ERROR,
    title="every key is plain text",
    problem="the key is encoded",
    why="Consumers find other bytes than the column's text, and the key selects another partition. A JSON "
    "converter puts text in quotation marks.",
    fix="set key.converter=org.apache.kafka.connect.storage.StringConverter",
    needs=EVENTS,
)
WRONG_PARTITION = define(
    id="KEY-04",
    severity=ERROR,
    title="every key is in the partition that its hash selects",
    problem="the key is in another partition than its hash selects",
    why="Messages of one key in several partitions have no order. Possible causes: another producer, another "
    "partitioner, or partitions that were added to the topic.",
    fix="publish with the default partitioner of Kafka (murmur2), and do not add partitions to a topic of keyed "
    "messages",
    needs=EVENTS | {Need.keyed, Need.partitions},
)
SEVERAL_PARTITIONS = define(
    id="KEY-05",
    severity=ERROR,
    title="all messages of a key are in one partition",
    problem="the messages of one key are in several partitions",
    why="The order of the aggregate is lost. KEY-04 names the messages in a wrong partition.",
    fix="find the cause: outbox-kit explain KEY-04",
    needs=EVENTS | {Need.keyed, Need.partitions},
)


def missing(key: bytes | None) -> Violations:
    """A record without a key."""
    if not key:
        yield MISSING, "a key", shown(key)


def placed(contract: Contract, key: bytes, partition: int, partitions: int) -> Violations:
    """A key's encoding and its partition. partitions: of the topic."""
    if encoded(key):
        yield ENCODED, "the text of the key's column", shown(key)
    if contract.routes.by_key and (expected := partition_of(key, partitions)) != partition:
        by, declared = partitioner(key, partition, partitions), contract.outbox.connect.topics.partitions
        actual = f"partition {partition}" + (f", which {by} selects" if by else "")
        if declared != partitions and partition_of(key, declared) == partition:
            actual = f"partition {partition}, which is right for the {declared} partitions of the schema file"
        yield WRONG_PARTITION, f"partition {expected} of {partitions}", actual
