"""The table of failed events in SQL Server; see `databases.failure_scripts`."""

from outbox_kit.databases.failure_scripts import FailureScripts, ScriptedFailures, StoredFields
from outbox_kit.databases.sqlserver.polling import row_marks
from outbox_kit.databases.sqlserver.scripts import SCRIPTING, key_hash, lane_of

FAILURES = FailureScripts(
    counts="select sum(cast(dead as int)), sum(1 - dead) from {failures}",
    waiting="select distinct lane from {failures} as stored where {waits} and {chosen}",
    due="""
select top (%(most)s) number, lane, event_id, topic, row_text, cause, attempts, dead from {failures} as stored
where dead = 0 and send_at <= sysutcdatetime() and (topic is null or topic not in {closed}) and {chosen}
  and not exists (
    select 1 from {failures} as earlier
    where earlier.lane_digest = stored.lane_digest and earlier.number < stored.number
      and case when earlier.dead = 1 then {parks} when earlier.attempts > 0 or earlier.send_at > sysutcdatetime()
          or earlier.topic in {closed} then 1 else 0 end = 1)
order by number
""",
    write="""
begin transaction;
declare @mine int, @others int = 0;
{fence}
{concerned}
{change}
commit transaction;
select iif(@mine = {count} and @others = 0, 1, 0)
""",
    others="select @others = count(*) from {failures} where number in {changed} and {lane} not in {numbers};",
    insert="""
insert into {failures} ({fields}, failed_at, send_at) select {fields}, sysutcdatetime(), {later} from {given}
where @mine = {count} and @others = 0
  and not exists (select 1 from {failures} as stored where stored.event_digest = given.event_digest) order by place;
""",
    begin="""
update {failures} set attempts = attempts + 1, tried_at = sysutcdatetime()
where number in {changed} and @mine = {count} and @others = 0;
""",
    delivered="delete from {failures} where number in {changed} and @mine = {count} and @others = 0;",
    postpone="""
update {failures} set cause = %(cause)s, dead = %(dead)s, attempts = attempts - %(uncounted)s, send_at = {later}
where number in {changed} and @mine = {count} and @others = 0;
""",
    started="""
begin transaction;
update {starts} with (updlock, serializable) set started_at = sysutcdatetime(), position = %(position)s,
    starts = iif(position = %(position)s or (position is null and %(position)s is null), starts + 1, 1)
where slot = %(slot)s;
if @@rowcount = 0
    insert into {starts} (slot, position, starts, started_at) values (%(slot)s, %(position)s, 1, sysutcdatetime());
select starts from {starts} where slot = %(slot)s;
commit transaction
""",
    stopped="update {starts} set starts = 0 where slot = %(slot)s",
)


class SqlServerFailures(ScriptedFailures):
    """See `databases.failures.FailureTable`."""

    scripting, scripts = SCRIPTING, FAILURES
    row_marks = staticmethod(row_marks)
    fields = StoredFields(key_hash, lambda outbox: lane_of(outbox, "key_hash"))
