"""The statements of a consumer's inbox, as a database has them. Pure data.

Every statement has `{table}`, and each bound value by its name, such as `{consumer}`. What stands in its place depends
on the driver.
"""

from dataclasses import dataclass

MESSAGE_ID, HIGH_WATER, OFFSETS = "message-id", "high-water", "offsets"
AHEAD_DAYS = 14
"""For how many days partitions are created ahead: of the outbox and of the inbox, by `gen-ddl` and by `cleanup`."""

RAISE = (
    "update {table} set previous_sequence = last_sequence, last_sequence = {sequence}",
    " where consumer = {consumer} and producer = {producer} and message_key = {key} and last_sequence < {sequence}",
)
"""Raises a high-water mark. Its count is 0 if the mark is not lower, or does not exist."""
MARK = (
    "select last_sequence, previous_sequence from {table}",
    " where consumer = {consumer} and producer = {producer} and message_key = {key}",
)
"""A high-water mark, and the mark before it."""
POSITION = (
    "select next_offset, generation from {table}",
    " where consumer = {consumer} and topic = {topic} and topic_partition = {partition} for update",
)
"""The next offset of a topic partition, and the generation of the group that stored it. It locks the row, because under
MySQL's REPEATABLE READ another read may be older than the UPDATE whose count it explains."""
TAKE = (
    "update {table} set generation = {generation}",
    " where consumer = {consumer} and topic = {topic} and topic_partition = {partition} and generation = {seen}",
)
"""Takes a topic partition over for a generation, if no other consumer has taken it over meanwhile."""
MAY_BE_EMPTY = frozenset({"producer"})
"""The names of the texts that can be empty."""
ADVANCE = (
    "update {table} set next_offset = {next}, generation = {generation}",
    " where consumer = {consumer} and topic = {topic} and topic_partition = {partition}",
    " and generation <= {generation} and next_offset <= {offset}",
)
"""Stores the next offset. Its count is 0 for an offset that is stored already, and for a generation that is over."""


@dataclass(frozen=True)
class InboxFacts:
    """What a database can be to a consumer's inbox."""

    modes: tuple[str, ...] = (MESSAGE_ID, HIGH_WATER, OFFSETS)
    """The modes for which there is a table."""
    add: tuple[str, ...] = ()
    """The lines of an insert that adds no row if the key exists, with `{values}` and the names of
    `databases.facts.inbox_rows`. Empty where rows are documents."""
    add_counted: tuple[str, ...] = ()
    """The same for message ids: its count is 1 if it has added the row, and another number if not, whatever a driver
    counts. Empty if that of `add` is."""
    position: tuple[str, ...] = POSITION
    """The lines of the query for the position, which locks its row."""
    text: str = "{}"
    """How a bound text of `MAY_BE_EMPTY` stands in a statement, if it needs more than its mark."""
    many: bool = False
    """Whether `counted` inserts several rows, if `({values})` is repeated."""
    returning: str = ""
    """The end of that insert of several rows, by which it returns the ids that it has added. Empty if the database
    returns none: then the count is the number of rows if it has added them all, and another number if not."""
    clock: str = ""
    """The query for the server's time, in seconds since 1970."""
    newer: tuple[str, ...] = ()
    """The lines of a query that returns a row if a consumer has received a message since `{instant}`, in seconds since
    1970."""
    expire: tuple[str, ...] = ()
    """The lines of a statement that deletes at most `{limit}` rows of a consumer from before `{instant}`. Empty if
    the purge is not implemented for the database."""
    listing: str = ""
    """The query for the names of a table's partitions; `{parent}` is the table's quoted name. The last 8 characters of
    a name are its day."""
    partitions: bool = False
    """Whether the table can have a partition for each day. Its partitions must have a lower bound: where the first one
    takes all smaller values, an id that is older than the window would be stored as a new one."""
    no_partition: str = ""
    """The SQLSTATE of the error for an id without a partition."""

    @property
    def counted(self) -> tuple[str, ...]:
        """The lines of the insert of a message id."""
        return self.add_counted or self.add
