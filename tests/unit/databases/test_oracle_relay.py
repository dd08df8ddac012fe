"""What relays say to an Oracle, without one: which scripts, with which values, and what becomes of the answers.

`tests/conformance/test_oracle_sql.py` has the grammar's word about each script.
"""

from decimal import Decimal
from hashlib import sha256
from typing import Any

import oracledb
import pytest

from outbox_kit.databases.failures import FailedEvent, FailureCounts, Selection
from outbox_kit.databases.oracle.scripts import key_hash
from outbox_kit.databases.oracle.server import SERVER
from outbox_kit.databases.oracle.texts import column_form
from outbox_kit.databases.polling import Lane, Position
from outbox_kit.databases.unpublished import TableColumn
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, LanesLost, UsageProblem
from tests.support import example_files
from tests.support.oracle_relay import DSN, MINE, STORED, OracleServer, Owned, answers_of, serving

OUTBOX, ODD, MARKED, OWNED = example_files.of("relay-oracle")


class Said:
    """What the driver tells of an error."""

    def __init__(self, full_code: str) -> None:
        self.full_code = full_code


def opened(
    patch: pytest.MonkeyPatch, more: dict[str, Any] | None = None, outbox: Any = OUTBOX
) -> tuple[OracleServer, Any]:
    server = serving(patch, {**(more or {}), **answers_of(outbox), **(more or {})})
    table = SERVER.polled(DSN, outbox)  # type: ignore[misc]
    table.open(15.0)
    server.sent.clear()
    server.bound.clear()
    return server, table


def failed(key: str, **more: Any) -> FailedEvent:
    return FailedEvent(0, f'["Order","{key}"]', "id-1", None, f'{{"AGGREGATEID":"{key}"}}', "refused", **more)


def test_a_relay_reads_its_lanes_and_deletes_what_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    row = [name.lower() for name in OUTBOX.column_names]
    row[OUTBOX.column_names.index("SEQUENCE")] = "7"
    server, table = opened(monkeypatch, {"fetch first :most": [(*row, 1.0)]})
    assert [lane for lane, _ in table.claim(4)] == [Lane(0, 5), Lane(1, 7)]
    rows = table.read(MINE, Position(), 5000)
    assert rows.texts == [[text.encode() for text in row]] and rows.ids == ["7"] and rows.written == 1.0
    assert "'XXXXXX'), 4) in (1, 0) order by t.\"SEQUENCE\"" in server.sent[-1] and server.bound[-1] == {"most": 5000}
    assert table.store(MINE, Position(), ["7", "8"])
    assert server.bound[-1] == {"member": table.member, "id0": Decimal(7), "id1": Decimal(8)}
    stored = server.sent[-1]
    assert '"SEQUENCE" in (select published.id from (select :id0 as id from dual union all select :id1' in stored
    assert (
        stored.index("for update wait 5")
        < stored.index("if ours = 2")
        < stored.index("delete")
        < stored.index("commit")
    )
    server.answers["select ours from dual"] = [(1,)]
    assert not table.store(MINE, Position(), ["7"])
    assert table.mark() == "7" and not table.passed("7") and server.bound[-1] == {"mark": Decimal(7)}
    membership = table.renew(15.0)
    assert (membership.members, membership.lanes, membership.free, membership.alive) == (["a"], [Lane(3, 9)], 2, False)


def test_rows_that_the_server_does_not_number_are_found_by_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    server, table = opened(monkeypatch, outbox=ODD)
    assert table.store(MINE, Position(), ["it's"])
    assert "select cast(:id0 as varchar2(255 char)) as id from dual" in server.sent[-1]
    assert (
        server.bound[-1]["id0"] == "it's" and 'delete from "Odd Shop"."Poll#{1}" t where t."ORDER"' in server.sent[-1]
    )


def test_a_relay_marks_what_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    server, table = opened(monkeypatch, outbox=MARKED)
    table.read(MINE, Position(), 5000)
    read = server.sent[-1]
    pending = """t."St{a}te" = 'it''s :new'"""
    stored = (
        """exists (select 1 from "ORDERS"."MARKED_FAILURE" f where f.row_digest = standard_hash(t."ID", 'SHA256'))"""
    )
    assert f"where {pending} and not {stored} and mod(" in read and "CAUSE" not in read
    assert table.store(MINE, Position(), ["7", "8"])
    marked = server.sent[-1]
    assert marked.index("if ours = 2") < marked.index('update "ORDERS"') < marked.index("commit")
    assert (
        """set t."CAUSE" = null, t."ATTEMPTS" = coalesce(t."ATTEMPTS", 0) + 1, t."SENT_AT" = sys_extract_utc"""
        in marked
    )
    assert '"SEQUENCE" in (select published.id from (select :id0 as id from dual' in marked and pending in marked
    assert not table.passed(table.mark()) and pending in server.sent[-1] and pending in server.sent[-2]
    assert server.bound[-1] == {"mark": Decimal(7)}


def test_failed_events_are_marked_in_the_block_that_stores_them(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serving(monkeypatch, answers_of(OWNED))
    table = SERVER.failures(DSN, OWNED, Owned())  # type: ignore[misc]
    event_id = next(key for key in "abcdefghijkl" if key_hash(key) % 4 < 2)
    table.add([FailedEvent(0, "l", event_id, None, "{}", "refused", 2)], 2.0)
    added = server.sent[-1]
    assert "row_digest" not in added and server.bound[-1]["row0"] == event_id
    assert "select cast(:row0 as varchar2(255 char)) as id, :event_digest0 as place, 2 as attempts from dual" in added
    assert (
        "e on\n            e.event_digest = published.place" in added or "on e.event_digest = published.place" in added
    )
    assert (
        """set t."IS_SENT" = 2, t."PROBLEM" = substrb(dbms_lob.substr(r.cause, 1000, 1), 1, 4000), """
        """t."TRIES" = coalesce(t."TRIES", 0) + r.attempts where t."ID" = r.id and """
        """(t."IS_SENT" is null or t."IS_SENT" <> 1)"""
    ) in added
    table.delivered([4])
    delivered = server.sent[-1]
    assert server.bound[-1]["row0"] == "it's" and 'e."NUMBER" = published.place' in delivered
    assert delivered.index("numtodsinterval(24, 'HOUR')") < delivered.index("delete from")
    SERVER.failure_desk(DSN, OWNED).discard([4])  # type: ignore[misc]
    assert "update" not in server.sent[-1]  # the row says already that the event has failed
    marked = serving(monkeypatch, {**answers_of(MARKED)})
    SERVER.failure_desk(DSN, MARKED).discard([4])  # type: ignore[misc]
    assert "where e.dead = 1" in marked.sent[-1] and marked.bound[-1] == {"row0": "it's"}


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"NLS_CHARACTERSET": [("WE8MSWIN1252",)]}, "character set of the database is WE8MSWIN1252"),
        ({"is_cluster_database": [("SEQUENCE",)]}, "several nodes number the column 'SEQUENCE' out of order"),
        ({"all_ind_columns": [("I", "ID")]}, "no index that begins with the column 'SEQUENCE'"),
        ({"all_tab_cols": [("ID", "clob", 0, 0, 0, None)]}, "no column"),
        ({"max(lane)": [(8, 7)]}, "delivery.lanes"),
    ],
)
def test_a_table_that_cannot_be_read_in_order_is_refused(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, Any], why: str
) -> None:
    with pytest.raises(UsageProblem, match=why):
        opened(monkeypatch, answers)


def test_events_are_not_shared_by_a_lob(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [
        (name, "clob" if name == "AGGREGATEID" else kind, *more)
        for name, kind, *more in answers_of(OUTBOX)["all_tab_cols"]
    ]
    with pytest.raises(UsageProblem, match="cannot share events by the column 'AGGREGATEID'"):
        opened(monkeypatch, {"all_tab_cols": columns})


def test_failed_events_are_written_behind_the_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serving(monkeypatch, answers_of(OUTBOX))
    table = SERVER.failures(DSN, OUTBOX, Owned())  # type: ignore[misc]
    mine, others = (
        [key for key in "abcdefghijkl" if key_hash(key) % 4 < 2],
        [k for k in "abcdefghijkl" if key_hash(k) % 4 > 1],
    )
    long = FailedEvent(0, "l", "", None, f'{{"AGGREGATEID":"{mine[1]}","x":"{"é" * 3000}"}}', "refused")
    table.add([failed(mine[0]), long, failed(mine[0])], 2.0)
    bound = server.bound[-1]
    assert bound["event_digest0"] == sha256(failed(mine[0]).lane.encode() + b"\0id-1").digest() and "lane2" not in bound
    assert server.sizes == {"row_text1": oracledb.DB_TYPE_CLOB}
    inserted = server.sent[-1]
    assert "to_clob(:row_text1) as row_text" in inserted and ":topic0 as topic" in inserted
    assert (
        inserted.index("for update") < inserted.index("if ours = 2 and strangers = 0") < inserted.index("insert into")
    )
    table.begin([4, 5])
    assert 'select count(*) into strangers from "ORDERS"."POLLED_FAILURE" where "NUMBER" in (4, 5)' in server.sent[-1]
    server.answers["select done from dual"] = [(0,)]
    with pytest.raises(LanesLost):
        table.delivered([4])
    sent = len(server.sent)
    with pytest.raises(LanesLost):
        table.add([failed(others[0])], 0.0)
    assert len(server.sent) == sent


def test_an_empty_text_is_null_in_the_database_and_empty_again_here(monkeypatch: pytest.MonkeyPatch) -> None:
    serving(monkeypatch, answers_of(OUTBOX))
    table = SERVER.failures(DSN, OUTBOX)  # type: ignore[misc]
    assert table.due(10, []) == [FailedEvent(4, "lane", "id", None, "", "cause", 2, dead=True)]
    assert table.counts() == FailureCounts(0, 0) and table.lanes() == {"lane"} and table.starts(None) == 3


def test_operators_choose_dead_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serving(monkeypatch, answers_of(OUTBOX))
    desk = SERVER.failure_desk(DSN, OUTBOX)  # type: ignore[misc]
    letters, total = desk.dead(Selection(lane="l", key="k"), 5)
    assert total == 1 and letters[0].failure.number == 4 and letters[0].failed_at.second == 1
    assert server.bound[-1] == {"lane": "l", "ending": ',"k"]', "keyless": ',null,"k"]'}
    assert desk.event(4) == letters[0] and server.bound[-1] == {"wanted": STORED[0]}
    assert desk.retry([4], 10.0) == 1 and server.bound[-1] == {"pause": 100_000, "skipped": 0}
    waiting, lanes = desk.waiting(5)
    assert (lanes, waiting[0].depth, waiting[0].seconds) == (9, 3, 1.5)


def test_a_deadlock_is_tried_again_and_another_refusal_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    server, table = opened(monkeypatch)
    deadlock, denied, lost = (
        lambda code=code: oracledb.DatabaseError(Said(code)) for code in ("ORA-00060", "ORA-01031", "DPY-4011")
    )
    server.answers["odcinumberlist"] = [deadlock, (1, 7)]
    assert [lane for lane, _ in table.claim(4)] == [Lane(1, 7)] and server.rolled_back == 1
    for errors, kind in (([deadlock] * 3, DatabaseRefused), ([denied], DatabaseRefused), ([lost], DatabaseUnreachable)):
        server.answers["odcinumberlist"] = list(errors)
        with pytest.raises(kind):
            table.claim(4)


@pytest.mark.parametrize(
    ("kind", "asked", "read", "written"),
    [
        ("varchar2(255 char)", "{}", "é", "é"),
        ("nvarchar2(255)", "{}", "é", "é"),
        ("clob", "{}", "a\0b", "a\0b"),
        ("raw(16)", "{}", b"\0\xff", r"\x00ff"),
        ("blob", "{}", b"", r"\x"),
        ("number(18)", "to_char({}, 'TM9')", "7", "7"),
        ("date", "to_char({}, 'YYYY-MM-DD\"T\"HH24:MI:SS')", "2026-11-21T12:00:00", "2026-11-21T12:00:00"),
    ],
)
def test_a_value_is_a_text(kind: str, asked: str, read: Any, written: str) -> None:
    form = column_form(TableColumn("C", kind, False, False))
    assert (form.selected or form.text) == asked and form.read(read).decode() == written
    if kind == "raw(16)":
        assert form.bound(written) == read
