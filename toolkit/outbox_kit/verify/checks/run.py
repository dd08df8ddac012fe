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
    title="a partition was not read to its end",
    fix="the broker died or the time ran out; run it again",
    needs=CLUSTER,
    condition=True,
)
BEGINNING_MISSING = define(
    id="RUN-02",
    severity=INCONCLUSIVE,
    title="the log no longer begins at offset 0",
    fix="retention took records away; they cannot be verified",
    needs=CLUSTER,
    condition=True,
)
REWOUND = define(
    id="RUN-03",
    severity=ERROR,
    title="the log was rewound",
    fix="a broker came back without its newest records: an unclean election",
    needs=CLUSTER,
    condition=True,
)
OPEN_TRANSACTION = define(
    id="RUN-04",
    severity=INCONCLUSIVE,
    title="a transaction is still open at the end",
    fix="run it again when the producer has committed",
    needs=CLUSTER,
    condition=True,
)
OFFSETS_WITHOUT_RECORD = define(
    id="RUN-05",
    severity=INFO,
    title="offsets without a record",
    fix="transactions' own marks, events that were taken back, or records compacted away",
    needs=CLUSTER | {Need.read},
    condition=True,
)
NOTHING_TO_VERIFY = define(
    id="RUN-06",
    severity=INCONCLUSIVE,
    title="nothing to verify",
    fix="no event has arrived yet: see 'Nothing arrives' in the runbook; or no record is a declared event with id, key",
    needs=ENDED,
    condition=True,
)
PARTITION_REFUSED = define(
    id="RUN-07",
    severity=ERROR,
    title="the broker refused a partition",
    fix="see the error: rights that are missing, or a damaged log",
    needs=CLUSTER,
    condition=True,
)
TOPIC_MISSING = define(
    id="RUN-08",
    severity=WARNING,
    title="a declared topic is not there",
    fix="topics are made by their first event",
    needs=CLUSTER | {Need.topics},
    condition=True,
)
PARTITIONS_CHANGED = define(
    id="RUN-09",
    severity=ERROR,
    title="the number of partitions changed",
    fix="keys go to other partitions from then on; see KEY-05",
    needs=CLUSTER,
    condition=True,
)
ARRIVAL_UNKNOWN = define(
    id="RUN-10",
    severity=INCONCLUSIVE,
    title="it cannot be said whether all has arrived",
    fix="the connector has not caught up; see outbox-kit status",
    needs=needs(Need.arrival),
    condition=True,
)
LOSS_NOT_CHECKED = define(
    id="RUN-11",
    severity=INFO,
    title="loss was not checked against the outbox",
    fix="it was left out, or its rows do not stay",
    needs=ENDED,
    condition=True,
)
REGISTRY_SILENT = define(
    id="RUN-12",
    severity=INCONCLUSIVE,
    title="payloads could not be read",
    fix="the registry does not answer, or refuses; see its address, and your rights",
    needs=RECORDS | {Need.registry},
    condition=True,
)
BEFORE_MEMORY = define(
    id="RUN-13",
    severity=INCONCLUSIVE,
    title="an event from before what is remembered",
    fix="a copy, or disorder: plain verify tells which; see --remember",
    needs=needs(Need.follow),
)
ROUTE_UNKNOWN = define(
    id="RUN-14",
    severity=INCONCLUSIVE,
    title="where events go is not known",
    fix="the topics that routing.topic names were read; where you know that they are right: --severity RUN-14=info",
    needs=ENDED,
    condition=True,
)
TABLE_NOT_NAMED = define(
    id="RUN-15",
    severity=INCONCLUSIVE,
    title="loss could not be checked against the outbox",
    fix="name the database whose table has the rows (--dsn, or OUTBOX_KIT_DSN), or leave the table out: --no-ledger",
    needs=ENDED,
    condition=True,
)
TOO_DEEP = define(
    id="RUN-16",
    severity=INCONCLUSIVE,
    title="a payload could not be judged",
    fix="it is nested too deeply for its schema's validator and for rules; limit its depth where it is written",
    needs=DOCUMENTS | {Need.judged},
)
