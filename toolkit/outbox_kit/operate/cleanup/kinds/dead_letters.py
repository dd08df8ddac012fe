"""The dead letters of a relay: events that were not delivered, which expire only if a user names an age."""

from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.errors import UsageProblem
from outbox_kit.operate.cleanup.kind import CleanupKind, KeepTimes, Way
from outbox_kit.render.cleanup import OldRows
from outbox_kit.schema.model import Outbox


def _rows(outbox: Outbox, evidence: RowEvidence, times: KeepTimes) -> OldRows:
    if times.older_than is None:
        raise UsageProblem(
            "dead letters have no default age",
            why="they are events that no consumer has received",
            fix="see them: outbox-kit relay dead list; then name the age, such as --older-than 90d",
        )
    names, fold = outbox.names, outbox.dialect.fold_case
    return OldRows(
        (names.schema, names.failure_table),
        fold("failed_at"),
        max(times.older_than, times.repair),
        evidence.proof,
        condition="dead",
    )


def _columns(outbox: Outbox) -> list[str]:
    return [outbox.dialect.fold_case(name) for name in ("number", "event_id", "dead", "failed_at")]


def _obstacle(outbox: Outbox) -> str:
    return (
        ""
        if outbox.delivery.by == "relay"
        else "a connector has no dead letters in the database (delivery.by: connector)"
    )


KIND = CleanupKind("dead-letters", _rows, _columns, lambda _: Way.discard, _obstacle, destructive=True)
