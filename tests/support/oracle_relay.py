"""Stands for an Oracle that relays read: it writes down each script, and answers by words of it."""

import importlib
from collections.abc import Sequence
from typing import Any

import oracledb
import pytest

from outbox_kit.databases.failures import FailedEvent, Selection
from outbox_kit.databases.oracle.server import SERVER
from outbox_kit.databases.polling import Lane, OwnedLanes, Position
from outbox_kit.schema.model import Outbox

DSN = "oracle://boss:secret@db:1521/service"
TYPES = {
    **{"SENT_AT": "timestamp(6) with time zone", "ATTEMPTS": "number(9)", "CAUSE": "clob", "IS_SENT": "number(1)"},
    **{"TRIES": "number(9)", "PROBLEM": "varchar2(4000 byte)", "DUE_AT": "date", "ENDS_AT": "timestamp(6)"},
    "WRITTEN_AT": "timestamp(6)",
    "SEQUENCE": "number(18)",
    "VERSION": "number(18)",
    "CREATED_AT": "timestamp(6)",
    "At": "timestamp(6)",
}
MINE = [Lane(1, 7), Lane(0, 5)]
STORED = (4, "lane", "id", None, None, "cause", 2, 1, 1_000_000, None, 2_500_000)


class Owned(OwnedLanes):
    """Lanes 0 and 1 with epochs 5 and 7, of a member `me`."""

    member = "me"

    def __call__(self) -> Sequence[int]:
        return [lane.number for lane in MINE]

    def lanes(self) -> Sequence[Lane]:
        return MINE


class OracleServer:
    """The driver's connection and cursor in one. answers: the rows of a script by a part of it, or an error."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers, self.sent, self.bound, self.sizes = answers, [], [], {}
        self.rolled_back = self.call_timeout = 0
        self.rows: Any = None

    def cursor(self) -> "OracleServer":
        return self

    def __enter__(self) -> "OracleServer":
        return self

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None: ...

    def rollback(self) -> None:
        self.rolled_back += 1

    def setinputsizes(self, **sizes: Any) -> None:
        self.sizes = sizes

    def execute(self, script: str, values: Any = None) -> None:
        self.sent.append(script)
        self.bound.append(values)
        self.rows = next((rows for part, rows in self.answers.items() if part in script), None)
        if self.rows and callable(self.rows[0]):
            raise self.rows.pop(0)()

    @property
    def description(self) -> Any:
        return None if self.is_block or self.rows is None else "columns"

    @property
    def is_block(self) -> bool:
        return self.sent[-1].lstrip().startswith(("declare", "begin"))

    def getimplicitresults(self) -> list["OracleServer"]:
        return [self] if self.rows is not None else []

    def fetchall(self) -> Any:
        return self.rows

    def fetchone(self) -> Any:
        return self.rows[0]


def answers_of(outbox: Outbox) -> dict[str, Any]:
    """What a server with the tables of an outbox answers."""
    marks = [name for name, _ in outbox.mark.places()] if outbox.mark else []
    columns = [
        (name, TYPES.get(name, "varchar2(255 char)"), int(name in marks), int(name == "SEQUENCE"), 0, None)
        for name in [*outbox.column_names, *marks]
    ]
    key = "SEQUENCE" if "SEQUENCE" in outbox.column_names else outbox.table.columns.id
    return {
        "con_name": [("PDB",)],
        "max(lane)": [(outbox.delivery.lanes, outbox.delivery.lanes - 1)],
        "NLS_CHARACTERSET": [("AL32UTF8",)],
        "is_cluster_database": [],
        "all_tab_cols": columns,
        "all_ind_columns": [("I", key), ("J", outbox.table.columns.id)],
        "union all select 'free'": [("member", "a", 0), ("lane", "3", 9), ("free", None, 2)],
        "odcinumberlist": [(1, 7), (0, 5)],
        "fetch first :most rows only\n) o": [(*STORED, 3, 1_500_000, 9)],
        "select ours from dual": [(2,)],
        "select done from dual": [(1,)],
        "select changed from dual": [(1,)],
        "select s.starts": [(3,)],
        "select sum(dead)": [(None, None)],
        "select max(": [("7",)],
        "to_char(max(": [("7",)],
        "to_char(min(": [("5",)],
        "case when exists (select 1": [(1,)],
        "select count(*)": [(1,)],
        "select lane from": [("lane",)],
        " f where": [STORED],
        "from dual union all": [STORED],
        " stored\nwhere": [STORED[:8]],
        'select "NUMBER", event_id': [(4, "it's")],
        'select "NUMBER"': [(4,)],
        "fetch first :most": [],
    }


def serving(patch: pytest.MonkeyPatch, answers: dict[str, Any]) -> OracleServer:
    """Puts a server with these answers in the driver's place."""
    server = OracleServer(answers)
    patch.setattr(oracledb, "connect", lambda **_: server)
    patch.setattr("outbox_kit.databases.scripts.RETRY_SECONDS", (0, 0))
    return server


def relayed(outbox: Outbox) -> list[str]:
    """Every script that the relays of an outbox, and its operators, send."""
    importlib.import_module("outbox_kit.databases.oracle.session")
    with pytest.MonkeyPatch.context() as patch:
        server = serving(patch, answers_of(outbox))
        table = SERVER.polled(DSN, outbox)  # type: ignore[misc]
        table.open(15.0)
        table.renew(15.0)
        table.claim(4)
        table.read(MINE, Position(), 5000)
        table.read([Lane(n, 0) for n in range(outbox.delivery.lanes)], Position(), 5000)
        table.store(MINE, Position(), ["7", "8"])
        table.passed(table.mark())
        table.position()
        table.runs()
        table.release(MINE)
        table.close()
        failures = SERVER.failures(DSN, outbox)  # type: ignore[misc]
        failures.add([FailedEvent(0, f"lane {n}", f"{n}", None, "{}", "cause") for n in range(2)], 2.5)
        for table_of in (failures, SERVER.failures(DSN, outbox, Owned())):  # type: ignore[misc]
            table_of.begin([4, 5])
            table_of.postpone(4, "cause", 2.5, dead=True, counted=False)
            table_of.delivered([4])
            table_of.due(10, ["a"])
            table_of.lanes()
            table_of.counts()
        failures.starts(None)
        failures.stopped()
        desk = SERVER.failure_desk(DSN, outbox)  # type: ignore[misc]
        desk.dead(Selection([4], "t", "l", "k"), 5)
        desk.numbers(Selection())
        desk.event(4)
        desk.retry([4], 10.0)
        desk.discard([4])
        desk.waiting(5)
        return [script for script in server.sent if not script.startswith("alter session")]
