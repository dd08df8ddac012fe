"""How relays mark rows in Oracle; see `databases.row_marks`."""

import re
from hashlib import sha256

from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.oracle.scripts import NOW
from outbox_kit.databases.oracle.texts import LARGE, NATIONAL, base_type
from outbox_kit.databases.row_marks import MarkForms, number_or_text
from outbox_kit.databases.unpublished import TableColumn

MOST_CHARACTERS = 1000
"""Of a text that is not a LOB, whatever the bytes of its characters: it has 4,000 bytes at most."""


def _state(sql_type: str, value: str) -> str | None:
    return number_or_text(ORACLE, value, is_number=base_type(sql_type) in ("number", "float"))


def _cause(column: TableColumn) -> str:
    """A cause as long as the column: the server would refuse another one."""
    kind, length = base_type(column.type), re.search(r"\((\d+)( byte)?", column.type)
    if kind in LARGE or length is None:
        return "r.cause"
    longest = int(length[1])
    cause = f"dbms_lob.substr(r.cause, {min(longest, MOST_CHARACTERS)}, 1)"
    if kind in NATIONAL:
        return f"to_nchar({cause})"
    return f"substrb({cause}, 1, {longest})" if length[2] else cause


MARKS = MarkForms(
    publish="""
        update {table} t set {assignments}
        where {key_column} in (select published.id from {published}) and {unsent};
""",
    update="""
        for r in (
            select published.id, published.attempts, e.cause from {published} join {failures} e
            on e.{by} = published.place where {allowed}
        ) loop
            update {table} t set {assignments} where {key_column} = r.id and {unsettled};
        end loop;
""",
    stored_ids='select "NUMBER", event_id from {failures} where "NUMBER" in {numbers}',
    number='"NUMBER"',
    now=NOW,
    later="{now} + numtodsinterval({hours}, 'HOUR')",
    digest="standard_hash({}, 'SHA256')",
    id_digest=lambda text: sha256(text.encode()).digest(),
    state=_state,
    cause=_cause,
    assigned="t.{}",
    attempts="r.attempts",
)
