"""The schema files of tests/examples, each read once in a process."""

from functools import cache
from pathlib import Path

from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read

FOLDER = Path(__file__).parents[1] / "examples"
PATHS = sorted(FOLDER.rglob("*.yaml"))


@cache
def outboxes(path: Path) -> tuple[Outbox, ...]:
    """The outboxes of an example. path: its schema file."""
    return tuple(read(path).outboxes)


def of(name: str) -> tuple[Outbox, ...]:
    """The outboxes of an example by its name, such as `sqlserver`."""
    return outboxes(FOLDER / f"{name}.yaml")


def all_outboxes() -> list[Outbox]:
    """The outboxes of all examples."""
    return [outbox for path in PATHS for outbox in outboxes(path)]
