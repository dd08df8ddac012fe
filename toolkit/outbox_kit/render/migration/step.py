"""One step of a migration: its phase, its template, and when it is safe. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from outbox_kit.schema.columns import Column

BEFORE_DEPLOY = "before the new code is deployed"
AFTER_OLD_WRITERS = "after the last old writer is gone"
AFTER_CONNECTOR_RESTART = "after the connector runs with its new config"
WRITERS_STOPPED = "while nobody writes, and after the connector has passed the last row (outbox-kit status)"
OFFLINE = f"{WRITERS_STOPPED}; then the connector's new config, then the new code"
AFTER_LAST_ROW = (
    "after the connector has passed the last row from before the expand phase (outbox-kit status), and before \
anything is taken away"
)
AFTER_NEWER_CAPTURE = "after the connector has passed a row of the newer one (outbox-kit status)"
AFTER_EXPAND = "when the expand phase has been run; who writes waits until it is done"
DEPLOY = "outbox-kit deploy-connector --probe"
EMPTY = {"text": "", "integer": "0", "bigint": "0", "uuid": "00000000-0000-0000-0000-000000000000"}


class Phase(StrEnum):
    """When a step is safe: before the new code, beside both, or without the old code."""

    expand = "expand"
    migrate = "migrate"
    contract = "contract"


@dataclass(frozen=True)
class MigrationStep:
    """One step."""

    phase: Phase
    part: str
    """Its template, none where it is not the database's."""
    title: str
    """What it does, in a phrase."""
    timing: str
    """When it is safe, in a phrase."""
    why: str = ""
    """Why it is needed, in a phrase."""
    variables: Mapping[str, Any] = field(default_factory=dict)
    """What the template is told beside the new outbox."""
    destructive: bool = False
    """Whether something is lost that was there."""


@dataclass(frozen=True)
class Backfill:
    """What rows from before get in a column: another column's value, numbers, or what stands for nothing."""

    column: Column
    source: str = ""
    numbers: bool = False

    @property
    def empty(self) -> str:
        """What stands for nothing; not for a boolean, which is false."""
        return EMPTY.get(self.column.kind, "")
