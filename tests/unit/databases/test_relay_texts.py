"""The texts that relays read are to the model of the connector what the values themselves are."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.databases.changes import TableColumns
from outbox_kit.relay.sources.routes import RowRoutes
from outbox_kit.router.chain import Message
from outbox_kit.router.columns import Modes, kind
from outbox_kit.router.events import RowColumn
from outbox_kit.schema.read import read
from outbox_kit.wire import connector
from outbox_kit.wire.effective import router_columns

AT = datetime(2026, 11, 21, 12, 0, 0, 123456)
EXAMPLES = Path(__file__).parents[2] / "examples"
RELAYS = [o for name in ("sqlserver", "oracle") for o in read(EXAMPLES / f"relay-{name}.yaml").outboxes]


@pytest.mark.parametrize(
    ("dialect", "sql_type", "text", "value"),
    [
        ("sqlserver", "bit", "1", True),
        (
            "sqlserver",
            "uniqueidentifier",
            "0FA5A5C2-0000-7000-8000-0000000000FF",
            "0fa5a5c2-0000-7000-8000-0000000000ff",
        ),
        ("sqlserver", "varbinary(max)", r"\x00ff", b"\0\xff"),
        ("sqlserver", "float", "1.5000000000000000e+000", 1.5),
        ("sqlserver", "decimal(10, 2)", "-1.50", "-1.5"),
        ("sqlserver", "datetime2(6)", "2026-11-21T12:00:00.123456", AT),
        ("sqlserver", "datetime2(7)", "2026-11-21T12:00:00.1234567", 1_795_262_400_123_456_700),
        ("sqlserver", "datetime", "2026-11-21T12:00:00.123", AT),
        ("sqlserver", "smalldatetime", "2026-11-21T12:00:00", datetime(2026, 11, 21, 12)),
        ("sqlserver", "date", "2026-11-21", "2026-11-21"),
        ("sqlserver", "time(7)", "12:00:00.1234560", "12:00:00.123456"),
        ("sqlserver", "datetimeoffset(6)", "2026-11-21T13:00:00.123456+01:00", AT.replace(tzinfo=UTC)),
        ("oracle", "number(1)", "1", 1),
        ("oracle", "number(18)", "7", 7),
        ("oracle", "number(10,2)", "-.5", "-0.5"),
        ("oracle", "number", "1000000000000000000000000000000", 10**30),
        ("oracle", "binary_double", "1.5E-005", 1.5e-5),
        ("oracle", "raw(16)", r"\x00ff", b"\0\xff"),
        ("oracle", "date", "2026-11-21T12:00:00", datetime(2026, 11, 21, 12)),
        ("oracle", "timestamp(6)", "2026-11-21T12:00:00.123456", AT),
        ("oracle", "timestamp(6) with time zone", "2026-11-21T13:00:00.123456+01:00", AT.replace(tzinfo=UTC)),
    ],
)
def test_a_text_is_what_the_value_is(dialect: str, sql_type: str, text: str, value: Any) -> None:
    column = kind(dialect, sql_type, Modes())
    assert column.read(text) == column.read(value)


@pytest.mark.parametrize("outbox", RELAYS, ids=lambda outbox: outbox.service)
def test_a_row_of_such_texts_is_a_message(outbox: Any) -> None:
    payload, read_from = outbox.table.columns.payload, router_columns(outbox)
    types = {"created_at": outbox.dialect.types["instant"], "sequence": outbox.dialect.types["bigint"]}
    types |= {"version": types["sequence"], "at": types["created_at"]}
    texts = {"created_at": "2026-11-21T12:00:00.123456", "sequence": "7", "version": "7"}
    texts["at"] = texts["created_at"]
    held, columns = [], []
    for name in outbox.column_names:
        in_bytes = name == payload and outbox.table.payload == "bytes"
        of_payload = outbox.dialect.types["bytes" if in_bytes else "document"]
        columns.append(
            RowColumn(name, of_payload if name == payload else types.get(name.lower(), outbox.dialect.types["text"]))
        )
        text = (r"\x7b7d" if in_bytes else "{}") if name == payload else texts.get(name.lower(), "Order")
        held.append(text.encode())
    outcome = RowRoutes(outbox, connector.config(outbox)).of(TableColumns(tuple(columns)))(held, 0)
    assert isinstance(outcome, Message), outcome
    assert outcome.value == b"{}" and outcome.key == b"Order" and read_from.key
