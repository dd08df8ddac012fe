"""The table of failed events in Oracle; see `databases.failure_scripts`. Texts of any length are CLOBs there."""

from outbox_kit.databases.failure_scripts import FailureScripts, ScriptedFailures, StoredFields
from outbox_kit.databases.oracle.polling import row_marks
from outbox_kit.databases.oracle.scripts import SCRIPTING, key_hash, lane_of

FAILURES = FailureScripts(
    counts="select sum(dead), sum(1 - dead) from {failures}",
    waiting="""
select lane from {failures} where "NUMBER" in (
    select min("NUMBER") from {failures} where {waits} and {chosen} group by lane_digest)
""",
    due="""
select "NUMBER", lane, event_id, topic, row_text, cause, attempts, dead from {failures} stored
where dead = 0 and send_at <= {now} and (topic is null or topic not in {closed}) and {chosen}
  and not exists (
    select 1 from {failures} earlier
    where earlier.lane_digest = stored.lane_digest and earlier."NUMBER" < stored."NUMBER"
      and case when earlier.dead = 1 then {parks} when earlier.attempts > 0 or earlier.send_at > {now}
          or earlier.topic in {closed} then 1 else 0 end = 1)
order by "NUMBER" fetch first :most rows only
""",
    write="""
declare
    results sys_refcursor;
    ours number := 0;
    strangers number := 0;
    done number := 0;
begin
{fence}
    {concerned}
    if ours = {count} and strangers = 0 then
        {change}
        done := 1;
    end if;
    commit;
    open results for select done from dual;
    {returned};
end;
""",
    others='select count(*) into strangers from {failures} where "NUMBER" in {changed} and {lane} not in {numbers};',
    insert="""
        insert into {failures} ({fields}, failed_at, send_at)
        select {fields}, {now}, {later} from {given}
        where not exists (select 1 from {failures} stored where stored.event_digest = given.event_digest)
        order by given.place;
""",
    begin='update {failures} set attempts = attempts + 1, tried_at = {now} where "NUMBER" in {changed};',
    delivered='delete from {failures} where "NUMBER" in {changed};',
    postpone="""
        update {failures} set cause = :cause, dead = :dead, attempts = attempts - :uncounted, send_at = {later}
        where "NUMBER" in {changed};
""",
    started="""
declare
    results sys_refcursor;
begin
    begin
        insert into {starts} (slot, position, starts, started_at) values (:slot, :position, 1, {now});
    exception
        when dup_val_on_index then
            update {starts} s set s.started_at = {now}, s.position = :position,
                s.starts = case when decode(s.position, :position, 1, 0) = 1 then s.starts + 1 else 1 end
            where s.slot = :slot;
    end;
    commit;
    open results for select s.starts from {starts} s where s.slot = :slot;
    {returned};
end;
""",
    long_text="to_clob({})",
    allowed="1 = 1",
    stopped="""
begin
    update {starts} set starts = 0 where slot = :slot;
    commit;
end;
""",
)


class OracleFailures(ScriptedFailures):
    """See `databases.failures.FailureTable`."""

    scripting, scripts = SCRIPTING, FAILURES
    row_marks = staticmethod(row_marks)
    fields = StoredFields(key_hash, lambda outbox: lane_of(outbox, "key_hash"))
