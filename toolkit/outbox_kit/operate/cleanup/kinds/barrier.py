"""The barrier of two-phase messages: outcomes that no check-back asks for any more."""

from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.operate.cleanup.kind import CleanupKind, KeepTimes, RemovalJob, Way, kept_hours
from outbox_kit.render.cleanup import OldRows
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.two_phase import CHECK_DAYS

KEPT_HOURS = 2 * CHECK_DAYS * 24
"""A transaction begins within `CHECK_DAYS` of its message, and the last check-back comes no later than that."""

WHY = (
    f"a coordinator checks back for {CHECK_DAYS} days, and without the row the answer would be that the transaction "
    "was rolled back"
)


def _rows(outbox: Outbox, evidence: RowEvidence, times: KeepTimes) -> OldRows:
    decided_at = outbox.dialect.fold_case("decided_at")
    return OldRows(outbox.names.barrier, decided_at, kept_hours(times, KEPT_HOURS, "barrier", WHY), evidence.proof)


def _columns(outbox: Outbox) -> list[str]:
    return [outbox.dialect.fold_case(name) for name in ("message_id", "outcome", "writer", "decided_at")]


def _obstacle(outbox: Outbox) -> str:
    return "" if outbox.dialect.two_phase.insert else f"there is no barrier for {outbox.dialect.title}"


JOB = RemovalJob("No check-back asks for an outcome that is so old.")
KIND = CleanupKind(
    "barrier", _rows, _columns, lambda _: Way.delete, _obstacle, script="--barrier", job=JOB, beside_outbox=False
)
