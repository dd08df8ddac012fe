"""The inbox of a consumer: ids that cannot come again."""

from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.errors import UsageProblem
from outbox_kit.operate.cleanup.kind import CleanupKind, KeepTimes, Way
from outbox_kit.render.cleanup import OldRows
from outbox_kit.schema.inbox_coherence import kept_days
from outbox_kit.schema.model import Outbox

RECEIVED_AT = "received_at"


def _rows(outbox: Outbox, evidence: RowEvidence, times: KeepTimes) -> OldRows:
    """A message can arrive again while its row is in the outbox, and then while its topic retains it."""
    least = kept_days(outbox) * 24
    if times.older_than is not None and times.older_than < least:
        raise UsageProblem(
            f"invalid --older-than: expected at least {least} hours for the inbox",
            why="a message can arrive again while its row is in the outbox, and then while its topic retains it; "
            "inbox.window_days is this time",
            fix=f"leave it out, or name a longer time than {least}h",
        )
    fold = outbox.dialect.fold_case
    return OldRows(outbox.names.inbox, fold(RECEIVED_AT), times.older_than or least, evidence.proof)


def _columns(outbox: Outbox) -> list[str]:
    return [outbox.dialect.fold_case(name) for name in ("consumer", "message_id", RECEIVED_AT)]


def _way(outbox: Outbox) -> Way:
    return Way.drop if outbox.inbox.partitioned else Way.delete


KIND = CleanupKind("inbox", _rows, _columns, _way, partitioned_by="inbox.partitioned", beside_outbox=False)
