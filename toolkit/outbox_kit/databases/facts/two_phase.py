"""The statements of the barrier of two-phase messages, as a database has them. Pure data.

Every statement has `{table}`, and each bound value by its name, such as `{message}`, as those of `inbox`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class TwoPhaseFacts:
    """What a database can be to two-phase messages."""

    insert: tuple[str, ...] = ()
    """The lines of an insert that adds no row if the message has one, and waits for a transaction that has inserted it.
    Its count is 1 if it has added the row, and another number if not, whatever a driver counts. Empty if the kit has no
    barrier for the database."""
    read: tuple[str, ...] = ()
    """The lines of the query for `{columns}` of a message, after the insert. If an older snapshot of the transaction
    hides the row, the transaction fails."""
    bounded: tuple[str, ...] = ()
    """Statements after which a transaction waits for no lock longer than two seconds; empty if there are none."""
    restored: tuple[str, ...] = ()
    """Statements that undo `bounded` for the session; empty if they end with the transaction."""
    coordinator: bool = False
    """Whether the coordinator can have its messages in the database."""
