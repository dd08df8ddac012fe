"""A migration keeps its lock on the outbox table, so that nobody can count its rows."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal


def _lock(place: Ground) -> None:
    place.forget_transaction("lock table outbox in access exclusive mode")


DRILL = Drill(
    fault="a migration has locked the outbox table, and does not end",
    chapter="figures-missing",
    signal=FaultSignal(Detector.alert, "OutboxPartUnanswered"),
    inject=_lock,
    steps=(Act("end the transaction that has the lock", Ground.end_transactions), 1),
    restore=Ground.end_transactions,
)
