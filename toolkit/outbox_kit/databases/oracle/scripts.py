"""How scripts are written and sent, and the scripts about lanes and members; see `databases.lane_table`.

A script is one query, or one block that ends its transaction and returns rows: nothing of it is left open.
"""

from hashlib import sha256

from outbox_kit.databases.lane_table import LaneScripts
from outbox_kit.databases.oracle.session import KeptSession, address
from outbox_kit.databases.scripts import Scripting
from outbox_kit.schema.model import Outbox

HASH_DIGITS = 6
NOW = "sys_extract_utc(systimestamp)"


def since_1970(moment: str) -> str:
    """The expression of a moment in microseconds since 1970."""
    whole = f"round((trunc({moment}, 'MI') - date '1970-01-01') * 86400000000)"
    return f"({whole} + to_number(to_char({moment}, 'SSFF6')))"


FENCE = """
    for held in (
        select l.lane from {lanes} l
        where l.owner = :member and (l.lane, l.epoch) in (select mine.lane, mine.epoch from {owned})
          and exists (select 1 from {members} m where m.member = :member and {live})
        order by l.lane for update wait 5
    ) loop
        ours := ours + 1;
    end loop;
"""
SCRIPTING = Scripting(
    connect=KeptSession,
    address=address,
    placeholder=":{}",
    row="select {1} from dual",
    between=" union all ",
    table="({rows}) {name}",
    parts={
        "now": NOW,
        "live": f"m.lease_until > {NOW}",
        "later": f"{NOW} + numtodsinterval(:seconds, 'SECOND')",
        "age": f"{since_1970(NOW)} - {since_1970('f.failed_at')}",
        "returned": "dbms_sql.return_result(results)",
    },
    fence=FENCE,
)
LANES = LaneScripts(
    expected="select count(*), coalesce(max(lane), -1) from {lanes}",
    runs="select count(*) from {members} m where {live}",
    join="""
begin
    delete from {members} where lease_until < {now} - numtodsinterval(:forget, 'SECOND');
    insert into {members} (member, place, lease_until) values (:member, :place, {later});
    commit;
end;
""",
    renew="""
declare
    results sys_refcursor;
begin
    update {members} m set m.lease_until = {later} where m.member = :member and {live};
    commit;
    open results for
        select 'member', m.member, 0 from {members} m where {live}
        union all select 'lane', to_char(l.lane), l.epoch from {lanes} l where l.owner = :member
        union all select 'free', '-', count(*) from {lanes} l
            where not exists (select 1 from {members} m where m.member = l.owner and {live});
    {returned};
end;
""",
    claim="""
declare
    results sys_refcursor;
    taken number := 0;
    numbers sys.odcinumberlist := sys.odcinumberlist();
begin
    for free in (
        select l.lane from {lanes} l
        where not exists (select 1 from {members} m where m.member = l.owner and {live}) order by l.lane
    ) loop
        exit when taken >= :most;
        update {lanes} l set l.owner = :member, l.epoch = l.epoch + 1
        where l.lane = free.lane and not exists (select 1 from {members} m where m.member = l.owner and {live});
        if sql%rowcount = 1 then
            taken := taken + 1;
            numbers.extend;
            numbers(taken) := free.lane;
        end if;
    end loop;
    commit;
    open results for select l.lane, l.epoch from {lanes} l where l.lane in (select column_value from table(numbers));
    {returned};
end;
""",
    release="""
begin
    update {lanes} l set l.owner = null
    where l.owner = :member and (l.lane, l.epoch) in (select mine.lane, mine.epoch from {owned});
    commit;
end;
""",
    leave="""
begin
    update {lanes} set owner = null where owner = :member;
    delete from {members} where member = :member;
    commit;
end;
""",
)


def hash_of(key: str, event_id: str) -> str:
    """The expression of the hash by which an event's lane is chosen. key, event_id: expressions of their texts."""
    digits = f"substr(rawtohex(standard_hash(coalesce({key}, {event_id}), 'SHA256')), 1, {HASH_DIGITS})"
    return f"to_number({digits}, '{'X' * HASH_DIGITS}')"


def key_hash(text: str) -> int:
    """The hash of a message key, as `hash_of` computes it in a database of AL32UTF8."""
    return int(sha256(text.encode()).hexdigest()[:HASH_DIGITS], 16)


def lane_of(outbox: Outbox, hashed: str) -> str:
    """The expression of the lane of a hash."""
    return f"mod({hashed}, {outbox.delivery.lanes})"
