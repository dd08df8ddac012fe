"""The table of failed events in SQL Server for operators; see `databases.failure_desk`."""

from outbox_kit.databases.failure_desk import DeskScripts, ScriptedDesk
from outbox_kit.databases.sqlserver.polling import row_marks
from outbox_kit.databases.sqlserver.scripts import SCRIPTING

AT = "datediff_big(microsecond, cast('1970-01-01' as datetime2), f.{})"
TIMES = ", ".join(AT.format(column) for column in ("failed_at", "tried_at", "send_at"))
FIELDS = f"f.number, f.lane, f.event_id, f.topic, {{row}}, f.cause, f.attempts, f.dead, {TIMES}"
DESK = DeskScripts(
    without_row=FIELDS.format(row="N''"),
    with_row=FIELDS.format(row="f.row_text"),
    dead="select top (%(most)s) {columns} from {failures} as f where {chosen} order by number",
    count="select count_big(*) from {failures} where {chosen}",
    numbers="select number from {failures} where {chosen} order by number",
    event="select {columns} from {failures} as f where number = %(wanted)s",
    retry="""
with chosen as (
    select dead, attempts, send_at,
        (row_number() over (order by number) - 1 + %(skipped)s) * cast(%(pause)s as bigint) as pause
    from {failures} where dead = 1 and number in {numbers}
)
update chosen set dead = 0, attempts = 0, send_at = dateadd(microsecond, cast(pause % 1000000 as int),
    dateadd(second, cast(pause / 1000000 as int), sysutcdatetime()));
select @@rowcount
""",
    discard="""
begin transaction;
{marked}
delete from {failures} where dead = 1 and number in {numbers};
select @@rowcount;
commit transaction
""",
    marked="r.dead = 1",
    waiting="""
with waiting as (
    select min(number) as number, count_big(*) as depth from {failures} where {waits} group by lane_digest
), oldest as (
    select top (%(most)s) number, depth, count_big(*) over () as total from waiting order by number
)
select {columns}, o.depth, datediff_big(microsecond, f.failed_at, sysutcdatetime()), o.total
from {failures} as f join oldest as o on o.number = f.number order by f.number
""",
    number="number",
    same_lane="lane = {}",
    ends="right(lane, len({0})) = {0}",
)


class SqlServerDesk(ScriptedDesk):
    """See `databases.failures.FailureDesk`."""

    scripting, scripts = SCRIPTING, DESK
    row_marks = staticmethod(row_marks)
