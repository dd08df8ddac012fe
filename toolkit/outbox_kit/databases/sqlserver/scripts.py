"""How scripts are written and sent, and the scripts about lanes and members; see `databases.lane_table`.

Hints that lock are those that work whether or not the database reads versions of rows (READ_COMMITTED_SNAPSHOT).
"""

from hashlib import sha256

from outbox_kit.databases.lane_table import LaneScripts
from outbox_kit.databases.scripts import Scripting
from outbox_kit.databases.sqlserver.session import KeptSession, address
from outbox_kit.schema.model import Outbox

HASH_BYTES = 3
FENCE = """
select @mine = count(*) from {owned} inner loop join {lanes} as l with (updlock, rowlock, readcommittedlock)
    on l.lane = mine.lane and l.epoch = mine.epoch
where l.owner = %(member)s and exists (select 1 from {members} as m where m.member = %(member)s and {live});
"""
SCRIPTING = Scripting(
    connect=lambda dsn, outbox: KeptSession(dsn, outbox.names.database),
    address=address,
    placeholder="%({})s",
    row="({0})",
    between=", ",
    table="(values {rows}) as {name} ({columns})",
    parts={
        "live": "m.lease_until > sysutcdatetime()",
        "later": "dateadd(millisecond, cast(%(seconds)s * 1000 as int), sysutcdatetime())",
    },
    fence=FENCE,
)
LANES = LaneScripts(
    expected="select count(*), coalesce(max(lane), -1) from {lanes}",
    runs="select count(*) from {members} as m where {live}",
    join="""
delete from {members} where lease_until < dateadd(second, -%(forget)s, sysutcdatetime());
insert into {members} (member, place, lease_until) values (%(member)s, %(place)s, {later})
""",
    renew="""
update m set lease_until = {later} from {members} as m where m.member = %(member)s and {live};
select N'member', cast(m.member as nvarchar(36)), cast(0 as bigint) from {members} as m where {live}
union all select N'lane', cast(l.lane as nvarchar(36)), l.epoch from {lanes} as l where l.owner = %(member)s
union all select N'free', N'', count_big(*) from {lanes} as l
    where not exists (select 1 from {members} as m where m.member = l.owner and {live})
""",
    claim="""
with free as (
    select top (%(most)s) l.lane, l.owner, l.epoch
    from {lanes} as l with (updlock, readpast, rowlock, readcommittedlock)
    where not exists (select 1 from {members} as m where m.member = l.owner and {live}) order by l.lane
)
update free set owner = %(member)s, epoch = epoch + 1 output inserted.lane, inserted.epoch
""",
    release="""
update l set owner = null from {owned} inner join {lanes} as l on l.lane = mine.lane and l.epoch = mine.epoch
where l.owner = %(member)s
""",
    leave="""
update {lanes} set owner = null where owner = %(member)s;
delete from {members} where member = %(member)s
""",
)


def hash_of(key: str, event_id: str) -> str:
    """The expression of the hash by which an event's lane is chosen. key, event_id: expressions of their texts.

    Of bytes, so that no collation decides; of so few that it is not negative.
    """
    octets = f"cast(coalesce({key}, {event_id}, N'') as varbinary(max))"
    return f"cast(substring(hashbytes('SHA2_256', {octets}), 1, {HASH_BYTES}) as int)"


def key_hash(text: str) -> int:
    """The hash of a message key, as `hash_of` computes it."""
    return int.from_bytes(sha256(text.encode("utf-16-le")).digest()[:HASH_BYTES])


def lane_of(outbox: Outbox, hashed: str) -> str:
    """The expression of the lane of a hash."""
    return f"({hashed} % {outbox.delivery.lanes})"
