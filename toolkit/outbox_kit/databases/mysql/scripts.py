"""How scripts are written and sent, and the scripts about lanes and members; see `databases.lane_table`."""

import zlib

from outbox_kit.databases.lane_table import LaneScripts
from outbox_kit.databases.mysql.session import KeptSession, address
from outbox_kit.databases.scripts import Scripting
from outbox_kit.schema.model import Outbox

FENCE = """
select count(*) into @mine from {lanes} as l force index (primary)
where l.lane in {numbers} and (l.lane, l.epoch) in {pairs} and l.owner = %(member)s
  and exists (select 1 from {members} as m where m.member = %(member)s and {live}) for update;
"""
SCRIPTING = Scripting(
    connect=lambda dsn, _: KeptSession(dsn),
    address=address,
    placeholder="%({})s",
    row="select {1}",
    between=" union all ",
    table="({rows}) as {name}",
    parts={
        "now": "utc_timestamp(6)",
        "live": "m.lease_until > utc_timestamp(6)",
        "later": "utc_timestamp(6) + interval cast(%(seconds)s * 1000000 as signed) microsecond",
    },
    fence=FENCE,
    always="true",
    escapes={"%": "%%"},
)
LANES = LaneScripts(
    expected="select count(*), coalesce(max(lane), -1) from {lanes}",
    runs="select count(*) from {members} as m where {live}",
    join="""
delete from {members} where lease_until < {now} - interval %(forget)s second;
insert into {members} (member, place, lease_until) values (%(member)s, %(place)s, {later})
""",
    renew="""
update {members} as m set lease_until = {later} where m.member = %(member)s and {live};
select 'member', member, 0 from {members} as m where {live}
union all select 'lane', cast(lane as char), epoch from {lanes} where owner = %(member)s
union all select 'free', '', count(*) from {lanes} as l
    where not exists (select 1 from {members} as m where m.member = l.owner and {live})
""",
    claim="""
update {lanes} as l set owner = %(member)s, epoch = epoch + 1
where not exists (select 1 from {members} as m where m.member = l.owner and {live}) order by lane limit %(most)s;
select lane, epoch from {lanes} where owner = %(member)s order by lane
""",
    release="""
update {lanes} set owner = null where lane in {numbers} and (lane, epoch) in {pairs} and owner = %(member)s
""",
    leave="""
update {lanes} set owner = null where owner = %(member)s;
delete from {members} where member = %(member)s
""",
)


def key_hash(text: str) -> int:
    """The hash of a message key, as `hash_of` computes it: CRC-32 of its UTF-8."""
    return zlib.crc32(text.encode())


def hash_of(key: str, event_id: str) -> str:
    """The expression of the hash by which an event's lane is chosen. key, event_id: expressions of their texts."""
    return f"crc32(coalesce({key}, {event_id}, ''))"


def lane_of(outbox: Outbox, hashed: str) -> str:
    """The expression of the lane of a hash."""
    return f"mod({hashed}, {outbox.delivery.lanes})"
