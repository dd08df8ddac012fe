"""The two-phase messages of a coordinator: those that are submitted or aborted, never one whose outcome is open."""

from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.operate.cleanup.kind import CleanupKind, KeepTimes, RemovalJob, Way
from outbox_kit.render.cleanup import OldRows
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.two_phase import CHECK_DAYS

KEPT_HOURS = CHECK_DAYS * 24
"""For so long a repeated `submit` or `abort` has the answer of the first one."""
COLUMNS = ("message_id", "check_back", "state", "finished_at")
FINISHED = "state <> 'prepared'"


def _rows(outbox: Outbox, evidence: RowEvidence, times: KeepTimes) -> OldRows:
    kept = KEPT_HOURS if times.older_than is None else max(times.older_than, times.repair)
    names = outbox.names
    return OldRows((names.schema, names.two_phase_table), "finished_at", kept, evidence.proof, condition=FINISHED)


def _obstacle(outbox: Outbox) -> str:
    return (
        ""
        if outbox.dialect.two_phase.coordinator
        else f"a coordinator cannot have its messages in {outbox.dialect.title}"
    )


JOB = RemovalJob("A message whose outcome is open stays, however old it is.")
KIND = CleanupKind(
    "two-phase", _rows, lambda _: COLUMNS, lambda _: Way.delete, _obstacle, script="--coordinator", job=JOB
)
