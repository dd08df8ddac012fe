"""Whether the clocks of a database and of this machine agree. Pure."""

from outbox_kit.errors import ClocksApart
from outbox_kit.printable import counted

SKEW = 3_600.0
"""How far the clocks of producers, brokers, databases and this machine may be apart, in seconds."""


def expect_agreement(database: float, machine: float) -> None:
    """Raise ClocksApart if rows are older or younger than they seem to be. Both: in seconds since 1970."""
    ahead = database - machine
    if abs(ahead) <= SKEW:
        return
    hours = counted(round(abs(ahead) / 3600), "hour")
    raise ClocksApart(
        f"the clock of the database is {hours} {'ahead of' if ahead > 0 else 'behind'} the clock of this machine",
        why="the age of its rows is not known, and none is removed",
        fix="correct the clock that is wrong",
    )
