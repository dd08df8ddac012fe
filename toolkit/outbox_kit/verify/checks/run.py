"""What a run could not examine."""

from functools import partial

from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import (
    CHECKS,
    CLUSTER,
    DOCUMENTS,
    ENDED,
    ERROR,
    INCONCLUSIVE,
    INFO,
    RECORDS,
    WARNING,
    needs,
)
from outbox_kit.verify.needs import Need

define = partial(CHECKS.define, group=Group("The run itself", rank=10))


NOT_READ = define(
    id="RUN-01",
    severity=INCONCLUSIVE,
    title="every partition is read to its end",
    problem="the partition was not read to its end",
    why="The messages that were not read were not checked. Possible causes: a broker failed, or --timeout is too "
    "short.",
    fix="run it again, with a larger --timeout if the topics are large",
    needs=CLUSTER,
    condition=True,
)
BEGINNING_MISSING = define(
    id="RUN-02",
    severity=INCONCLUSIVE,
    title="every partition begins at its first offset",
    problem="the partition no longer begins at its first offset",
    why="Messages that the topic's retention deleted cannot be checked.",
    fix="set a longer retention.ms on the topic, or begin later on purpose: --from offsets:FILE",
    needs=CLUSTER,
    condition=True,
)
REWOUND = define(
    id="RUN-03",
    severity=ERROR,
    title="no partition was truncated",
    problem="the partition was truncated",
    why="Messages that were there are gone. Possible causes: an unclean leader election, or a topic that was "
    "deleted and recreated.",
    fix="set unclean.leader.election.enable=false and acks=all, and examine the brokers' logs",
    needs=CLUSTER,
    condition=True,
)
OPEN_TRANSACTION = define(
    id="RUN-04",
    severity=INCONCLUSIVE,
    title="no transaction is open at the end of a partition",
    problem="a transaction is open at the end of the partition",
    why="Its messages and those after it were not read.",
    fix="run it again when the producer has committed, or wait longer: --open-tx-timeout. The transaction of a killed "
    "producer ends when the producer is started again, or after its transaction.timeout.ms",
    needs=CLUSTER,
    condition=True,
)
OFFSETS_WITHOUT_RECORD = define(
    id="RUN-05",
    severity=INFO,
    title="every offset has a message",
    problem="some offsets have no message",
    why="They are transaction markers, messages of aborted transactions, or messages that compaction deleted.",
    fix="nothing to do if the topic is written in transactions or compacted",
    needs=CLUSTER | {Need.read},
    condition=True,
)
NOTHING_TO_VERIFY = define(
    id="RUN-06",
    severity=INCONCLUSIVE,
    title="there are events to verify",
    problem="there is nothing to verify",
    why="No message is a declared event with an id and a key. Possible causes: no event was inserted yet, the "
    "connector does not publish, or the schema file declares other events.",
    fix="examine the delivery: outbox-kit status; then insert an event and run it again",
    needs=ENDED,
    condition=True,
)
PARTITION_REFUSED = define(
    id="RUN-07",
    severity=ERROR,
    title="the brokers allow every partition to be read",
    problem="the broker refused the partition",
    why="Its messages were not checked. Possible causes: missing permissions, or a damaged log.",
    fix="grant DESCRIBE and READ on the topic, and examine the broker's log",
    needs=CLUSTER,
    condition=True,
)
TOPIC_MISSING = define(
    id="RUN-08",
    severity=WARNING,
    title="every declared topic exists",
    problem="the topic does not exist",
    why="Kafka Connect creates a topic with its first event. If the outbox has rows for the topic, it was deleted"
    " or never created.",
    fix="examine the delivery: outbox-kit status",
    needs=CLUSTER | {Need.topics},
    condition=True,
)
PARTITIONS_CHANGED = define(
    id="RUN-09",
    severity=ERROR,
    title="the number of partitions is constant",
    problem="the number of partitions changed during the run",
    why="Keys are in other partitions from now on, so the order of aggregates is lost.",
    fix="run it again; do not add partitions to a topic of keyed messages",
    needs=CLUSTER,
    condition=True,
)
ARRIVAL_UNKNOWN = define(
    id="RUN-10",
    severity=INCONCLUSIVE,
    title="the connector or relay has caught up",
    problem="the connector or relay has not caught up",
    why="Events that have not arrived may be under way or lost, so completeness is unknown.",
    fix="examine the delivery: outbox-kit status; or wait longer: --catch-up-timeout",
    needs=needs(Need.arrival),
    condition=True,
)
LOSS_NOT_CHECKED = define(
    id="RUN-11",
    severity=INFO,
    title="loss is checked against the outbox",
    problem="loss was not checked against the outbox",
    why="A lost event would not be found.",
    fix="compare with the table (set OUTBOX_KIT_DSN), or with a published log (--published-log) if rows are "
    "deleted on insert",
    needs=ENDED,
    condition=True,
)
REGISTRY_SILENT = define(
    id="RUN-12",
    severity=INCONCLUSIVE,
    title="the Schema Registry returns every schema",
    problem="the Schema Registry did not return a schema",
    why="Payloads could not be decoded and were not checked. Possible causes: a wrong address, missing "
    "credentials, or an outage.",
    fix="check --registry, OUTBOX_KIT_REGISTRY_USER and OUTBOX_KIT_REGISTRY_PASSWORD",
    needs=RECORDS | {Need.registered, Need.registry},
    condition=True,
)
BEFORE_MEMORY = define(
    id="RUN-13",
    severity=INCONCLUSIVE,
    title="every event is newer than the remembered windows",
    problem="the event is older than the remembered windows",
    why="It is a duplicate or out of order, and follow cannot determine which.",
    fix="verify the complete topics: outbox-kit verify; or remember more: --dedup-windows",
    needs=needs(Need.follow),
)
ROUTE_UNKNOWN = define(
    id="RUN-14",
    severity=INCONCLUSIVE,
    title="the topics follow from the connector's configuration",
    problem="the topics are not known for certain",
    why="The topics of routing.topic were read, and a transformation or option that outbox-kit does not know may "
    "change them.",
    fix="state that the topics are right: --severity RUN-14=info",
    needs=ENDED,
    condition=True,
)
TABLE_NOT_NAMED = define(
    id="RUN-15",
    severity=INCONCLUSIVE,
    title="the outbox table is compared",
    problem="loss could not be checked against the outbox table",
    why="A lost event would not be found.",
    fix="set OUTBOX_KIT_DSN to the database of the outbox, or leave the table out: --no-table",
    needs=ENDED,
    condition=True,
)
TOO_DEEP = define(
    id="RUN-16",
    severity=INCONCLUSIVE,
    title="every payload can be validated",
    problem="the payload is nested too deeply to be validated",
    why="Its JSON Schema and its rules were not checked below that depth.",
    fix="nest payloads less deeply",
    needs=DOCUMENTS | {Need.judged},
)
