"""The table of failed events in Oracle for operators; see `databases.failure_desk`."""

from outbox_kit.databases.failure_desk import DeskScripts, ScriptedDesk
from outbox_kit.databases.oracle.polling import row_marks
from outbox_kit.databases.oracle.scripts import SCRIPTING, since_1970

TIMES = ", ".join(since_1970(f"f.{column}") for column in ("failed_at", "tried_at", "send_at"))
FIELDS = f'f."NUMBER", f.lane, f.event_id, f.topic, {{row}}, f.cause, f.attempts, f.dead, {TIMES}'
DESK = DeskScripts(
    without_row=FIELDS.format(row="null"),
    with_row=FIELDS.format(row="f.row_text"),
    dead='select {columns} from {failures} f where {chosen} order by "NUMBER" fetch first :most rows only',
    count="select count(*) from {failures} where {chosen}",
    numbers='select "NUMBER" from {failures} where {chosen} order by "NUMBER"',
    event='select {columns} from {failures} f where "NUMBER" = :wanted',
    retry="""
declare
    results sys_refcursor;
    changed number := 0;
begin
    for letter in (
        select f."NUMBER" as place from {failures} f where f.dead = 1 and f."NUMBER" in {numbers} order by 1
    ) loop
        update {failures} f set f.dead = 0, f.attempts = 0,
            f.send_at = {now} + numtodsinterval((changed + :skipped) * :pause / 1000000, 'SECOND')
        where f."NUMBER" = letter.place and f.dead = 1;
        changed := changed + sql%rowcount;
    end loop;
    commit;
    open results for select changed from dual;
    {returned};
end;
""",
    discard="""
declare
    results sys_refcursor;
    changed number := 0;
begin
    {marked}
    delete from {failures} where dead = 1 and "NUMBER" in {numbers};
    changed := sql%rowcount;
    commit;
    open results for select changed from dual;
    {returned};
end;
""",
    marked="e.dead = 1",
    waiting="""
select {columns}, o.depth, {age}, o.total
from {failures} f join (
    select place, depth, count(*) over () as total from (
        select min("NUMBER") as place, count(*) as depth from {failures} where {waits} group by lane_digest
    ) order by place fetch first :most rows only
) o on o.place = f."NUMBER" order by f."NUMBER"
""",
    number='"NUMBER"',
    same_lane="dbms_lob.compare(lane, to_clob({})) = 0",
    ends="dbms_lob.substr(lane, length({0}), greatest(length(lane) - length({0}) + 1, 1)) = {0}",
)


class OracleDesk(ScriptedDesk):
    """See `databases.failures.FailureDesk`."""

    scripting, scripts = SCRIPTING, DESK
    row_marks = staticmethod(row_marks)
