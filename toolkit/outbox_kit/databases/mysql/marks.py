"""How relays mark rows in MySQL and MariaDB; see `databases.row_marks`."""

from hashlib import sha256

from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.mysql.texts import base_type
from outbox_kit.databases.row_marks import MarkForms, number_or_text
from outbox_kit.databases.unpublished import TableColumn

BYTES = {"tinytext": 255, "text": 65_535}
"""The longest texts of types without a length, in bytes; those of others hold every cause."""
BYTES_OF_CHARACTER = 4


def _state(sql_type: str, value: str) -> str | None:
    kind = base_type(sql_type).split()[0]
    return number_or_text(MYSQL, value, is_number="int" in kind or kind in ("bit", "decimal"))


def _cause(column: TableColumn) -> str:
    """A cause as long as the column, in its character set: the server would refuse another one."""
    name, _, length = column.type.lower().partition("(")
    longest = int(length.partition(")")[0]) if length else BYTES.get(name, 0) // BYTES_OF_CHARACTER
    cause = f"left(r.cause, {longest})" if longest else "r.cause"
    return f"convert({cause} using {(column.collation or 'utf8mb4').partition('_')[0]})"


MARKS = MarkForms(
    publish="""
update {published} straight_join {table} as t force index ({index}) on {same} set {assignments}
where @mine = {count} and {unsent};
""",
    update="""
update {published} straight_join {failures} as r on r.{by} = published.place
straight_join {table} as t force index ({index}) on {same} set {assignments} where {allowed} and {unsettled};
""",
    stored_ids="select number, event_id from {failures} where number in {numbers}",
    number="number",
    now="utc_timestamp(6)",
    later="{now} + interval {hours} hour",
    digest="unhex(sha2({}, 256))",
    id_digest=lambda text: sha256(text.encode()).digest(),
    state=_state,
    cause=_cause,
    assigned="t.{}",
)
