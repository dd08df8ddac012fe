"""What is recorded in a hand-over between a reader of a replication slot and relays that read the table, row by row."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest

from outbox_kit.databases.postgres import probe, table_hand_over
from outbox_kit.databases.postgres.slot_rows import LoggedTransaction, transactions
from outbox_kit.errors import DatabaseRefused, UnsafeChange, UsageProblem
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import Aggregates, Recording, Stepped, drive, numbers, write
from tests.support.servers import Server
from tests.support.servers.postgres import Postgres

pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
GET = """
select pg_wal_lsn_diff(lsn, '0/0')::bigint, data from pg_logical_slot_{what}_binary_changes(
    %s, null, null, 'proto_version', '1', 'publication_names', %s)
"""
ADVANCE = """
select pg_replication_slot_advance(slot_name, '0/0'::pg_lsn + %s) from pg_replication_slots
where slot_name = %s and confirmed_flush_lsn < '0/0'::pg_lsn + %s
"""
ODD = ("it's", "ü😀", "a b ", "x" * 200, "%s \\", '"')
EXISTING = (
    'create table "it\'s" ("the id" varchar(200) primary key, at timestamptz default clock_timestamp(), '
    "aggregatetype text, aggregateid text, type text, payload text, state text not null default 'PENDING')"
)
INSERT = """
insert into "it's" ("the id", aggregatetype, aggregateid, type, payload, state)
values (%s, 'Order', '1', 'OrderPlaced', '{}', %s)
"""
Pair = tuple[str, int]


class SlotReader:
    """What a connector reads, at the moments that a test wants."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        self._dsn, self._outbox, self._slot = dsn, outbox, outbox.names.slot
        self.sent: list[Pair] = []

    def read(self) -> None:
        """Publish everything that is committed, and confirm it."""
        self.sent += [pair for one in self._changes("get") for pair in pairs(one)]

    def begin(self) -> dict[str, Any]:
        """Publish up to the first row of a transaction of three, and stop; the stored offset."""
        with psycopg.connect(self._dsn) as connection:
            for number in range(3):
                write(connection, "begun", number)
        slot = probe.slot(self._dsn, self._slot)
        assert slot is not None
        confirmed = slot.confirmed
        for one in self._changes("peek"):
            if pairs(one)[0][0] == "begun":
                break
            self.sent += pairs(one)
            confirmed = one.end
        with psycopg.connect(self._dsn) as connection:
            connection.execute(ADVANCE, (confirmed, self._slot, confirmed))
        self.sent.append(pairs(one)[0])
        return {"lsn": one.rows[0].position, "lsn_commit": confirmed, "txId": one.number, "messageType": "INSERT"}

    def _changes(self, what: str) -> Sequence[LoggedTransaction]:
        names = self._outbox.names
        with psycopg.connect(self._dsn) as connection:
            found = connection.execute(GET.format(what=what), (self._slot, names.publication)).fetchall()
        return [*transactions(found, (names.schema, self._outbox.table.name), "payload")]


def pairs(transaction: LoggedTransaction) -> list[Pair]:
    """Key and number of each event of a transaction."""
    return [tuple(orjson.loads(row.key)) for row in transaction.rows]


def made(kit: Kit, written: Written, more: str) -> Outbox:
    """An outbox for a connector and for relays; with their `delivery`."""
    written(f"delivery: {{by: connector, source: table, lanes: 4, {more}}}")
    kit("gen-ddl", "--apply")
    text = Path("outbox.yaml").read_text()
    Path("outbox.yaml").write_text(text.replace("by: connector", "by: relay"))
    kit("gen-ddl", "--apply")
    return read(Path("outbox.yaml")).outbox()


@pytest.mark.random
@pytest.mark.parametrize(
    ("record", "is_killed"), [("position", False), ("position", True), ("delete", False), ("mark", True)]
)
def test_each_row_is_published_by_one_side_under_writers(
    server: Server,
    name: str,
    kit: Kit,
    written: Written,
    record: str,
    is_killed: bool,
    pytestconfig: pytest.Config,
) -> None:
    assert isinstance(server, Postgres)
    outbox, dsn = made(kit, written, f"record: {record}"), server.environment(name)["OUTBOX_KIT_DSN"]
    aggregates = Aggregates(lambda: psycopg.connect(dsn), 6)
    table_hand_over.create_slot(dsn, outbox)
    reader, relay = SlotReader(dsn, outbox), Stepped(outbox, dsn, Recording())
    with aggregates.written(4, pytestconfig.getoption("--case-seed")):
        time.sleep(0.3)
        reader.read()
        time.sleep(0.2)
        offset = reader.begin()
        recorded = table_hand_over.record_published(dsn, outbox, offset, trusted=False)
        probe.drop_slot(dsn, outbox.names.slot)
        first = [*reader.sent]
        relay.open()
        drive([relay], lambda: len(relay.sink.sent) >= recorded.left)
        until = time.monotonic() + 0.3
        drive([relay], lambda: time.monotonic() > until)
        table_hand_over.create_slot(dsn, outbox)
        mark = table_hand_over.published_mark(dsn, outbox)
        drive([relay], lambda: table_hand_over.is_published(dsn, outbox, mark))
        unstored = relay.unstored
        relay.kill() if is_killed else relay.stop()
        settled = table_hand_over.settle_slot(dsn, outbox)
        assert settled.stray == 0
        assert table_hand_over.settle_slot(dsn, outbox).stray == 0  # again after an interruption
    reader.read()
    relayed, second = numbers(relay.sink.sent), reader.sent[len(first) :]
    by_key: dict[str, list[int]] = {}
    for key, number in dict.fromkeys([*first, *relayed, *second]):
        by_key.setdefault(key, []).append(number)
    begun = by_key.pop("begun")
    assert len(begun) == 3 and by_key == aggregates.versions()
    assert len({*first} & {*relayed}) <= recorded.doubled == (1 if record == "position" else 0)
    twice = len({*relayed} & {*second})
    assert twice == settled.doubled if not is_killed else twice <= settled.doubled + unstored


def test_rows_of_an_existing_table_are_found_by_their_ids(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    dsn = server.environment(name)["OUTBOX_KIT_DSN"]
    table = (
        'table: {name: "it\'s", existing: true, ids: text, columns: {id: the id, created_at: at}}\n'
        "ordering: {sequence: null}\n"
    )
    mark = "record: mark, mark: {status: {column: state, pending: PENDING, published: SENT}}"
    with psycopg.connect(dsn, autocommit=True) as rows:
        rows.execute(EXISTING)
        written(f"delivery: {{by: connector, source: table, {mark}}}\n{table}")
        kit("gen-ddl", "--apply")
        Path("outbox.yaml").write_text(Path("outbox.yaml").read_text().replace("by: connector", "by: relay"))
        kit("gen-ddl", "--apply")
        outbox = read(Path("outbox.yaml")).outbox()

        def insert(*ids: str, state: str = "PENDING") -> None:
            for event_id in ids:
                rows.execute(INSERT, (event_id, state))

        def states() -> dict[str, str]:
            return dict(rows.execute('select "the id", state from "it\'s"').fetchall())

        insert("failed before", state="FAILED")
        insert(ODD[0])
        table_hand_over.create_slot(dsn, outbox)
        insert(*ODD[1:])
        recorded = table_hand_over.record_published(dsn, outbox, None, trusted=False)
        assert (recorded.changed, recorded.left, recorded.doubled) == (1, len(ODD) - 1, 0)
        assert states() == {"failed before": "FAILED", ODD[0]: "SENT"} | dict.fromkeys(ODD[1:], "PENDING")
        settled = table_hand_over.settle_slot(dsn, outbox)  # no relay has published one
        assert (settled.position, settled.stray, settled.left, settled.doubled) == (None, 0, len(ODD) - 1, 0)
        rows.execute('update "it\'s" set state = \'SENT\' where "the id" = any(%s)', ([*ODD[1:3], ODD[4]],))
        settled = table_hand_over.settle_slot(dsn, outbox)
        assert settled.position is not None
        assert (settled.stray, settled.left, settled.doubled) == (0, len(ODD) - 4, 1)


def test_what_would_lose_rows_is_refused(server: Server, name: str, kit: Kit, written: Written) -> None:
    dsn = server.environment(name)["OUTBOX_KIT_DSN"]
    outbox = made(kit, written, "record: position")
    with psycopg.connect(dsn) as rows:
        write(rows, "before the slot", 1)
    table_hand_over.create_slot(dsn, outbox)
    with psycopg.connect(dsn) as rows:
        write(rows, "behind the slot", 1)
    assert table_hand_over.may_read_log(dsn, outbox)
    with psycopg.connect(dsn) as rows:
        rows.execute(f"alter role {outbox.names.role} noreplication")
    assert not table_hand_over.may_read_log(dsn, outbox)
    before = probe.slot(dsn, outbox.names.slot)
    settled = table_hand_over.settle_slot(dsn, outbox)
    assert (settled.position, settled.stray, settled.left) == (None, 1, 1)
    after = probe.slot(dsn, outbox.names.slot)
    assert before is not None and after is not None and before.confirmed == after.confirmed
    relay = Stepped(outbox, dsn, Recording()).open()
    assert table_hand_over.table_relays(dsn, outbox).running != []
    with pytest.raises(UnsafeChange, match="a relay runs"):
        table_hand_over.record_published(dsn, outbox, None, trusted=False)
    drive([relay], lambda: len(relay.sink.sent) == 2)
    relay.stop()
    assert table_hand_over.settle_slot(dsn, outbox).left == 0
    fewer = outbox.model_copy(update={"delivery": outbox.delivery.model_copy(update={"lanes": 3})})
    for asked in (table_hand_over.settle_slot, table_hand_over.published_mark):
        with pytest.raises(UsageProblem, match=r"invalid delivery\.lanes '3': expected 4"):
            asked(dsn, fewer)
    probe.drop_slot(dsn, outbox.names.slot)
    with pytest.raises(DatabaseRefused, match="does not exist any more"):
        table_hand_over.record_published(dsn, outbox, None, trusted=False)
