"""What is said to an Oracle, and in which order, though none is at hand; and what is said of one that is not there."""

import importlib
import socket
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import oracledb
import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.databases import digest
from outbox_kit.databases.catalogue import CatalogueColumn, CatalogueTable
from outbox_kit.databases.oracle.apply import separate
from outbox_kit.databases.oracle.server import SERVER as oracle
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, OutOfTime, TableDiffers, UsageProblem
from outbox_kit.render import ddl
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.wire.copies import copies
from tests.support.presets import outbox as outbox_of
from tests.support.silent import silent

sessions = importlib.import_module("outbox_kit.databases.oracle.session")
EXAMPLE = Path(__file__).parents[2] / "examples" / "oracle.yaml"
CONTAINED, ALONE, _ = read(EXAMPLE).outboxes
ROOT = "oracle://boss:secret@db:1521/ORCLCDB"
RIGHTS = [
    *("ALTER DATABASE", "CREATE USER", "ALTER USER", "GRANT ANY PRIVILEGE", "GRANT ANY ROLE", "CREATE ANY TABLE"),
    "CREATE ANY SEQUENCE",
    *("ALTER ANY TABLE", "COMMENT ANY TABLE", "CREATE ANY INDEX", "GRANT ANY OBJECT PRIVILEGE"),
]


class Server:
    """The driver's connection and cursor in one: it writes down what is asked, and answers by words of the question."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.sizes: dict[str, Any] = {}
        self.committed = 0
        self.call_timeout = 0
        self.answers: dict[str, list[tuple[Any, ...]]] = {
            "con_name": [("CDB$ROOT",)],
            "session_privs": [(right,) for right in RIGHTS],
            "log_mode": [("ARCHIVELOG",)],
            "v$pdbs": [("READ WRITE",)],
            "from all_users where username = :own": [(1,)],
            "from dba_roles": [("SHOP",), ("Other App",), ("BOSS",)],
            "enquote_name(:word": [('"secret"', '"C##ORDERS_ORA_OUTBOX"')],
        }
        self.refuse = ""
        self.words = Said("ORA-00942", "ORA-00942: table or view does not exist")

    def cursor(self) -> "Server":
        return self

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None: ...

    def commit(self) -> None:
        self.committed += 1

    def setinputsizes(self, **sizes: Any) -> None:
        self.sizes = sizes

    def execute(self, statement: str, values: Any = None) -> None:
        self.asked.append((statement, values))
        if self.refuse and self.refuse in statement:
            raise oracledb.DatabaseError(self.words)

    def fetchall(self) -> list[tuple[Any, ...]]:
        statement = self.asked[-1][0]
        return next((rows for words, rows in self.answers.items() if words in statement), [])

    def fetchmany(self, _size: int) -> list[tuple[Any, ...]]:
        """Everything at once, and then nothing more."""
        statement = self.asked[-1][0]
        if statement.startswith("-- read"):
            return []
        found = self.fetchall()
        self.asked[-1] = (f"-- read\n{statement}", self.asked[-1][1])
        return found

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(iter(self.fetchall()), None)

    def said(self, words: str) -> list[tuple[str, Any]]:
        return [asked for asked in self.asked if words in asked[0]]


class Said:
    """What the driver tells of an error."""

    def __init__(self, full_code: str, message: str) -> None:
        self.full_code, self.message = full_code, message

    def __str__(self) -> str:
        return self.message


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    found = Server()
    monkeypatch.setattr(oracledb, "connect", lambda **_: found)
    return found


def test_a_script_is_run_statement_by_statement_after_everything_was_looked_at(server: Server) -> None:
    statements = list(separate(ddl.body(CONTAINED)))
    assert oracle.apply(ROOT, CONTAINED, ddl.body(CONTAINED)) == []
    asked = [statement for statement, _ in server.asked]
    first = asked.index(statements[0])
    assert asked[first : first + len(statements)] == statements
    assert not [one for one in asked[:first] if not one.lstrip().startswith(("select", "alter session set"))]
    assert [one for one in statements if "--" in one.partition("begin")[0]] == []
    (_, bound), *_ = server.said("listagg")
    own = {"own": "ORDERS", "box": "OUTBOX", "beat": "OUTBOX_HEARTBEAT", "feed": "OUTBOX_FEED"}
    assert bound == own | {"who": "C##ORDERS_ORA_OUTBOX", "lanes": None, "members": None, "starts": None}


def test_everything_that_stands_in_the_way_is_said_at_once(server: Server) -> None:
    server.answers |= {"session_privs": [("CREATE SESSION",)], "log_mode": [("NOARCHIVELOG",)], "v$pdbs": []}
    with pytest.raises(DatabaseRefused) as refused:
        oracle.apply(ROOT, CONTAINED, ddl.body(CONTAINED))
    said = "\n".join(refused.value.details)
    assert "no ALTER DATABASE" in said and "archivelog" in said
    assert "pluggable database 'ORCLPDB1' does not exist" in said
    assert not server.said("execute immediate")


def test_a_writer_whom_nobody_knows_is_said_before_anything_is_changed(server: Server) -> None:
    server.answers["from dba_roles"] = [("SHOP",)]
    with pytest.raises(DatabaseRefused) as refused:
        oracle.apply(ROOT, CONTAINED, ddl.body(CONTAINED))
    assert list(refused.value.details) == ["  user 'Other App' of database.writers does not exist"]
    assert not server.said("grant insert")


@pytest.mark.parametrize(
    ("outbox", "where", "said"),
    [(CONTAINED, "ORCLPDB1", "must end in /ORCLCDB"), (ALONE, "CDB$ROOT", "database.container")],
)
def test_the_wrong_container_is_refused(server: Server, outbox: Outbox, where: str, said: str) -> None:
    server.answers["con_name"] = [(where,)]
    with pytest.raises(DatabaseRefused) as refused:
        oracle.apply(ROOT, outbox, ddl.body(outbox))
    assert said in "\n".join(refused.value.details)


def test_a_failure_on_half_the_way_says_what_was_done(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.refuse = "comment on"
    facts = iter([[], [("table OUTBOX",)]])
    monkeypatch.setattr(server, "fetchall", lambda: _facts(server, facts))
    with pytest.raises(DatabaseRefused) as refused:
        oracle.apply(ROOT, CONTAINED, ddl.body(CONTAINED))
    assert refused.value.details == ("  changes before the error, which are kept:", "  + table OUTBOX")
    assert "gen-ddl --apply" in refused.value.fix


def test_a_connection_lost_on_half_the_way_says_what_was_done(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.refuse, server.words = "comment on", Said("DPY-4011", "DPY-4011: the database closed the connection")
    facts = iter([[], [("table OUTBOX",)]])
    monkeypatch.setattr(server, "fetchall", lambda: _facts(server, facts))
    with pytest.raises(DatabaseUnreachable, match="lost") as lost:
        oracle.apply(ROOT, CONTAINED, ddl.body(CONTAINED))
    assert lost.value.details == ("  changes before the error, which are kept:", "  + table OUTBOX")
    assert "run the command again" in lost.value.fix


def test_what_nobody_answers_for_is_not_called_unchanged(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.refuse, server.words = "comment on", Said("ORA-03113", "ORA-03113: end-of-file on communication channel")
    execute = server.execute

    def lose(statement: str, values: Any = None) -> None:
        try:
            execute(statement, values)
        except oracledb.DatabaseError:
            server.refuse = "alter session"  # nobody is there any more
            raise

    monkeypatch.setattr(server, "execute", lose)
    with pytest.raises(DatabaseUnreachable) as lost:
        oracle.apply(ROOT, CONTAINED, ddl.body(CONTAINED))
    assert lost.value.details == ("  unknown: changes before the error could not be read",)


def _facts(server: Server, facts: Iterator[list[tuple[str]]]) -> list[tuple[Any, ...]]:
    return next(facts) if "listagg" in server.asked[-1][0] else Server.fetchall(server)


def test_a_table_of_other_columns_is_refused(server: Server) -> None:
    server.answers["from all_tab_cols where owner = :own and table_name = :box and"] = [("ID", "raw(16)", 1, 0)]
    with pytest.raises(TableDiffers) as differs:
        oracle.apply(ROOT, CONTAINED, ddl.body(CONTAINED))
    assert "  'ID' is raw(16) not null, not varchar2(36 char) not null" in differs.value.details
    assert len(differs.value.details) == len(columns(CONTAINED))


def test_a_password_is_quoted_by_the_server_and_bound(server: Server) -> None:
    changes = oracle.apply(ROOT, CONTAINED, "", password="secret")  # noqa: S106 - no server's
    assert [change.fact for change in changes] == ["password of user C##ORDERS_ORA_OUTBOX"]
    assert server.said("enquote_name(:word")[0][1] == {"word": "secret", "who": "C##ORDERS_ORA_OUTBOX"}
    (altered,) = server.said("identified by")
    assert altered[0].endswith('"C##ORDERS_ORA_OUTBOX" identified by "secret" account unlock container=all')


def test_a_table_of_somebody_else_s_needs_types_that_the_router_takes(server: Server) -> None:
    theirs = outbox_of("spring-modulith", "oracle")
    held = {"ID": "varchar2(36 byte)", "EVENT_TYPE": "varchar2(512 byte)", "SERIALIZED_EVENT": "clob"}
    held |= {"PUBLICATION_DATE": "timestamp(6)", "LISTENER_ID": "nvarchar2"}
    server.answers["con_name"] = [("SHOP",)]
    columns_asked = "from all_tab_cols where owner = :own and table_name = :box and"
    server.answers[columns_asked] = [(name, kind, 1, 0) for name, kind in held.items()]
    oracle.apply(ROOT, theirs, ddl.body(theirs))
    assert not server.said('create table "SHOP"."EVENT_PUBLICATION"')
    server.answers[columns_asked] = [(name, kind, 1, 0) for name, kind in (held | {"ID": "raw"}).items()]
    with pytest.raises(TableDiffers) as differs:
        oracle.apply(ROOT, theirs, ddl.body(theirs))
    assert differs.value.details == ("  'ID' is raw; expected varchar2(36 char) or an equivalent type",)


def test_a_feed_takes_rights_of_its_own(server: Server) -> None:
    fed = next(one for one in read(EXAMPLE.with_name("presets.yaml")).outboxes if one.service == "tickets")
    server.answers["con_name"] = [("ORCLPDB1",)]
    with pytest.raises(DatabaseRefused) as refused:
        oracle.apply(ROOT, fed, ddl.body(fed))
    assert "no CREATE ANY TRIGGER" in "\n".join(refused.value.details)
    server.answers["session_privs"] += [("CREATE ANY TRIGGER",), ("DROP ANY TRIGGER",)]
    oracle.apply(ROOT, fed, ddl.body(fed))
    tried, dropped, made = (server.said(f'{what} trigger "SHOP"')[0][0] for what in ("replace", "drop", "replace"))
    assert " disable" in tried and '"OUTBOX_TRY"' in dropped and made


class Large:
    def read(self, offset: int, amount: int) -> str:
        return '{"n": 1}'[offset - 1 :][:amount]


def test_the_catalogue_is_read_in_words_that_all_servers_share(server: Server) -> None:
    server.answers = {
        "cdb_name": [("ORCLPDB1", "ORCLCDB")],
        "product_component_version": [("19.0.0.0.0",)],
        "all_external_tables": [("SHOP", "OUTBOX", "table", 3, 1, 1), ("SHOP", "V", "view", 0, 0, 0)],
        "virtual_column": [("SHOP", "OUTBOX", "ID", "raw(16)", 0, None), ("SHOP", "OUTBOX", "X", "clob", 1, "virtual")],
        "all_ind_columns": [("SHOP", "OUTBOX", "PK", "ID", 1, 1)],
        "all_triggers": [("SHOP", "OUTBOX", "THEIRS")],
        "all_tab_modifications": [("SHOP", "OUTBOX", 3, 2, 1)],
        "fetch first 2 rows only": [(b"\1\2", Large())],
    }
    server.answers["'con_name') from"] = [("CDB$ROOT",)]
    with pytest.raises(UsageProblem, match="root"):
        oracle.catalogue.read(ROOT)
    server.answers["'con_name') from"] = [("ORCLPDB1",)]
    found = oracle.catalogue.read(ROOT)
    table, view = found.tables
    assert (found.database, found.container, found.version) == ("ORCLPDB1", "ORCLCDB", "19.0.0.0.0")
    assert (table.title, table.rows, table.partitioned, table.triggers) == ("SHOP.OUTBOX", 3, True, ("THEIRS",))
    assert table.column("X").generated == "virtual" and table.column("ID").type == "raw(16)"
    assert table.indexes[0].primary and table.activity is not None and view.kind == "view"
    sampled = oracle.catalogue.sample(ROOT, table, "ID", rows=2, seconds=1)
    assert sampled.rows == ({"ID": b"\1\2", "X": '{"n": 1}'},)
    assert server.asked[-1][0] == ('select "ID", "X" from "SHOP"."OUTBOX" order by "ID" desc fetch first 2 rows only')


def test_a_sample_that_takes_too_long_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_statement: str) -> None:
        raise oracledb.DatabaseError(Said("DPY-4024", "DPY-4024: call timeout of 1000 ms exceeded"))

    monkeypatch.setattr(server, "execute", lambda s, *_: late(s) if "fetch first" in s else None)
    with pytest.raises(OutOfTime, match=r"no rows of 'S\.T'"):
        oracle.catalogue.sample(
            ROOT, CatalogueTable("S", "T", (CatalogueColumn("ID", "number(9)"),)), None, rows=1, seconds=1
        )


def test_the_canary_is_bound_in_the_order_of_its_columns(server: Server) -> None:
    event = uuid.uuid4()
    oracle.probe.write_canary(ROOT, CONTAINED, event)
    statement, values = server.asked[-1]
    named = [name.strip('" ') for name in statement.partition("(")[2].partition(")")[0].split(",")]
    row = dict(zip(named, values, strict=True))
    assert row["ID"] == row["AGGREGATEID"] == str(event) and row["REGION"] == "outbox-kit.canary"
    assert row["TENANT"] == " "  # an empty text would be a NULL
    assert row["URGENT"] == 0 and row["URGENT"] is not False  # a boolean the server may not know
    oracle.probe.remove_canary(ROOT, CONTAINED, event)
    assert server.asked[-1][1] == [str(event)] and server.committed == 2
    assert server.said('alter session set container = "ORCLPDB1"')


@dataclass
class Lob:
    """What the driver gives for a LOB."""

    text: str

    def read(self) -> str:
        return self.text


def test_the_ledger_asks_in_the_time_that_it_has(server: Server) -> None:
    table = oracle.ledger(ROOT, ALONE)
    held = table.comparable_parts(copies(ALONE), 3)
    assert [part.title for part in held.sampled] == ["payload"]
    row = ("a", "Order", "T", "k", "1", "Order", 5, None)
    server.answers = {"select lower": [(*row, *("k" for _ in held.digested)), (*row, *(None for _ in held.digested))]}
    numbers = [digest.number(b"a", [value] * len(held.digested)) for value in (b"k", None)]
    found = table.snapshot(held.digested, 3)
    assert (found.rows, found.oldest) == (2, 5)
    assert found.buckets == {number % digest.BUCKETS: (1, number) for number in numbers}
    assert server.call_timeout == 3000
    ((read_back,),) = table.read(held.digested, [numbers[0] % digest.BUCKETS], 3)
    assert set(read_back.values) == {"k"}
    server.answers = {"json_table": [(*row, Lob("{}"))]}
    assert table.rows_of(["a"], 3, held.sampled)["a"].values == ("{}",)
    assert server.asked[-1][1] == {"wanted": '["a"]'}
    assert server.sizes == {"wanted": oracledb.DB_TYPE_CLOB}
    assert table.rows_of([], 3) == {}
    server.answers = {"select min(": [(7,)]}
    assert (table.oldest(3), table.lowest(5, 3)) == (7, 7)


def test_a_ledger_that_takes_too_long_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_statement: str) -> None:
        raise oracledb.DatabaseError(Said("DPY-4024", "DPY-4024: call timeout of 1000 ms exceeded"))

    monkeypatch.setattr(server, "execute", lambda s, *_: late(s) if "select lower" in s else None)
    with pytest.raises(OutOfTime):
        oracle.ledger(ROOT, ALONE).snapshot((), 1)


def test_logs_that_are_kept_too_short_or_in_two_places_are_told(server: Server) -> None:
    log = {"log_mode, supplemental": [("ARCHIVELOG", "IMPLICIT", "NO")]}
    server.answers = {"v$archive_dest_status": [(2,)], "v$archived_log": [(30,)], **log}
    two, short = oracle.probe.risks(ROOT)
    assert "archive.destination.name" in two.fix and "go back 30 h" in short.text
    server.answers = {"v$archive_dest_status": [(1,)], "v$archived_log": [(None,)], **log}
    assert oracle.probe.risks(ROOT) == []
    server.answers |= {"log_mode, supplemental": [("NOARCHIVELOG", "NO", "NO")]}
    mode, least = oracle.probe.risks(ROOT)
    assert mode.text.startswith("log_mode is NOARCHIVELOG") and "supplemental_log_data_min is NO" in least.text
    assert least.fix == "alter database add supplemental log data"


@pytest.mark.parametrize(
    ("offset", "position"),
    [
        ({}, None),
        ({"scn": "100", "snapshot": "INITIAL"}, None),
        ({"scn": "100"}, 100),
        ({"scn": "100", "commit_scn": None, "snapshot_scn": "900"}, 100),
        ({"scn": "100", "commit_scn": "120:1:0a0b,130:2:0c"}, 130),
    ],
)
def test_the_position_is_that_of_the_last_commit(offset: dict[str, Any], position: int | None) -> None:
    assert oracle.probe.position(offset) == position


def test_an_address_is_told_without_its_password() -> None:
    assert sessions.address(ROOT) == "db:1521/ORCLCDB"
    assert oracle.endpoint(ROOT) == ("db", 1521, "ORCLCDB") and oracle.has_password(ROOT)
    assert oracle.endpoint("postgres://x") == (None, None, None)
    for malformed in ("mysql://db/x", "oracle://db:x/y"):
        with pytest.raises(UsageProblem):
            sessions.address(malformed)


def test_a_port_that_nobody_listens_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(DatabaseUnreachable) as unreachable, sessions.session(f"oracle://u:p@127.0.0.1:{port}/x"):
        pass
    assert "refused" in unreachable.value.why and unreachable.value.where == f"127.0.0.1:{port}/x"


def test_a_server_that_listens_and_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "CONNECT_TIMEOUT_SECONDS", 0.5)
    with silent() as port:
        address = f"oracle://u:p@127.0.0.1:{port}/x"
        with pytest.raises(DatabaseUnreachable, match="no connection") as unreachable, sessions.session(address):
            pass
        assert "no answer within 1 s" in unreachable.value.why


def test_without_the_driver_one_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "oracledb", None)
    monkeypatch.chdir(tmp_path)
    run = CliRunner(env={"OUTBOX_KIT_DSN": "oracle://u:p@localhost:1521/x"}).invoke
    made = run(app, ["init", "--service", "shop", "--dialect", "oracle", "-e", "OrderPlaced:Order"])
    assert made.exit_code == 0, made.stderr
    assert run(app, ["gen-ddl"]).exit_code == 0
    refused = run(app, ["gen-ddl", "--apply"])
    assert refused.exit_code == 2 and "pip install 'outbox-kit[oracle]'" in refused.stderr


WHO, BOX, BEAT = CONTAINED.names.role, CONTAINED.table.name, CONTAINED.names.heartbeat_table
SEEN: dict[str, list[tuple[Any, ...]]] = {
    "from all_tables": [(BOX,), (BEAT,)],
    "from all_log_groups": [(BOX,), (BEAT,)],
    "supplemental_log_data_all from": [("NO",)],
    "from dba_users": [("OPEN", "PASSWORD")],
    "from dba_sys_privs": [("CREATE SESSION",), ("LOGMINING",), ("CREATE TABLE",)],
    "from dba_tab_privs": [
        *((BOX, right) for right in ("SELECT", "FLASHBACK")),
        *((BEAT, right) for right in ("SELECT", "FLASHBACK", "INSERT", "UPDATE")),
    ],
    "from dba_role_privs": [("SELECT_CATALOG_ROLE",), ("EXECUTE_CATALOG_ROLE",)],
}


@pytest.mark.parametrize(
    ("changes", "fixes"),
    [
        ({}, []),
        ({"from dba_users": [("LOCKED(TIMED)", "PASSWORD")]}, [f'alter user "{WHO}" identified by']),
        ({"from dba_users": [("OPEN", "NONE")]}, [f'alter user "{WHO}" identified by']),
        ({"from all_tables": [(BOX,)], "from all_log_groups": []}, ["alter table", "outbox-kit gen-ddl --apply"]),
        ({"from all_log_groups": [], "supplemental_log_data_all from": [("YES",)]}, []),
        ({"from dba_sys_privs": []}, ["grant create session", "grant logmining", "grant create table"]),
        ({"from dba_sys_privs": [], "from dba_tab_privs": [], "from dba_role_privs": [("DBA",)]}, []),
        (
            {"from dba_role_privs": [("SELECT_CATALOG_ROLE",)]},
            [f'grant execute_catalog_role to "{WHO}" container=all;'],
        ),
        ({"from dba_tab_privs": SEEN["from dba_tab_privs"][1:]}, ["grant select on"]),
    ],
)
def test_doctor_examines_tables_logging_and_user(server: Server, changes: dict[str, Any], fixes: list[str]) -> None:
    server.answers = {**SEEN, **changes, **server.answers}
    seen = oracle.examine(ROOT, CONTAINED) if oracle.examine else None
    assert seen is not None and seen.examined and seen.user_exists
    stated = [*(flaw.fix for flaw in seen.flaws), *(each.sql for each in seen.lacking)]
    assert len(stated) == len(fixes), stated
    assert all(statement.startswith(fix) for statement, fix in zip(stated, fixes, strict=True)), stated


def test_a_catalogue_that_the_session_may_not_read_is_not_a_missing_user(server: Server) -> None:
    assert oracle.examine is not None
    server.answers = {**SEEN, "from all_log_groups": [(BEAT,)], **server.answers}
    server.refuse = "dba_users"
    seen = oracle.examine(ROOT, CONTAINED)
    assert not seen.examined and [flaw.fix[:11] for flaw in seen.flaws] == ["alter table"]
    server.words = Said("ORA-00904", "ORA-00904: invalid identifier")
    with pytest.raises(DatabaseRefused):
        oracle.examine(ROOT, CONTAINED)
    server.refuse, server.answers = "", {**server.answers, "from dba_users": []}
    assert not oracle.examine(ROOT, CONTAINED).user_exists
