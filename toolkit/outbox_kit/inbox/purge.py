"""The purge of message ids that Kafka can no longer deliver again."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.clocks import expect_agreement
from outbox_kit.errors import UsageProblem
from outbox_kit.inbox.inbox import Inbox
from outbox_kit.inbox.modes import MessageIds
from outbox_kit.inbox.problems import PurgeRefused
from outbox_kit.inbox.sessions import Session, session_of
from outbox_kit.inbox.statements import Query, query
from outbox_kit.inbox.window import DAY, Protection, PurgeHorizon, horizon
from outbox_kit.kafka.deliverable import DeliverablePartition

BATCH = 5000
PAUSE_SECONDS = 0.05


@dataclass(frozen=True)
class Purge:
    """What a purge has removed."""

    horizon: PurgeHorizon
    rows: int
    """Deleted rows."""


def purge(
    connection: Any,
    inbox: Inbox,
    window_days: float,
    partitions: Sequence[DeliverablePartition],
    *,
    protection: Protection = "retention",
    most_rows: int | None = None,
) -> Purge:
    """Remove the message ids of a consumer that nothing can deliver again; each batch is a transaction.

    connection: as of `Inbox.once`, without an open transaction. window_days: how long ids are kept at least.
    partitions: of `kafka.redelivery.deliverable`. most_rows: rows after which it ends, to be continued later.
    Raises PurgeRefused, also if the consumer has received no message within the window: a producer that starts again
    after a long time first repeats its last messages. Raises ClocksApart. Raises UsageProblem for a table of another
    mode or database, and for one with partitions, which `outbox-kit cleanup --table inbox` drops.
    """
    facts = inbox.facts.inbox
    if not isinstance(inbox.mode, MessageIds):
        raise UsageProblem("the inbox stores no message ids, and needs no purge")
    if not facts.expire:
        raise UsageProblem(
            f"the purge does not support {inbox.facts.title}", fix="delete rows by the script's statement"
        )
    session = session_of(connection)
    _expect_rows(session, inbox)
    now = _scalar(session, Query(facts.clock))
    expect_agreement(now, time.time())
    limit = horizon(window_days * DAY, now, partitions, protection)
    values = {"consumer": inbox.consumer, "instant": limit.instant, "limit": BATCH}
    if _scalar(session, query(facts.newer, inbox.facts, inbox.table, values)) is None:
        raise PurgeRefused(
            f"the consumer '{inbox.consumer}' has received no message within the window",
            where=".".join(inbox.table),
            why="its producer may repeat its last messages when it starts again, whatever their age is",
            fix="check the consumer and its producer; purge after the next message",
        )
    rows, statement = 0, query(facts.expire, inbox.facts, inbox.table, values)
    while most_rows is None or rows < most_rows:
        with session.transaction():
            count = session.execute(statement).count
        rows += count
        if count < BATCH:
            break
        time.sleep(PAUSE_SECONDS)  # so that consumers are not slowed down
    return Purge(limit, rows)


def _expect_rows(session: Session, inbox: Inbox) -> None:
    """Raises UsageProblem if the table has partitions."""
    facts = inbox.facts.inbox
    parent = {"parent": inbox.facts.quote_ident(*inbox.table)}
    if facts.listing and _scalar(session, query((facts.listing,), inbox.facts, inbox.table, parent)) is not None:
        raise UsageProblem(
            "the inbox has a partition for each day",
            where=".".join(inbox.table),
            why="they are detached beside the consumers, which is not possible in a transaction",
            fix="outbox-kit cleanup --table inbox",
        )


def _scalar(session: Session, statement: Query) -> Any:
    with session.transaction():
        rows = session.execute(statement).rows
    return rows[0][0] if rows else None
