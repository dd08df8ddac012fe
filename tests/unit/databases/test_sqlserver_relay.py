"""What relays say to a SQL Server, without one: which scripts, with which values, and what becomes of the answers."""

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pymssql
import pytest
from pymssql import _mssql

from outbox_kit.databases.failures import FailedEvent, FailureCounts, Selection
from outbox_kit.databases.polling import Lane, OwnedLanes, Position
from outbox_kit.databases.sqlserver.polling import COLUMNS, INDEXES, VERSIONS, outbox_table
from outbox_kit.databases.sqlserver.scripts import key_hash
from outbox_kit.databases.sqlserver.server import SERVER
from outbox_kit.databases.sqlserver.texts import column_form
from outbox_kit.databases.unpublished import TableColumn
from outbox_kit.errors import DatabaseRefused, LanesLost, UsageProblem
from outbox_kit.schema.model import Outbox
from tests.support import example_files
from tests.unit.render.tsql import complaints

OUTBOX, ODD, MARKED, OWNED = example_files.of("relay-sqlserver")
DSN = "sqlserver://boss@db.internal:1433/shop"
TYPES = {
    **{"sent_at": "datetime2(6)", "attempts": "int", "ProcessedOn": "datetime2(7)", "RetryCount": "int"},
    **{"Id": "uniqueidentifier", "OccurredOn": "datetime2(7)", "Error": "varchar(400)"},
    "sequence": "bigint",
    "version": "bigint",
    "urgent": "bit",
    "slot": "int",
    "created_at": "datetimeoffset(6)",
}
COLLATION = "Latin1_General_100_BIN2"


def catalogue(outbox: Outbox) -> list[tuple[Any, ...]]:
    listed = []
    marks = [name for name, _ in outbox.mark.places()] if outbox.mark else []
    for name in [*outbox.column_names, *marks]:
        kind = TYPES.get(name, "datetimeoffset(6)" if name == "At" else "nvarchar(255)")
        listed.append(
            (name, kind, name in marks, name == "sequence", COLLATION if "char" in kind else None, False, None)
        )
    return listed


class Server:
    """Stands for the driver and the server behind it. answers: the result sets of a script by a part of it."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers, self.sent, self.sets = answers, [], []
        self.Error, self.InterfaceError = pymssql.Error, pymssql.InterfaceError

    def connect(self, **_: Any) -> "Server":
        return self

    def cursor(self) -> "Server":
        return self

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None: ...

    @property
    def description(self) -> Any:
        return self.sets[0] is not None if self.sets else None

    def execute(self, script: str, values: Any = None) -> None:
        whole = _mssql.substitute_params(script, values, charset="utf-8").decode() if values else script
        self.sent.append(whole.partition("read committed;\n")[2])
        answer = next((sets for part, sets in self.answers.items() if part in whole), [None])
        if answer and callable(answer[0]):
            raise answer.pop(0)()
        self.sets = list(answer)

    def fetchall(self) -> Any:
        return self.sets[0]

    def nextset(self) -> Any:
        self.sets = self.sets[1:]
        return self.sets or None


Serving = Callable[..., Server]


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Serving:
    """Puts a server with these answers in the driver's place."""

    def make(outbox: Outbox = OUTBOX, **answers: Any) -> Server:
        key = outbox.ordering.sequence if outbox.ordering.assigned_by == "database" else outbox.table.columns.id
        usual = {
            "max(lane)": [[(outbox.delivery.lanes, outbox.delivery.lanes - 1)]],
            VERSIONS: [[(1, False)]],
            "sys.columns as c where": [catalogue(outbox)],
            "sys.indexes as i": [[(1, key), (2, outbox.table.columns.id)]],
            "select @mine\n": [[(2,)]],
        }
        server = Server({**answers, **{part: rows for part, rows in usual.items() if part not in answers}})
        monkeypatch.setitem(sys.modules, "pymssql", server)
        monkeypatch.setattr("outbox_kit.databases.scripts.RETRY_SECONDS", (0, 0))
        return server

    return make


class Owned(OwnedLanes):
    """Lanes 0 and 1 with epochs 5 and 7, of a member `me`."""

    member = "me"

    def __call__(self) -> Sequence[int]:
        return [0, 1]

    def lanes(self) -> Sequence[Lane]:
        return [Lane(0, 5), Lane(1, 7)]


MINE = [Lane(1, 7), Lane(0, 5)]


def lanes_of(name: str) -> Iterator[str]:
    """Keys of lanes 0 and 1 of four."""
    return (f"{name}{n}" for n in range(1000) if key_hash(f"{name}{n}") % OUTBOX.delivery.lanes < 2)


def failed(key: str, number: int = 0, **more: Any) -> FailedEvent:
    row = f'{{"aggregateid":"{key}"}}'
    return FailedEvent(number, f'["Order","{key}"]', "id-1", "topic", row, "it's refused", **more)


def complete(server: Server) -> None:
    """The scripts are in the server's language, with their values in them."""
    assert complaints(";\n".join(server.sent) + ";\n") == []
    assert not [script for script in server.sent if "%(" in script or "%s" in script]


@pytest.mark.parametrize("outbox", [OUTBOX, ODD], ids=lambda outbox: outbox.service)
def test_a_relay_reads_its_lanes_in_a_snapshot_and_deletes_what_is_published(serving: Serving, outbox: Outbox) -> None:
    row = [name.upper() for name in outbox.column_names]
    at = outbox.column_names.index(outbox.ordering.sequence if outbox is OUTBOX else outbox.table.columns.id)
    row[at] = "7"
    server = serving(outbox, **{"select top (5000)": [[(*row, 1.5)]], "output inserted": [[(1, 7), (0, 5)]]})
    table = outbox_table(DSN, outbox)
    table.open(15.0)
    assert [lane for lane, _ in table.claim(4)] == [Lane(0, 5), Lane(1, 7)]
    rows = table.read(MINE, Position(), 5000)
    assert rows.texts == [[text.encode() for text in row]] and rows.ids == ["7"] and rows.written == 1.5
    assert table.store(MINE, Position(), rows.ids)
    script, stored = server.sent[-2:]
    assert script.startswith("set transaction isolation level snapshot;\nselect top (5000)")
    lane = f"% {outbox.delivery.lanes}) in (1, 0) order by t."
    assert lane in script and "hashbytes('SHA2_256'" in script
    assert stored.startswith("\nbegin transaction;\ndeclare @mine int;\n")
    assert "(values (0, 5), (1, 7)) as mine (lane, epoch)" in stored and "where @mine = 2;" in stored
    assert (
        stored.index("(updlock, rowlock, readcommittedlock)") < stored.index("delete t") < stored.index("commit tran")
    )
    if outbox is OUTBOX:
        assert "(values (cast(7 as bigint))) as published (id)" in stored
    else:
        assert f"(values (cast(N'7' as nvarchar(255)) collate {COLLATION})) as published (id)" in stored
        assert "and cast(t.[order] as varbinary(max)) = cast(published.id as varbinary(max))" in stored
    complete(server)


def test_a_relay_marks_what_is_published(serving: Serving) -> None:
    server = serving(MARKED, **{"max(t.": [[("7",)]], "min(t.": [[("7",)]], "iif(exists": [[(0,)]], "top (5": [[]]})
    table = outbox_table(DSN, MARKED)
    table.open(15.0)
    table.read(MINE, Position(), 5000)
    read = server.sent[-1]
    pending = "t.[st]]at{e}] = N'it''s 5% new'"
    stored = (
        "exists (select 1 from [dbo].[marked_failure] f where f.row_digest = "
        "cast(hashbytes('SHA2_256', cast(cast(t.[id] as nvarchar(max)) as nvarchar(max))) as binary(32)))"
    )
    assert f"where {pending} and not {stored} and (cast(" in read and "[cause]" not in read and "[sent_at]" not in read
    assert table.store(MINE, Position(), ["7", "8"])
    marked = server.sent[-1]
    assert (
        marked.index("(updlock, rowlock, readcommittedlock)") < marked.index("update t") < marked.index("commit tran")
    )
    assert (
        "update t set [cause] = null, [attempts] = coalesce(t.[attempts], 0) + 1, [sent_at] = sysutcdatetime(), "
        "[st]]at{e}] = N'sent' from (values (cast(7 as bigint)), (cast(8 as bigint))) as published (id)"
    ) in marked
    assert f"where @mine = 2 and {pending} and not exists" in marked
    assert table.passed(table.mark()) and table.position() is not None
    assert all(pending in script for script in server.sent[-3:])
    complete(server)


def test_a_table_of_an_owner_is_marked_by_its_ids(serving: Serving) -> None:
    row = ["0FA5C3D2-7A54-4A3C-9B52-6C9A6C1F1A11", "OrderPlaced", "{}", "orders", None, "2026-01-02T03:04:05"]
    server = serving(OWNED, **{"select top (5000)": [[(*row, 1.5)]]})
    table = outbox_table(DSN, OWNED)
    table.open(15.0)
    rows = table.read(MINE, Position(), 5000)
    assert "where t.[ProcessedOn] is null and not exists" in server.sent[-1]
    assert "order by t.[OccurredOn], t.[Id]" in server.sent[-1]
    assert table.store(MINE, Position(), rows.ids)
    assert f"(cast(N'{row[0]}' as uniqueidentifier))) as published (id)" in server.sent[-1]
    complete(server)


def test_failed_events_are_marked_in_the_transaction_that_stores_them(serving: Serving) -> None:
    event_id = next(lanes_of("k"))
    server = serving(OWNED, **{"select number, event_id": [[(4, event_id)]], "iif(@mine": [[(1,)]]})
    table = SERVER.failures(DSN, OWNED, Owned())  # type: ignore[misc]
    table.add([FailedEvent(0, "lane", event_id, "topic", "{}", "refused", 2)], 2.0)
    added = server.sent[-1]
    digest = sha256(event_id.encode("utf-16-le")).hexdigest()
    assert ", row_digest, failed_at" in added and f"0x{digest}" in added.lower()
    assert added.index("insert into") < added.index("update t set") < added.index("commit transaction")
    assert (
        f"(values (cast(N'{event_id}' as uniqueidentifier), 0x" in added
        and ", 2)) as published (id, place, att" in added
    )
    assert "as r on r.event_digest = published.place" in added
    assert (
        "set [Error] = cast(r.cause as varchar(400)), [RetryCount] = coalesce(t.[RetryCount], 0) + published" in added
    )
    assert "where @mine = 2 and @others = 0 and t.[ProcessedOn] is null" in added
    table.begin([4])
    assert "set [RetryCount] = coalesce(t.[RetryCount], 0) + 1 from" in server.sent[-1]
    assert f"'{event_id}' as uniqueidentifier), 4, 0)) as published (id, place, attempts)" in server.sent[-1]
    table.postpone(4, "later", 2.5, dead=True, counted=False)
    assert "[RetryCount] = coalesce(t.[RetryCount], 0) + -1" in server.sent[-1]
    table.delivered([4])
    delivered = server.sent[-1]
    assert delivered.index("[ProcessedOn] = sysutcdatetime()") < delivered.index("delete from")
    server.answers["@@rowcount"] = [[(1,)]]
    assert SERVER.failure_desk(DSN, OWNED).discard([4]) == 1  # type: ignore[misc]
    discarded = server.sent[-1]
    assert discarded.index("where r.dead = 1 and t.[ProcessedOn] is null") < discarded.index("delete from")
    assert "[Error]" not in discarded
    complete(server)


@pytest.mark.parametrize(
    ("column", "kind", "computed", "why"),
    [
        ("sent_at", "nvarchar(20)", False, r"'sent_at' is nvarchar\(20\); expected a date with a time"),
        ("attempts", "int", True, "'attempts' is a generated column"),
        ("st]at{e}", "int", False, "which cannot have the value 'it's 5% new'"),
    ],
)
def test_a_table_that_cannot_be_marked_is_refused(
    serving: Serving, column: str, kind: str, computed: bool, why: str
) -> None:
    listed = [(*row[:1], kind, *row[2:5], computed, None) if row[0] == column else row for row in catalogue(MARKED)]
    serving(MARKED, **{"sys.columns as c where": [listed]})
    with pytest.raises(UsageProblem, match=why):
        outbox_table(DSN, MARKED).open(15.0)


def test_what_is_published_is_deleted_in_batches_below_those_that_lock_the_table(serving: Serving) -> None:
    server = serving()
    table = outbox_table(DSN, OUTBOX)
    table.open(15.0)
    server.sent.clear()
    assert table.store(MINE, Position(), [str(n) for n in range(4500)])
    assert [script.count("delete t") for script in server.sent] == [4, 4, 1]
    assert max(script.count("as bigint))") for script in server.sent) == 2000
    server.answers["select @mine\n"] = [[(1,)]]
    assert not table.store(MINE, Position(), [str(n) for n in range(4500)]) and len(server.sent) == 4
    assert not table.store(MINE, Position(), [])


def test_members_renew_and_leave(serving: Serving) -> None:
    rows = [("member", "b", 0), ("member", "a", 0), ("lane", "3", 9), ("free", "", 2)]
    server = serving(**{
        "union all select N'free'": [rows],
        "count(*) from [dbo].[polled_member]": [[(2,)]],
        "max(t.": [[(None,)]],
    })  # fmt: skip
    table = outbox_table(DSN, OUTBOX)
    table.open(15.0)
    membership = table.renew(15.0)
    assert (membership.members, membership.lanes, membership.free) == (["a", "b"], [Lane(3, 9)], 2)
    assert not membership.alive and table.runs() == 2
    table.release(MINE)
    assert (table.mark(), table.passed("")) == ("", True)
    table.close()
    table.close()
    assert "dateadd(millisecond, cast(15.0 * 1000 as int), sysutcdatetime())" in "".join(server.sent)
    assert server.sent[-1].count(table.member) == 2
    complete(server)


def test_a_mark_is_the_greatest_order_and_passed_when_nothing_up_to_it_is_left(serving: Serving) -> None:
    server = serving(**{"max(t.": [[("7",)]], "iif(exists": [[(1,)]], "min(t.": [[("5",)]]})
    table = outbox_table(DSN, OUTBOX)
    table.open(15.0)
    assert table.mark() == "7" and not table.passed("7") and table.position() is not None
    assert "t.[sequence] <= cast(7 as bigint)" in server.sent[-2]
    assert all(script.startswith("set transaction isolation level snapshot") for script in server.sent[-3:])
    complete(server)


def test_a_database_without_versions_of_rows_is_refused(serving: Serving) -> None:
    serving(**{VERSIONS: [[(0, False)]]})
    with pytest.raises(UsageProblem, match="does not keep versions of rows") as refused:
        outbox_table(DSN, OUTBOX).open(15.0)
    assert refused.value.fix == "alter database current set allow_snapshot_isolation on"
    server = serving(**{VERSIONS: [[(0, True)]], "select top (5)": [[]]})
    table = outbox_table(DSN, OUTBOX)
    table.open(15.0)
    table.read([Lane(n, 0) for n in range(OUTBOX.delivery.lanes)], Position(), 5)
    assert server.sent[-1].startswith("select top (5)") and "where 1 = 1 and 1 = 1 order" in server.sent[-1]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"sys.columns as c where": [[("id", "char(36)", False, False, COLLATION, False, None)]]}, "no column"),
        ({"sys.indexes as i": [[(1, "id"), (1, "sequence")]]}, "no index that begins with the column 'sequence'"),
        ({"max(lane)": [[(8, 7)]]}, "delivery.lanes"),
    ],
)
def test_a_table_that_cannot_be_read_in_order_is_refused(serving: Serving, answers: dict[str, Any], why: str) -> None:
    serving(**answers)
    with pytest.raises(UsageProblem, match=why):
        outbox_table(DSN, OUTBOX).open(15.0)


def test_failed_events_are_written_behind_the_fence(serving: Serving) -> None:
    server = serving(**{"iif(@mine": [[(1,)]]})
    table = SERVER.failures(DSN, OUTBOX, Owned())  # type: ignore[misc]
    first, second = (failed(key) for key in list(lanes_of("k"))[:2])
    server.sent.clear()
    table.add([first, second, first], 2.0)
    inserted = server.sent[-1]
    digest = sha256(first.lane.encode() + b"\0id-1").hexdigest()
    assert inserted.lower().count(f"0x{digest}") == 1 and "it''s refused" in inserted
    assert inserted.index("updlock") < inserted.index("insert into") < inserted.index("commit transaction")
    assert "where @mine = 2 and @others = 0" in inserted and "order by place" in inserted
    table.begin([4, 5])
    assert (
        "select @others = count(*) from [dbo].[polled_failure] where number in (4, 5) and (key_hash % 4)"
        in server.sent[-1]
    )
    table.postpone(4, "a\0b", 2.5, dead=True, counted=False)
    assert "cause = cast(0x610000006200 as nvarchar(max)), dead = 1, attempts = attempts - 1" in server.sent[-1]
    table.delivered([4])
    complete(server)
    server.answers["iif(@mine"] = [[(0,)]]
    for write in (lambda: table.add([first], 0.0), lambda: table.begin([1]), lambda: table.delivered([1])):
        with pytest.raises(LanesLost):
            write()
    sent = len(server.sent)
    with pytest.raises(LanesLost):
        table.add([failed(next(key for key in "abcdefgh" if key_hash(key) % OUTBOX.delivery.lanes > 1))], 0.0)
    assert len(server.sent) == sent


def test_failed_events_are_read_for_the_lanes_of_the_relay(serving: Serving) -> None:
    stored = (4, "lane", "id", None, "{}", "cause", 2, True)
    server = serving(**{
        "select top (10)": [[stored]],
        "select distinct lane": [[("lane",)]],
        "sum(cast": [[(None, None)]],
        "select starts": [[(3,)]],
    })  # fmt: skip
    table = SERVER.failures(DSN, OUTBOX, Owned())  # type: ignore[misc]
    assert table.due(10, ["a", "it's"]) == [FailedEvent(*stored)]
    assert "(key_hash % 4) in (0, 1)" in server.sent[-1] and "(N'a', N'it''s', N' ')" in server.sent[-1]
    assert table.lanes() == {"lane"} and table.counts() == FailureCounts(0, 0)
    assert table.starts(None) == 3 and "NULL is null" in server.sent[-1]
    table.stopped()
    alone = SERVER.failures(DSN, OUTBOX)  # type: ignore[misc]
    alone.due(10, [])
    assert "and 1 = 1" in server.sent[-1]
    complete(server)


def test_operators_choose_dead_letters_and_have_them_sent_at_a_rate(serving: Serving) -> None:
    stored = (4, "lane", "id", None, "", "cause", 2, True, 1_000_000, None, 2_500_000)
    server = serving(**{
        "count_big(*) over ()": [[(*stored, 3, 1_500_000, 9)]],
        "select top": [[stored]],
        "select count_big": [[(1,)]],
        "select number": [[(4,)]],
        "f.row_text": [[stored]],
        "@@rowcount": [[(1,)]],
    })  # fmt: skip
    desk = SERVER.failure_desk(DSN, OUTBOX)  # type: ignore[misc]
    letters, total = desk.dead(Selection(topic="t", lane="l", key="k'"), 5)
    assert total == 1 and letters[0].failure == FailedEvent(*stored[:8])
    assert letters[0].failed_at == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC) and letters[0].tried_at is None
    assert """right(lane, len(N',"k''"]')) = N',"k''"]'""" in server.sent[-1]
    assert desk.numbers(Selection([4, 2**63, *range(600)])) == [4, 4] and "number in (0, 1, 2" in server.sent[-2]
    assert desk.event(4) == letters[0] and desk.event(2**63) is None
    assert desk.retry(list(range(501)), 10.0) == 2
    first, second = server.sent[-2:]
    assert "- 1 + 0) * cast(100000 as bigint)" in first and "- 1 + 1) * cast(100000 as bigint)" in second
    assert desk.discard([4]) == 1 and desk.discard([]) == 0
    waiting, lanes = desk.waiting(5)
    assert (lanes, waiting[0].depth, waiting[0].seconds) == (9, 3, 1.5)
    complete(server)


def test_a_deadlock_is_tried_again_and_another_refusal_is_not(serving: Serving) -> None:
    server = serving()
    table = outbox_table(DSN, OUTBOX)
    table.open(15.0)
    answer = [lambda: pymssql.OperationalError(1205, b"deadlock victim"), [(0, 5)]]
    server.answers = {"output inserted": answer, "release": []}
    assert [lane for lane, _ in table.claim(1)] == [Lane(0, 5)]
    server.answers = {"output inserted": [lambda: pymssql.OperationalError(1222, b"lock request time out")] * 3}
    with pytest.raises(DatabaseRefused):
        table.claim(1)
    server.answers = {"output inserted": [lambda: pymssql.OperationalError(229, b"denied"), [(0, 5)]]}
    with pytest.raises(DatabaseRefused) as refused:
        table.claim(1)
    assert "denied" in refused.value.why


@pytest.mark.parametrize(
    ("kind", "text", "given", "value"),
    [
        ("uniqueidentifier", "cast({} as nvarchar(max))", "cast({} as uniqueidentifier)", "0FA5"),
        ("int", "cast({} as nvarchar(50))", "cast({} as int)", 7),
        (
            "varbinary(16)",
            r"N'\x' + lower(convert(nvarchar(max), cast({} as varbinary(max)), 2))",
            "cast({} as varbinary(16))",
            b"\0\xff",
        ),
        ("float", "convert(nvarchar(50), {}, 3)", "cast({} as float)", "1.5"),
        ("datetime2(7)", "convert(nvarchar(50), {}, 126)", "cast({} as datetime2(7))", "2026-11-21T12:00:00"),
        ("varchar(40)", "cast({} as nvarchar(max))", f"cast({{}} as varchar(40)) collate {COLLATION}", "a'b"),
    ],
)
def test_a_value_is_a_text_and_a_text_a_value(kind: str, text: str, given: str, value: Any) -> None:
    form = column_form(TableColumn("c", kind, False, False, COLLATION if "varchar" in kind else None))
    assert (form.text, form.typed) == (text, given)
    assert form.bound("\\x" + value.hex() if isinstance(value, bytes) else str(value)) == value


def test_the_catalogue_is_asked_in_the_server_s_language() -> None:
    assert complaints(f"{COLUMNS};{INDEXES};{VERSIONS};".replace("%(place)s", "N'[dbo].[t]'")) == []
