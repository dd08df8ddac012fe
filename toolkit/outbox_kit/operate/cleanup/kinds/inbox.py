"""The inbox of a consumer: ids that cannot come again."""

from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.errors import UsageProblem
from outbox_kit.operate.cleanup.kind import CleanupKind, KeepTimes, Way
from outbox_kit.render.cleanup import OldRows
from outbox_kit.schema.model import Outbox

TOPIC_DAYS = 7
"""How long Kafka retains a message if nothing else is configured."""
RECEIVED_AT = "received_at"


def _rows(outbox: Outbox, evidence: RowEvidence, times: KeepTimes) -> OldRows:
    """A message can arrive again while its row is in the outbox, and then while its topic retains it."""
    least = outbox.table.kept_hours + TOPIC_DAYS * 24
    if times.older_than is not None and times.older_than < least:
        raise UsageProblem(
            f"invalid --older-than: expected at least {least} hours for the inbox",
            why=f"a message can arrive again while its row is in the outbox ({outbox.table.kept_title}), and "
            f"then while its topic retains it ({TOPIC_DAYS} days)",
            fix=f"leave it out, or name a longer time than {least}h",
        )
    fold = outbox.dialect.fold_case
    return OldRows(outbox.names.inbox, fold(RECEIVED_AT), times.older_than or least, evidence.proof)


def _columns(outbox: Outbox) -> list[str]:
    return [outbox.dialect.fold_case(name) for name in ("consumer", "message_id", RECEIVED_AT)]


KIND = CleanupKind("inbox", _rows, _columns, lambda _: Way.delete, beside_outbox=False)
