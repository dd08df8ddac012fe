"""The table of failed events in MySQL and MariaDB for operators; see `databases.failure_desk`."""

from outbox_kit.databases.failure_desk import DeskScripts, ScriptedDesk
from outbox_kit.databases.mysql.polling import row_marks
from outbox_kit.databases.mysql.scripts import SCRIPTING

TIMES = ", ".join(
    f"timestampdiff(microsecond, '1970-01-01', f.{name})" for name in ("failed_at", "tried_at", "send_at")
)
FIELDS = f"f.number, f.lane, f.event_id, f.topic, {{row}}, f.cause, f.attempts, f.dead, {TIMES}"
DESK = DeskScripts(
    without_row=FIELDS.format(row="''"),
    with_row=FIELDS.format(row="f.row_text"),
    dead="select {columns} from {failures} as f where {chosen} order by number limit %(most)s",
    count="select count(*) from {failures} where {chosen}",
    numbers="select number from {failures} where {chosen} order by number",
    event="select {columns} from {failures} as f where number = %(wanted)s",
    retry="""
update {failures} as candidate join (
    select number, row_number() over (order by number) - 1 + %(skipped)s as place from {failures}
    where dead and number in {numbers}
) as chosen on candidate.number = chosen.number
set candidate.dead = false, candidate.attempts = 0,
    candidate.send_at = {now} + interval cast(chosen.place * %(pause)s as signed) microsecond;
select row_count()
""",
    discard="""
start transaction;
{marked}
delete from {failures} where dead and number in {numbers};
select row_count();
commit
""",
    marked="r.dead",
    waiting="""
with waiting as (
    select min(number) as number, count(*) as depth from {failures} where {waits} group by lane_digest
), oldest as (select number, depth, count(*) over () as total from waiting order by number limit %(most)s)
select {columns}, depth, timestampdiff(microsecond, failed_at, {now}), total
from {failures} as f join oldest using (number) order by f.number
""",
    number="number",
    same_lane="lane = {}",
    ends="right(lane, char_length({0})) = {0}",
)


class MySqlDesk(ScriptedDesk):
    """See `databases.failures.FailureDesk`."""

    scripting, scripts = SCRIPTING, DESK
    row_marks = staticmethod(row_marks)
