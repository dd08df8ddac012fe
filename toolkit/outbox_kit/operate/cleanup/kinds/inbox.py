"""The inbox of a consumer: ids that cannot come again, because Kafka cannot deliver their messages again."""

import time

from outbox_kit.databases.facts.inbox import MESSAGE_ID
from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.errors import KafkaRefused, KafkaUnreachable, NotProven
from outbox_kit.inbox.declared import declared
from outbox_kit.inbox.window import horizon
from outbox_kit.kafka.redelivery import deliverable
from outbox_kit.operate.cleanup.kind import CleanupKind, EvidenceSources, KeepTimes, RemovalJob, Way, kept_hours
from outbox_kit.render.cleanup import OldRows, RowProof
from outbox_kit.schema.inbox_coherence import kept_days
from outbox_kit.schema.model import Outbox

RECEIVED_AT, CONSUMER = "received_at", "consumer"
BY_AGE = "to delete ids by their age alone, which is safe only if no topic retains messages for longer: --by-age"
WHY = (
    "a message can arrive again while its row is in the outbox, and then while its topic retains it; inbox.window_days "
    "is this time"
)
HOUR = 3600.0


def _keep_hours(outbox: Outbox, times: KeepTimes) -> int:
    """Hours that ids are kept. Raises UsageProblem for less than the window."""
    return kept_hours(times, kept_days(outbox) * 24, "inbox", WHY)


def _evidence(outbox: Outbox, sources: EvidenceSources, times: KeepTimes) -> RowEvidence:
    """What Kafka can deliver to each declared consumer. Raises PurgeRefused if a group has no committed offset."""
    inboxes = [*declared(outbox)]
    if not inboxes:
        if sources.by_age:
            return RowEvidence(RowProof.age)
        raise NotProven(
            "it is unknown which messages Kafka can deliver again",
            why="no consumer of the inbox is declared",
            fix=f"declare inbox.consumers, each with its group; {BY_AGE}",
        )
    horizons, notes = list[tuple[str, float]](), list[str]()
    window = _keep_hours(outbox, times) * HOUR
    for each in inboxes:
        try:
            partitions = deliverable(sources.cluster, each.topics, each.group)
        except (KafkaUnreachable, KafkaRefused) as problem:
            if sources.by_age:
                return RowEvidence(RowProof.age, [f"Kafka does not show what it can deliver again: {problem.what}"])
            problem.fix = f"{problem.fix}; {BY_AGE}" if problem.fix else BY_AGE
            raise
        limit = horizon(window, time.time(), partitions, "position" if sources.by_position else "retention")
        horizons.append((each.inbox.consumer, limit.instant))
        notes += [note for note in limit.notes if note not in notes]
    return RowEvidence(RowProof.redelivery, notes, horizons)


def _rows(outbox: Outbox, evidence: RowEvidence, times: KeepTimes) -> OldRows:
    fold = outbox.dialect.fold_case
    return OldRows(
        outbox.names.inbox,
        fold(RECEIVED_AT),
        _keep_hours(outbox, times),
        evidence.proof,
        consumer=fold(CONSUMER),
        horizons=tuple(evidence.horizons),
    )


def _columns(outbox: Outbox) -> list[str]:
    return [outbox.dialect.fold_case(name) for name in (CONSUMER, "message_id", RECEIVED_AT)]


def _way(outbox: Outbox) -> Way:
    return Way.drop if outbox.inbox.partitioned else Way.delete


def _obstacle(outbox: Outbox) -> str:
    mode, dialect = outbox.inbox.mode, outbox.dialect
    if mode != MESSAGE_ID:
        return f"the table of this inbox does not grow with its messages (inbox.mode: {mode})"
    return f"a TTL index of {dialect.title} deletes the ids, which gen-ddl --inbox creates" if dialect.documents else ""


JOB = RemovalJob(
    "It deletes ids by their age alone, as was allowed: a message that is delivered again after that has its effects a "
    "second time. Its topics must not retain records for longer, and its producers must not stop for longer.",
    unproven="which message ids are not needed any more",
    why="what can be delivered again is in Kafka",
)
KIND = CleanupKind(
    "inbox",
    _rows,
    _columns,
    _way,
    _obstacle,
    _evidence,
    script="--inbox",
    partitioned_by="inbox.partitioned",
    job=JOB,
    by_position=True,
    beside_outbox=False,
)
