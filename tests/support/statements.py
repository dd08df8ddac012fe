"""The statements that the model gives an outbox's code."""

from outbox_kit.render.code import statement
from outbox_kit.render.code.targets import Target
from outbox_kit.schema.model import Outbox


def statements(outbox: Outbox, target: Target) -> tuple[list[str], list[str]]:
    """The lines of the insert and of what the inbox remembers by; none of those that a library writes itself."""
    dialect = outbox.dialect
    if dialect.documents or not dialect.code:
        return [], []
    insert = [] if target.rows else statement.insert(outbox, target, dialect, dialect.code)
    return insert, statement.once(outbox, target, dialect, dialect.code)
