"""One step of a migration: its phase, its template, and the time at which it is safe. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from outbox_kit.schema.columns import Column

BEFORE_DEPLOY = "before the new version of the application is deployed"
AFTER_OLD_WRITERS = "after the old version of the application has stopped"
AFTER_CONNECTOR_RESTART = "after the connector runs with its new configuration"
WRITERS_STOPPED = (
    "while all writers are stopped, and after the connector has processed the last row (outbox-kit status)"
)
OFFLINE = f"{WRITERS_STOPPED}; deploy the connector and then the application before the writers start again"
AFTER_LAST_ROW = (
    "after the connector has processed the last row from before the expand phase (outbox-kit status), and before the \
contract phase"
)
AFTER_NEWER_CAPTURE = "after the connector has processed a row of the newer capture instance (outbox-kit status)"
BEFORE_SWAP = "at any time before the old table is replaced"
AFTER_EXPAND = "after all previous steps; writers are blocked until the step is done"
DEPLOY = "outbox-kit deploy-connector --probe --yes"
EMPTY = {"text": "", "integer": "0", "bigint": "0", "uuid": "00000000-0000-0000-0000-000000000000"}


class Phase(StrEnum):
    """The part of a migration to which a step belongs: before the new version of the application is deployed, while
    both versions may write, or after the old version has stopped.
    """

    expand = "expand"
    migrate = "migrate"
    contract = "contract"


@dataclass(frozen=True)
class ConnectorChanges:
    """The changes to the connector's configuration that a migration contains."""

    lines: tuple[str, ...] = ()
    """One line for each changed option; empty if the configuration stays the same."""
    destructive: bool = False
    """Whether a change has an effect other than a restart, so that `deploy-connector` requires --allow-destructive."""

    @property
    def command(self) -> str:
        """The command that deploys the new configuration."""
        return f"{DEPLOY} --allow-destructive" if self.destructive else DEPLOY


UNCHANGED = ConnectorChanges()


@dataclass(frozen=True)
class MigrationStep:
    """One step."""

    phase: Phase
    part: str
    """Its template; empty if the step is not executed in the database."""
    title: str
    """The action, in a phrase."""
    timing: str
    """The time at which the step is safe, in a phrase."""
    why: str = ""
    """The reason for the step, in a phrase."""
    variables: Mapping[str, Any] = field(default_factory=dict)
    """The variables of the template beside those of the new outbox."""
    destructive: bool = False
    """Whether the step deletes data or objects."""


@dataclass(frozen=True)
class Backfill:
    """The value of a column in existing rows: another column's value, a number, or an empty value."""

    column: Column
    source: str = ""
    numbers: bool = False

    @property
    def empty(self) -> str:
        """The empty value of the column's kind; the templates write `false` for a boolean."""
        return EMPTY.get(self.column.kind, "")
