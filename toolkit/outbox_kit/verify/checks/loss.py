"""Events of the outbox that are on no topic, and events that are in no row."""

from collections.abc import Mapping, Sequence
from functools import partial

from outbox_kit.findings.finding import WHOLE_RUN, Collector
from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, COMPARE, ERROR, EVENTS, INFO, TABLE
from outbox_kit.verify.needs import Need

define = partial(CHECKS.define, group=Group("Loss", ("table",), rank=7))
SEQUENCE = EVENTS | {Need.sequence, Need.aggregate}

LOST = define(
    id="LOS-01",
    severity=ERROR,
    title="every event of the outbox is on its topic",
    problem="the event is on no topic",
    why="Consumers never receive it. Possible causes: the connector's configuration, the topic, the publication "
    "or the replication slot was changed, deleted or recreated. The notes of the report list what was "
    "examined.",
    fix=f"examine the delivery: outbox-kit status; {COMPARE}; if "
    "the topic was changed on purpose, declare the former one: outbox-kit explain routing.previous_topics",
    needs=TABLE | {Need.young},
    each=True,
)
GAP = define(
    id="LOS-02",
    severity=ERROR,
    title="the sequence of every aggregate has no gaps",
    problem="a number is missing in the sequence of an aggregate",
    why="Possible causes: an event was lost, or a number was never used. The first number of an aggregate is 1 or"
    " lower.",
    fix="search the outbox table for the missing number, and examine the delivery: outbox-kit status",
    needs=SEQUENCE | {Need.unmoved, Need.dense, Need.beginnings},
    each=True,
)
WITHOUT_ROW = define(
    id="LOS-03",
    severity=ERROR,
    title="every message has a row in the outbox",
    problem="the message has no row in the outbox",
    why="Possible causes: the row was deleted manually, its created_at is not the time of the insert, or another "
    "producer wrote the message.",
    fix="find the producer of the message; let the retention delete rows: outbox-kit explain table.retention",
    needs=TABLE | {Need.events, Need.kept},
    each=True,
)
ROLLED_BACK = define(
    id="LOS-04",
    severity=ERROR,
    title="no event of a rolled-back transaction is published",
    problem="the event's transaction was rolled back",
    why="Consumers act on a change that does not exist. The event was published outside of the transaction.",
    fix="insert the event in the transaction of the business change, and publish it only through the outbox",
    needs=TABLE | {Need.events, Need.outcomes},
    each=True,
)
PARTIAL_TRANSACTION = define(
    id="LOS-06",
    severity=ERROR,
    title="every transaction is published completely",
    problem="a transaction was published only in part",
    why="Consumers receive a part of the change. Possible cause: the connector skipped rows of one log position.",
    fix="examine the delivery: outbox-kit status",
    needs=TABLE | {Need.young, Need.transactions},
    each=True,
)
ROW_CLEANED_UP = define(
    id="LOS-07",
    severity=INFO,
    title="the row of every message exists",
    problem="the rows of some messages no longer exist",
    why="A message is not compared when its row was deleted by the retention.",
    fix="keep rows longer: outbox-kit explain table.keep_days",
    needs=TABLE | {Need.events},
    each=True,
)


def partial_transactions(
    missing: Mapping[str, Sequence[str]], together: Mapping[str, int], findings: Collector
) -> None:
    """Name transactions of which some events have arrived and some have not.

    missing: the ids that have not, by transaction. together: how many rows each of them has.
    """
    for transaction, count in sorted(together.items()):
        ids = sorted(missing[transaction])
        if len(ids) < count:
            actual = f"{count - len(ids)} of them; missing: {', '.join(ids[:3])}{', ...' if len(ids) > 3 else ''}"
            findings.add(PARTIAL_TRANSACTION, WHOLE_RUN, f"all {count} events of transaction {transaction}", actual)
