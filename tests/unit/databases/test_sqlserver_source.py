"""What is sent to a SQL Server, without one: which statements, in which order, with which values; and how it ends."""

import sys
import uuid
from collections.abc import Callable
from typing import Any

import pymssql
import pytest
from pymssql import _mssql

from outbox_kit.databases import servers
from outbox_kit.databases.catalogue import Activity
from outbox_kit.databases.sqlserver import catalogue, ledger, objects, probe
from outbox_kit.databases.sqlserver.apply import apply
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.databases.sqlserver.session import session
from outbox_kit.doctor.observe import SystemAccess, observe
from outbox_kit.doctor.rule import findings
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, OutOfTime, TableDiffers, UsageProblem
from outbox_kit.render import ddl
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.copies import copies
from outbox_kit.wire.parts import MessagePart
from tests.support import example_files
from tests.support.presets import KNOWN
from tests.support.presets import outbox as outbox_of
from tests.support.silent import silent
from tests.unit.render.tsql import complaints

OUTBOX, ODD = example_files.of("sqlserver")
PASSWORD = "it's one"  # noqa: S105 - of a server that is none
DSN = "sqlserver://boss@db.internal:1433/shop"
ID = uuid.UUID("0189a5c2-0000-7000-8000-0000000000ff")


class Server:
    """Stands for the driver and for the server behind it. answers: rows by a part of the statement."""

    def __init__(self, **answers: Any) -> None:
        self.answers, self.sent, self.connected = answers, [], {}
        self.Error, self.InterfaceError = pymssql.Error, pymssql.InterfaceError
        self.found: list[Any] = []

    def connect(self, **given: Any) -> "Server":
        self.connected = given
        return self

    def cursor(self) -> "Server":
        return self

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, statement: str, values: Any = None) -> None:
        whole = statement if values is None else _mssql.substitute_params(statement, values, charset="utf-8").decode()
        self.sent.append(whole)
        answer = next((rows for part, rows in self.answers.items() if part in whole), [])
        if isinstance(answer, Exception):
            raise answer
        self.found = list(answer.pop(0) if answer and isinstance(answer[0], list) else answer)

    def fetchall(self) -> list[Any]:
        return self.found

    def fetchmany(self, size: int) -> list[Any]:
        found, self.found = self.found[:size], self.found[size:]
        return found

    def fetchone(self) -> Any:
        return self.found[0] if self.found else None

    def nextset(self) -> None:
        return None

    def close(self) -> None:
        pass


Serving = Callable[..., Server]


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Serving:
    """Puts a server with these answers in the driver's place."""

    def make(**answers: Any) -> Server:
        server = Server(**answers)
        monkeypatch.setitem(sys.modules, "pymssql", server)
        monkeypatch.setenv("SQLCMDPASSWORD", PASSWORD)
        return server

    return make


def refused(number: int, text: str) -> pymssql.Error:
    tail = "DB-Lib error message 20018, severity 16:\nGeneral SQL Server error: Check messages from the SQL Server\n"
    return pymssql.OperationalError(number, (text + tail).encode())


@pytest.mark.parametrize("outbox", [OUTBOX, ODD], ids=lambda outbox: outbox.service)
def test_every_statement_is_in_the_server_s_language_with_its_values_in_it(serving: Serving, outbox: Outbox) -> None:
    server = serving(**{probe.CAPTURED_TO: [(b"\x00" * 9 + b"\x07",)], "select min(": [(None,)]})
    assert probe.log_position(DSN, outbox) == 7
    probe.write_heartbeat(DSN, outbox)
    probe.heartbeat_age(DSN, outbox)
    probe.missing_from_publication(DSN, outbox)
    probe.write_canary(DSN, outbox, ID)
    probe.remove_canary(DSN, outbox, ID)
    table = ledger.TableLedger(DSN, outbox)
    copied = copies(outbox)
    table.comparable_parts(copied, 3)
    table.snapshot(copied, 3)
    list(table.read(copied, [1, 255], 3))
    list(table.read(copied, None, 3))
    table.rows_of([str(ID), "it's"], 3, copied)
    table.lowest(5, 3)
    apply(DSN, outbox, "select 1", password=PASSWORD)
    whole = ";\n".join(server.sent) + ";\n"
    assert complaints(whole.replace("alter login", "-- alter login")) == []
    assert "N'it''s one'" in whole and "%s" not in whole and "%(" not in whole


def test_the_tables_are_looked_at_first_and_what_changed_is_told(serving: Serving) -> None:
    server = serving(**{"collate database_default": [[("table outbox",)], [("table outbox",), ("login x, disabled",)]]})
    found = apply(DSN, OUTBOX, ddl.body(OUTBOX), password=PASSWORD)
    assert [(one.sign, one.fact) for one in found] == [
        ("+", "login x, disabled"),
        ("~", "password of login orders_ms_outbox"),
    ]
    looked, before, script, *secret, after = server.sent
    assert "sys.columns c join sys.types" in looked and before == after
    assert script == ddl.body(OUTBOX)
    assert secret == [
        "alter login [orders_ms_outbox] with password = N'it''s one'",
        "alter login [orders_ms_outbox] enable",
    ]
    assert server.connected["database"] == "shop" and server.connected["autocommit"] is True
    assert server.connected["password"] == PASSWORD and server.connected["encryption"] == "require"


def test_what_was_changed_before_a_refusal_is_told_with_it(serving: Serving) -> None:
    facts = [[("table outbox",)], [("table outbox",), ("capture of outbox",)]]
    serving(**{"collate database_default": facts, "sp_cdc": refused(15247, "User does not have permission. ")})
    with pytest.raises(DatabaseRefused) as told:
        apply(DSN, OUTBOX, ddl.body(OUTBOX))
    assert told.value.why == "User does not have permission."
    assert "grant the privilege" in told.value.fix and "  + capture of outbox" in "\n".join(told.value.details)


def test_a_table_of_other_columns_is_refused_and_the_own_one_is_not(serving: Serving) -> None:
    held = [(c.name, SQLSERVER.types[c.kind], int(c.required), int(bool(c.filled))) for c in columns(OUTBOX)]
    serving(**{"sys.types": held})
    apply(DSN, OUTBOX, "select 1")
    server = serving(**{"sys.types": [("id", "uniqueidentifier", 1, 0), *held[1:]]})
    with pytest.raises(TableDiffers) as told:
        apply(DSN, OUTBOX, "select 1")
    assert "'id' is uniqueidentifier not null, not char(36) not null" in "\n".join(told.value.details)
    assert "select 1" not in server.sent


@pytest.mark.parametrize(("preset", "dialect"), [one for one in KNOWN if one[1] == SQLSERVER.name])
def test_a_table_of_somebody_else_s_is_a_ledger_too(serving: Serving, preset: str, dialect: str) -> None:
    theirs, server = outbox_of(preset, dialect), serving()
    table = ledger.TableLedger(DSN, theirs)
    copied = copies(theirs)
    table.comparable_parts(copied, 3)
    table.snapshot(copied, 3)
    list(table.read(copied, [1, 255], 3))
    assert complaints(";\n".join(server.sent) + ";\n") == []
    assert ("canary" in server.sent[-1]) is not theirs.table.existing
    assert f"cast({SQLSERVER.quote_ident(theirs.table.columns.id)} as nvarchar(max))" in server.sent[-1]


def test_the_catalogue_is_read_in_words_that_all_servers_share(serving: Serving) -> None:
    server = serving(**{
        "ProductVersion": [("16.0.1000.6",)],
        "is_memory_optimized": [(7, "dbo", "outbox", "table", 3, 0, 1), (9, "dbo", "v", "view", 0, 0, 0)],
        "sys.computed_columns": [(7, "id", "uniqueidentifier", False, ""), (7, "key", "nvarchar", True, "virtual")],
        "sys.index_columns": [(7, 1, "id", True, True, ""), (7, 2, "key", False, False, "([key] IS NOT NULL)")],
        "sys.triggers": [(7, "theirs")],
        "operational_stats": [(7, 3, 2, 1)],
        "select top": [("0FA5", "7")],
    })  # fmt: skip
    found = catalogue.read(DSN)
    table, view = found.tables
    assert (found.dialect, found.database, found.version) == ("sqlserver", "shop", "16.0.1000.6")
    assert (table.title, table.rows, table.referenced, table.triggers) == ("dbo.outbox", 3, True, ("theirs",))
    assert table.column("key").generated == "virtual" and not table.column("id").nullable
    assert [(one.columns, one.primary, bool(one.predicate)) for one in table.indexes] == [
        (("id",), True, False),
        (("key",), False, True),
    ]
    assert table.activity == Activity(3, 2, 1) and view.kind == "view" and view.activity is None
    assert catalogue.sample(DSN, table, "id", rows=2, seconds=1).rows == ({"id": "0FA5", "key": "7"},)
    assert complaints(";\n".join(server.sent) + ";\n") == []
    with pytest.raises(UsageProblem, match="names no database"):
        catalogue.read("sqlserver://boss@db.internal")


def test_who_may_not_see_what_was_counted_sees_the_rest_and_a_lock_is_out_of_time(serving: Serving) -> None:
    serving(**{
        "ProductVersion": [("16.0",)],
        "is_memory_optimized": [(7, "dbo", "outbox", "table", 3, 0, 0)],
        "operational_stats": refused(300, "VIEW DATABASE STATE permission was denied."),
        "select top": refused(1222, "Lock request time out period exceeded."),
    })  # fmt: skip
    (table,) = catalogue.read(DSN).tables
    assert table.activity is None
    with pytest.raises(OutOfTime, match=r"no rows of 'dbo\.outbox'"):
        catalogue.sample(DSN, table, None, rows=2, seconds=1)


def test_a_percent_sign_in_a_name_is_one_with_values_and_without(serving: Serving) -> None:
    server = serving()
    odd = OUTBOX.model_copy(update={"table": OUTBOX.table.model_copy(update={"name": "50%s"})})
    ledger.TableLedger(DSN, odd).snapshot((), 3)
    list(ledger.TableLedger(DSN, odd).read((), [1], 3))
    probe.write_canary(DSN, odd, ID)
    probe.remove_canary(DSN, odd, ID)
    assert [one.count("[dbo].[50%s] ") for one in server.sent if "[dbo]" in one] == [1, 1, 1, 1]


def test_the_ledger_s_answers_are_rows_and_sums(serving: Serving) -> None:
    row = (str(ID), "Order", "OrderPlaced", "7", "1", "Order", 1_700_000_000_000, None)
    serving(**{
        "count_big": [(255, 2, 510, 5), (7, 1, 7, 3)],
        "Order by": [],
        "null, ": [(*row, "7")],
        "null from": [row],
        "data_type": [("key", "nvarchar"), ("at", "datetime2")],
        "min(datediff_big": [(3,)],
        "min([sequence])": [(None,)],
    })  # fmt: skip
    table = ledger.TableLedger(DSN, OUTBOX)
    found = table.snapshot((), 3)
    assert (found.rows, found.buckets, found.oldest) == (3, {255: (2, 510), 7: (1, 7)}, 3)
    key = MessagePart("key", "", "key", "text")
    (((read_back,),),) = (list(table.read([key], [255], 3)),)
    assert (read_back.milliseconds, read_back.values) == (1_700_000_000_000, ("7",))
    assert table.rows_of([str(ID)], 3)[str(ID)].milliseconds == 1_700_000_000_000 and table.rows_of([], 3) == {}
    assert (table.oldest(3), table.lowest(5, 3)) == (3, None)
    assert table.comparable_parts([key], 3).digested == (key,)
    theirs = OUTBOX.model_copy(update={"table": OUTBOX.table.model_copy(update={"existing": True})})
    several = [key, MessagePart("header", "at", "at", "text"), MessagePart("payload", "", "key", "bytes")]
    assert ledger.TableLedger(DSN, theirs).comparable_parts(several, 3).digested == (key,)


def test_a_locked_table_is_out_of_time_and_a_lost_session_unreachable(serving: Serving) -> None:
    serving(count_big=refused(1222, "Lock request time out period exceeded."))
    with pytest.raises(OutOfTime):
        ledger.TableLedger(DSN, OUTBOX).snapshot((), 1)
    serving(datediff_big=refused(20003, ""))
    with pytest.raises(DatabaseUnreachable, match="lost"):
        probe.heartbeat_age(DSN, OUTBOX)


def test_a_position_is_one_that_was_stored_while_streaming() -> None:
    assert probe.position({"commit_lsn": "00000025:00000d98:00a2"}) == 0x0000002500000D9800A2
    assert probe.position({"commit_lsn": "00000025:00000d98:00a2", "snapshot": "INITIAL"}) is None
    assert probe.position({"commit_lsn": "NULL"}) is None and probe.position({}) is None


def test_a_heartbeat_is_as_old_as_what_was_captured_last(serving: Serving) -> None:
    serving(beat_at=[(2_000, 90_500)])
    assert probe.heartbeat_age(DSN, OUTBOX) == 90.5
    serving(beat_at=[(None, None)])
    assert probe.heartbeat_age(DSN, OUTBOX) is None


def test_what_is_not_captured_is_named(serving: Serving) -> None:
    serving(is_tracked_by_cdc=[("outbox",)])
    assert probe.missing_from_publication(DSN, OUTBOX) == ["dbo.outbox_heartbeat"]


CAPTURE, CLEANUP = (1, "capture", "c", 500, 10, 1, 5, 0, 0), (2, "cleanup", "c", 0, 0, 0, 0, 7200, 5000)


@pytest.mark.parametrize(
    ("state", "jobs", "told"),
    [
        ((1, 0, 7), [CAPTURE, CLEANUP], []),
        ((1, 0, None), [CAPTURE, CLEANUP], []),
        ((1, 1, None), [CLEANUP], []),
        ((1, 0, 7), [CLEANUP], ["the capture job does not exist"]),
        ((1, 0, 3600), [CAPTURE, CLEANUP], ["has not read the log for 60 min"]),
        ((1, 0, 3600), [(*CAPTURE[:6], 3600, 0, 0), CLEANUP], []),
        ((1, 0, 7), [CAPTURE], ["the cleanup job does not exist"]),
        ((1, 0, 7), [CAPTURE, (*CLEANUP[:7], 4320, 5000)], ["deleted after 72.0 h"]),
        ((0, 0, 7), [CAPTURE, CLEANUP], ["read_committed_snapshot is off"]),
    ],
)
def test_what_keeps_events_from_the_connector_is_said(
    serving: Serving, state: tuple[Any, ...], jobs: list[tuple[Any, ...]], told: list[str]
) -> None:
    server = serving(is_cdc_enabled=[state], sp_cdc_help_jobs=jobs)
    found = [risk.text for risk in probe.risks(DSN)]
    assert len(found) == len(told) and all(part in one for part, one in zip(told, found, strict=True))
    assert complaints(";\n".join(server.sent)) == [] and server.connected["database"] == "shop"


def test_doctor_examines_what_is_captured(serving: Serving) -> None:
    names = [(OUTBOX.names.database,)]
    tables = [("outbox",), (OUTBOX.names.heartbeat_table,)]
    stopped = [(1, 0, 3600)]
    jobs = {"is_cdc_enabled": stopped, "sp_cdc_help_jobs": [CLEANUP]}
    serving(**SEEN, **{"db_name()": names, "is_tracked_by_cdc": tables}, **jobs, beat_at=[(4_000_000, 10)])
    seen = observe(OUTBOX, SystemAccess(DSN, None, None))
    assert seen.capture is not None, seen.unanswered
    assert (seen.capture.missing, seen.capture.heartbeat_seconds) == ([], 4000.0)
    assert [risk.fix for risk in seen.capture.risks] == ["exec sys.sp_cdc_add_job N'capture'"]
    found, _ = findings(seen)
    assert [finding.id for finding in found] == ["DOC-CAPTURE-02"]


USER = OUTBOX.names.role
GATE = f"{USER}_gate"
SEEN: dict[str, Any] = {
    "VIEW DEFINITION": [(1, 1)],
    "sys.server_principals": [(0,)],
    "with held": [(USER,), (GATE,)],
    "select name, is_tracked": [("outbox", 1), (OUTBOX.names.heartbeat_table, 1)],
    "cdc.change_tables": [("outbox", GATE), (OUTBOX.names.heartbeat_table, None)],
    "sys.database_permissions": [
        ("select", "dbo", "outbox"),
        ("select", "dbo", OUTBOX.names.heartbeat_table),
        ("update", "dbo", OUTBOX.names.heartbeat_table),
    ],
}


@pytest.mark.parametrize(
    ("changes", "fixes"),
    [
        ({}, []),
        ({"sys.server_principals": [(1,)]}, [f"alter login [{USER}] with password"]),
        ({"sys.server_principals": []}, []),
        ({"with held": [(USER,), ("db_owner",)], "sys.database_permissions": []}, []),
        ({"with held": [(USER,)]}, [f"alter role [{GATE}] add member [{USER}]"]),
        ({"sys.database_permissions": [("control", "dbo", None)]}, []),
        ({"sys.database_permissions": [("select", "other", None), ("select", None, None)]}, ["grant update on [dbo]."]),
        (
            {"with held": [(USER,), (GATE,), ("db_datareader",)], "sys.database_permissions": []},
            [f"grant update on [dbo].[{OUTBOX.names.heartbeat_table}] to [{USER}];"],
        ),
        (
            {"select name, is_tracked": [("outbox", 0)], "sys.database_permissions": []},
            ["grant select on [dbo].[outbox]"],
        ),
    ],
)
def test_the_user_of_the_connector_is_examined(serving: Serving, changes: dict[str, Any], fixes: list[str]) -> None:
    server = serving(**{**SEEN, **changes})
    seen = objects.examine(DSN, OUTBOX)
    stated = [*(flaw.fix for flaw in seen.flaws), *(each.sql for each in seen.lacking)]
    assert seen.examined and seen.user_exists and len(stated) == len(fixes), stated
    assert all(statement.startswith(fix) for statement, fix in zip(stated, fixes, strict=True)), stated
    assert complaints(";\n".join(server.sent)) == []
    assert ("cdc.change_tables" in "".join(server.sent)) == any(
        row[1] for row in {**SEEN, **changes}["select name, is_tracked"]
    )


def test_what_the_session_may_not_see_is_not_reported_as_missing(serving: Serving) -> None:
    server = serving(**{**SEEN, "VIEW DEFINITION": [(0, 0)]})
    assert not objects.examine(DSN, OUTBOX).examined and len(server.sent) == 1
    server = serving(**{**SEEN, "VIEW DEFINITION": [(1, 0)], "sys.server_principals": [(1,)]})
    assert objects.examine(DSN, OUTBOX).flaws == [] and "server_principals" not in "".join(server.sent)
    serving(**{**SEEN, "with held": []})
    assert not objects.examine(DSN, OUTBOX).user_exists


def test_a_database_without_captures_has_no_warnings(serving: Serving) -> None:
    server = serving(is_cdc_enabled=[])
    assert probe.risks(DSN) == [] and len(server.sent) == 1
    assert probe.risks("sqlserver://boss@db.internal") == [] and len(server.sent) == 1


def test_a_server_that_is_not_there_or_never_answers_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["outbox_kit.databases.sqlserver.session"], "LOGIN_SECONDS", 1)
    with silent() as port:
        for asked, why in ((port, "no answer within"), (1, "127.0.0.1")):
            with (
                pytest.raises(DatabaseUnreachable) as told,
                session(f"sqlserver://x@127.0.0.1:{asked}", "shop"),
            ):
                pass
            assert told.value.where == f"127.0.0.1:{asked}" and why in told.value.why
            assert "\n" not in told.value.why and "DB-Lib" not in told.value.why


@pytest.mark.parametrize(
    "dsn", ["mysql://x@h/d", "sqlserver://x@h:port/d", "host=h", "sqlserver://x@h/d?encrypt=perhaps"]
)
def test_an_address_that_is_none_is_refused(dsn: str) -> None:
    with pytest.raises(UsageProblem), session(dsn, "shop"):
        pass


def test_without_the_driver_all_but_the_server_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymssql", None)
    assert servers.get("sqlserver").endpoint(DSN) == ("db.internal", 1433, "shop")
    assert servers.get("sqlserver").has_password("sqlserver://a:b@h/d")
    with pytest.raises(UsageProblem) as told:
        probe.write_heartbeat(DSN, OUTBOX)
    assert told.value.fix == "pip install 'outbox-kit[sqlserver]'"
    assert OUTBOX.names.database == "shop"
