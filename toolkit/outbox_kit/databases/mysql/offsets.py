"""The positions in a binary log at which a connector can begin; see `interface.StoredOffsets`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

import pymysql

from outbox_kit.databases.mysql.probe import position as place_of
from outbox_kit.databases.mysql.session import Session, session
from outbox_kit.databases.mysql.variant import variant_of
from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox

FILES = "show binary logs"
EVENTS = "show binlog events in %s from %s limit %s"
MOST_EVENTS = 20_000
GTIDS = "select binlog_gtid_pos(%s, %s)"
NORMALISED = "select gtid_subtract(%s, '')"
NEXT = lazy_pattern(r"GTID_NEXT= '([^']+)'")
POSITION = lazy_pattern(r"(?P<file>[^\s:/\\]+\.\d+):(?P<pos>\d+)")
BEGINNINGS = ("Gtid", "Anonymous_Gtid", "Format_desc", "Previous_gtids", "Gtid_list", "Binlog_checkpoint")
"""The events at which a connector can begin: no transaction is open before them."""
HEADER = 4
"""The position of the first event of a file."""


def missing(dsn: str, outbox: Outbox, offset: Mapping[str, Any]) -> str:  # noqa: ARG001 - a protocol's
    """See `StoredOffsets`."""
    with session(dsn) as cursor:
        files = _files(cursor)
    file, pos = str(offset["file"]), int(offset["pos"])
    if file not in files:
        return f"binary log '{file}' does not exist: the server has {' to '.join(_ends(list(files)))}"
    return f"binary log '{file}' ends at {files[file]}, before {pos}" if pos > files[file] else ""


def parse(dsn: str, outbox: Outbox, position: str) -> Mapping[str, Any]:
    """See `StoredOffsets`."""
    match = POSITION.fullmatch(position.strip())
    if match is None:
        raise UsageProblem(
            f"invalid position '{position}': expected FILE:POSITION, such as binlog.000003:157",
            fix="list the files: show binary logs; and the positions in one: show binlog events in 'binlog.000003'",
        )
    offset: dict[str, Any] = {"file": match["file"], "pos": max(int(match["pos"]), HEADER)}
    if reason := missing(dsn, outbox, offset):
        raise UsageProblem(f"no position '{position}': {reason}")
    with session(dsn) as cursor:
        try:
            cursor.execute(EVENTS, (offset["file"], offset["pos"], 1))
            event = cursor.fetchone()
        except pymysql.err.MySQLError as cause:
            if cause.args[:1] != (pymysql.constants.ER.ERROR_WHEN_EXECUTING_COMMAND,):
                raise
            event = ("", 0, "no event")
    if event is not None and event[2] not in BEGINNINGS:
        raise UsageProblem(
            f"no transaction begins at position '{position}': the log has {event[2]} there",
            fix=f"choose the position of an event Gtid or Anonymous_Gtid: show binlog events in '{offset['file']}'",
        )
    return {**offset, **_gtids(dsn, outbox, offset)}


def _gtids(dsn: str, outbox: Outbox, offset: Mapping[str, Any]) -> Mapping[str, Any]:
    """The transactions before a position, without which a connector fails; none if the server numbers none."""
    with session(dsn) as cursor:
        if variant_of(outbox).finds_gtids:
            cursor.execute(GTIDS, (offset["file"], offset["pos"]))
        else:
            earlier = takewhile(lambda event: event[1] < offset["pos"], _events(cursor, offset["file"], HEADER))
            texts = [str(text) for _, _, kind, _, _, text in earlier if kind in ("Previous_gtids", "Gtid")]
            names = [match[1] if (match := NEXT.search(text)) else text for text in texts]
            cursor.execute(NORMALISED, (",".join(name for name in names if ":" in name),))
        row = cursor.fetchone()
    gtids = "".join(str(row[0] or "").split()) if row else ""
    return {"gtids": gtids} if gtids else {}


def _events(cursor: Session, file: str, start: int) -> Iterator[tuple[Any, ...]]:
    """The events of a file from a position on: file, position, kind, server, end, text."""
    while True:
        cursor.execute(EVENTS, (file, start, MOST_EVENTS))
        events = cursor.fetchall()
        yield from events
        if len(events) < MOST_EVENTS:
            return
        start = int(events[-1][4])


def repeated(dsn: str, outbox: Outbox, first: Mapping[str, Any], last: Mapping[str, Any]) -> str:
    """See `StoredOffsets`: the statements that have inserted rows of the table, if the log is not too long."""
    table, end, seen = f"({outbox.names.schema}.{outbox.table.name})", place_of(last) or 0, 0
    inserts, current = 0, ""
    with session(dsn) as cursor:
        begin = place_of({"file": first["file"], "pos": 0}) or 0
        files = [file for file in _files(cursor) if (place_of({"file": file, "pos": 0}) or 0) >= begin]
        for file in files:
            cursor.execute(EVENTS, (file, first["pos"] if file == first["file"] else HEADER, MOST_EVENTS))
            for _, pos, kind, _, _, text in cursor.fetchall():
                place = place_of({"file": file, "pos": pos}) or 0
                # an offset may be within the transaction that begins at its position
                if (place > end and kind in BEGINNINGS) or (place == end and not last.get("row")):
                    return f"{inserts:,} inserts into the table"
                seen += 1
                current = str(text) if kind == "Table_map" else current
                inserts += kind.startswith("Write_rows") and current.endswith(table)
            if seen >= MOST_EVENTS:
                return f"more than {inserts:,} inserts into the table"
    return f"{inserts:,} inserts into the table"


def _files(cursor: Session) -> dict[str, int]:
    """The files of the log, the oldest first, with their lengths in bytes."""
    cursor.execute(FILES)
    return {str(row[0]): int(row[1]) for row in cursor.fetchall()}


def _ends(files: Sequence[str]) -> Sequence[str]:
    return [*dict.fromkeys((files[0], files[-1]))] if files else ["none"]
