"""Events of the outbox that are on no topic, and events that are in no row."""

from collections.abc import Mapping, Sequence
from functools import partial

from outbox_kit.findings.finding import WHOLE_RUN, Collector
from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, ERROR, EVENTS, INFO, TABLE
from outbox_kit.verify.needs import Need

define = partial(CHECKS.define, group=Group("Loss", ("table",), rank=7))
SEQUENCE = EVENTS | {Need.sequence, Need.aggregate}

LOST = define(
    id="LOS-01",
    severity=ERROR,
    title="an event of the outbox is on no topic",
    fix="the notes say what was seen; was the connector's config (deploy-connector --dry-run), the topic, "
    "the publication or the slot changed, deleted or made anew",
    needs=TABLE | {Need.young},
    each=True,
)
GAP = define(
    id="LOS-02",
    severity=ERROR,
    title="a gap in an aggregate's sequence",
    fix="an event was lost, or a number was never used; an aggregate begins with 1, or below",
    needs=SEQUENCE | {Need.dense, Need.beginnings},
    each=True,
)
WITHOUT_ROW = define(
    id="LOS-03",
    severity=ERROR,
    title="an event that is not in the outbox",
    fix="its row was deleted by hand or had a made-up created_at, or it is another writer's",
    needs=TABLE | {Need.events, Need.kept},
    each=True,
)
ROLLED_BACK = define(
    id="LOS-04",
    severity=ERROR,
    title="an event of a transaction that was rolled back",
    fix="it was published beside the transaction, not in it",
    needs=TABLE | {Need.events, Need.outcomes},
    each=True,
)
PARTIAL_TRANSACTION = define(
    id="LOS-06",
    severity=ERROR,
    title="a transaction of which only a part has arrived",
    fix="the connector skipped rows at one log position",
    needs=TABLE | {Need.young, Need.transactions},
    each=True,
)
ROW_CLEANED_UP = define(
    id="LOS-07",
    severity=INFO,
    title="events whose rows are no longer there",
    fix="rows that were cleaned up cannot be compared; see table.keep_days",
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
            actual = f"{count - len(ids)} of them, without {', '.join(ids[:3])}{', ...' if len(ids) > 3 else ''}"
            findings.add(
                PARTIAL_TRANSACTION, WHOLE_RUN, f"{count} events of transaction {transaction}, or none", actual
            )
