"""The positions at which a connector of PostgreSQL can begin; see `interface.StoredOffsets`."""

from collections.abc import Mapping
from typing import Any

from outbox_kit.databases.postgres.hand_over import reached
from outbox_kit.databases.postgres.probe import log_position, slot
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox


def missing(dsn: str, outbox: Outbox, offset: Mapping[str, Any]) -> str:
    """See `StoredOffsets`."""
    name, state, position = outbox.names.slot, slot(dsn, outbox.names.slot), reached(offset) or int(offset["lsn"])
    if state is None:
        return f"replication slot '{name}' does not exist"
    if position > log_position(dsn, outbox):
        return f"LSN {_lsn(position)} is beyond the end of the server's WAL: it is the offset of another server"
    if position < state.confirmed:
        return f"replication slot '{name}' has confirmed LSN {_lsn(state.confirmed)} and does not go back"
    return ""


def parse(dsn: str, outbox: Outbox, position: str) -> Mapping[str, Any]:  # noqa: ARG001 - a protocol's
    """See `StoredOffsets`: a slot does not go back."""
    raise UsageProblem(
        f"no way back to position '{position}': replication slot '{outbox.names.slot}' releases what is confirmed",
        why="PostgreSQL sends no WAL from before the confirmed position of a slot",
        fix="publish the rows again that the table still has: outbox-kit resend",
    )


def repeated(dsn: str, outbox: Outbox, first: Mapping[str, Any], last: Mapping[str, Any]) -> str:  # noqa: ARG001
    """See `StoredOffsets`."""
    return f"{max(int(last.get('lsn') or 0) - int(first['lsn']), 0):,} bytes of WAL"


def _lsn(position: int) -> str:
    return f"{position >> 32:X}/{position & 0xFFFFFFFF:X}"
