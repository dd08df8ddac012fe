"""How relays mark rows in SQL Server; see `databases.row_marks`."""

from hashlib import sha256

from outbox_kit.databases.row_marks import MarkForms, number_or_text
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.sqlserver.texts import NUMBERS, base_type


def _state(sql_type: str, value: str) -> str | None:
    """The server reads the words of a bit."""
    kind = base_type(sql_type)
    return number_or_text(SQLSERVER, value, is_number=kind in NUMBERS - {"bit"} or kind in ("decimal", "numeric"))


MARKS = MarkForms(
    publish="""
update t set {assignments} from {published} inner loop join {table} as t with (rowlock) on {same}
where @mine = {count} and {unsent};
""",
    update="""
update t set {assignments} from {published} inner loop join {failures} as r on r.{by} = published.place
inner loop join {table} as t with (rowlock) on {same} where {allowed} and {unsettled};
""",
    stored_ids="select number, event_id from {failures} where number in {numbers}",
    number="number",
    now="sysutcdatetime()",
    later="dateadd(hour, {hours}, {now})",
    digest="cast(hashbytes('SHA2_256', cast({} as nvarchar(max))) as binary(32))",
    id_digest=lambda text: sha256(text.encode("utf-16-le")).digest(),
    state=_state,
    cause=lambda column: f"cast(r.cause as {column.type})",  # which cuts off what is too long
)
