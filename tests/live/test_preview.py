"""The preview of a live row, beside the message that the real pipeline makes of it."""

import json
import re
import uuid
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.live.consumed import as_previewed, consumed, named

EXTRA = """
table:
  extra:
    - {name: note, required: false}
    - {name: shard, kind: integer, to: partition}
    - {name: total, kind: bigint}
    - {name: urgent, kind: boolean}
    - {name: cause, kind: uuid, required: false, as: causation-id}
connect:
  heartbeat_ms: 500
  config:
    poll.interval.ms: "100"
    column.exclude.list: ""
    extended.headers.enabled: "true"
    transforms.outbox.table.fields.additional.placement: >-
      type:header:eventType,note:header,shard:partition,total:header,urgent:header,cause:header:why,created_at:header,{typed}
"""
# columns of every type that the connector's table of types knows, each with values at its edges
TYPED = {
    "timestamptz(0)": "2026-11-21 12:00:00+01",
    "timestamptz(3)": "2026-11-21 12:00:00.120+01",
    "timestamp(0)": "2026-11-21 12:00:00",
    "timestamp(3)": "2026-11-21 12:00:00.123",
    "timestamp": "1969-12-31 23:59:59.999999",
    "date": "1969-12-30",
    "time": "23:59:59.999999",
    "time(3)": "01:02:03.004",
    "numeric(10,2)": "-12.50",
    "numeric": "123456789012345678901234567890.123",
    "smallint": "-32768",
    "real": "0.1",
    "double precision": "1e22",
    "varchar(20)": "text ",
    "char(5)": "ab",
    "bytea": "\\x00ff",
    "jsonb": '{"b": 1, "a": 2}',
    "boolean": "f",
    "timestamp(6)": "2026-11-21 12:00:00.5",
    "time(6)": "01:02:00.5",
    "time(0)": "01:02:00",
    "timestamp(4)": "2026-11-21 12:00:00.12",
}
COLUMNS = "id, aggregatetype, aggregateid, type, payload, note, shard, total, urgent, cause, created_at"
CAUSE = "0F3c2b5e-1111-4222-8333-444455556666"
ROWS = (
    ("Zürich 7", '{"a": 1.50,\n "b": "\\u00e9 \U0001f600"}', "7", 0, 2**63 - 1, True, CAUSE, "2026-11-21 12:00:00+01"),
    ("", "[]", "[1, 2]", 5, -1, False, None, "2026-03-29 01:30:00.123450-05:30"),
    (" b", "{}", "x: 'y'", 3, 0, True, CAUSE.lower(), "1969-12-31 23:59:59.999999Z"),
    ("d", '"text"', None, 1, 10, False, None, "infinity"),
    ("e", "1e5", "true", 1, 10, False, None, "2026-11-21 12:00:00.5Z"),
)


MODES = (
    "",
    "time.precision.mode: connect, decimal.handling.mode: double, binary.handling.mode: hex",
    "time.precision.mode: microseconds, decimal.handling.mode: string, binary.handling.mode: base64",
    "time.precision.mode: nanoseconds, binary.handling.mode: base64-url-safe",
    "time.precision.mode: isostring",
    "time.precision.mode: adaptive_time_microseconds",
)


CONTEXT = ["connectorLogicalName", "taskId", "connectorName", "runId"]


def separated(headers: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Debezium's own headers, which are the first, and the others."""
    own = len(CONTEXT)
    assert not any(header["name"].startswith("__debezium.") for header in headers[own:])
    return headers[:own], headers[own:]


@pytest.mark.parametrize("modes", MODES)
def test_a_live_row_is_previewed_as_it_will_arrive(stack: Stack, database: Database, kit: Kit, modes: str) -> None:
    service = database.name
    address = ("--host", stack.postgres_host, "--port", str(stack.postgres_port))
    kit("init", "--service", service, *address, "-e", "OrderPlaced:Order")
    path = Path("outbox.yaml")
    typed = ",".join(f"c{number}:header" for number in range(len(TYPED)))
    chosen = "".join(f"    {mode}\n" for mode in modes.split(", ") if mode)
    extra = EXTRA.replace("{typed}", typed) + chosen
    path.write_text(f'{path.read_text()}routing: {{topic: "{service}.{{aggregate}}"}}\n{extra}')
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    with psycopg.connect(database.dsn) as connection:
        connection.execute("alter table outbox add unread inet default '::1'")  # a type that our table has not
        for number, (kind, value) in enumerate(TYPED.items()):
            connection.execute(f"alter table outbox add c{number} {kind} default '{value}'")
    ids = [str(uuid.uuid4()) for _ in (*ROWS, "nulls")]
    with psycopg.connect(database.dsn) as connection:
        for event_id, (key, payload, *extra) in zip(ids[:-1], ROWS, strict=True):
            values = (event_id, "Order", key or "-", "OrderPlaced", payload, *extra)
            places = ", ".join(["%s"] * len(values))
            connection.execute(f"insert into outbox ({COLUMNS}) values ({places})", values)
        nulls = ", ".join(f"c{number}" for number in range(len(TYPED)))  # a header of each is the column's default
        connection.execute(
            f"insert into outbox (id, aggregatetype, aggregateid, type, payload, shard, total, urgent, {nulls}) "
            f"values (%s, 'Order', 'nulls', 'OrderPlaced', '{{}}', 1, 1, true, {', '.join(['null'] * len(TYPED))})",
            (ids[-1],),
        )
    kit("deploy-connector", "--yes", "--stable-for", "0")
    try:
        arrived = consumed(stack, f"{service}.Order", ids)
        for event_id in ids:
            shown = json.loads(kit("preview", "--row", event_id.upper(), "--format", "json").stdout)["messages"][0]
            wanted = as_previewed(arrived[event_id])
            own, others = separated(shown.pop("headers"))
            sent, others_sent = separated(wanted.pop("headers"))
            assert [header["name"].split(".")[-1] for header in own] == CONTEXT
            assert all(
                re.fullmatch(one.get("pattern", str(one["value"])), got["value"])
                for one, got in zip(own, sent, strict=True)
            )
            assert named(others) == named(others_sent)
            assert {k: v for k, v in shown.items() if k not in ("row", "timestamp")} == wanted
        assert "not found in" in kit("preview", "--row", str(uuid.uuid4()), code=2).stderr
    finally:
        kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
