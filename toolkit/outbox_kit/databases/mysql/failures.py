"""The table of failed events in MySQL and MariaDB; see `databases.failure_scripts`."""

from outbox_kit.databases.failure_scripts import FailureScripts, ScriptedFailures, StoredFields
from outbox_kit.databases.mysql.polling import row_marks
from outbox_kit.databases.mysql.scripts import SCRIPTING, key_hash, lane_of

FAILURES = FailureScripts(
    counts="select coalesce(sum(dead), 0), coalesce(sum(not dead), 0) from {failures}",
    waiting="select distinct lane from {failures} as candidate where {waits} and {chosen}",
    due="""
select number, lane, event_id, topic, row_text, cause, attempts, dead from {failures} as candidate
where not dead and send_at <= {now} and (topic is null or topic not in {closed}) and {chosen}
  and not exists (select 1 from {failures} as earlier
                  where earlier.lane_digest = candidate.lane_digest and earlier.number < candidate.number
                    and case when earlier.dead then {parks} else earlier.attempts > 0
                        or earlier.send_at > {now} or coalesce(earlier.topic in {closed}, false) end)
order by number limit %(most)s
""",
    write="""
start transaction;
set @others = 0;
{fence}
{concerned}
{change}
select @mine = {count} and @others = 0;
commit
""",
    others="select count(*) into @others from {failures} where number in {changed} and {lane} not in {numbers};",
    insert="""
insert into {failures} ({fields}, failed_at, send_at) select {fields}, {now}, {later} from {given}
where @mine = {count} and @others = 0 order by place on duplicate key update number = {failures}.number;
""",
    begin="""
update {failures} set attempts = attempts + 1, tried_at = {now}
where number in {changed} and @mine = {count} and @others = 0;
""",
    delivered="delete from {failures} where number in {changed} and @mine = {count} and @others = 0;",
    postpone="""
update {failures} set cause = %(cause)s, dead = %(dead)s, attempts = attempts - %(uncounted)s, send_at = {later}
where number in {changed} and @mine = {count} and @others = 0;
""",
    started="""
insert into {starts} (slot, position, starts, started_at) values (%(slot)s, %(position)s, 1, {now})
on duplicate key update starts = if(position <=> %(position)s, starts + 1, 1), position = %(position)s,
    started_at = {now};
select starts from {starts} where slot = %(slot)s
""",
    stopped="update {starts} set starts = 0 where slot = %(slot)s",
)


class MySqlFailures(ScriptedFailures):
    """See `databases.failures.FailureTable`."""

    scripting, scripts = SCRIPTING, FAILURES
    row_marks = staticmethod(row_marks)
    fields = StoredFields(key_hash, lambda outbox: lane_of(outbox, "key_hash"))
