"""What the schema file says about a relay that reads the table."""

from typing import Any

import pytest
from pydantic import ValidationError

from outbox_kit.schema.mark import MarkColumns
from outbox_kit.schema.model import Outbox
from tests.support import presets


def outbox(dialect: str = "postgres", **more: Any) -> Outbox:
    delivery = {"by": "relay", "source": "table", **more.pop("delivery", {})}
    events = [{"type": "OrderPlaced", "aggregate": "Order"}]
    return Outbox.model_validate(
        {"service": "shop", "database": {"dialect": dialect}, "delivery": delivery, "events": events, **more}
    )


EXISTING = {"existing": True, "columns": {"created_at": None}}
SENT, STATUS = {"published_at": "sent_at"}, {"column": "state", "pending": "NEW", "published": "SENT"}


def test_a_table_of_postgresql_can_be_read() -> None:
    assert outbox().delivery.record == "position"
    assert outbox(delivery={"record": "delete"}).delivery.lanes == 16


def test_the_columns_of_a_relay_that_marks() -> None:
    assert outbox().mark is None
    assert outbox(delivery={"record": "mark"}).mark == MarkColumns(published_at="published_at")
    own = outbox(delivery={"mark": {"status": {**STATUS, "pending": False, "published": True}, "error": "cause"}})
    assert own.delivery.record == "mark" and own.mark is not None and own.mark.status is not None
    assert (own.mark.status.pending, own.mark.written) == ("false", ["state", "cause"])
    assert outbox(delivery={"by": "connector", "mark": SENT}, table=EXISTING).mark is None


@pytest.mark.parametrize("preset", ["polling-postgres", "postgres-minimal", "sqlserver-outbox", "cap"])
def test_a_preset_names_the_columns(preset: str) -> None:
    delivery = {"by": "relay", "source": "table"}
    own = presets.outbox(preset, delivery=delivery)
    assert own.mark is not None and {name for name, _ in own.mark.places()}.isdisjoint(own.column_names)
    assert presets.outbox(preset, delivery=delivery | {"record": "delete", "mark": None}).mark is None
    assert presets.outbox(preset).mark is None


def test_a_preset_whose_owner_deletes_rows() -> None:
    for preset in ("nhibernate-outbox", "masstransit"):
        assert presets.outbox(preset, delivery={"by": "relay", "source": "table"}).delivery.record == "delete"


@pytest.mark.parametrize("dialect", ["mysql", "mariadb", "sqlserver", "oracle"])
def test_a_relay_of_other_databases_reads_the_table_and_deletes_by_default(dialect: str) -> None:
    events = [{"type": "OrderPlaced", "aggregate": "Order"}]
    document = {"service": "shop", "database": {"dialect": dialect}, "delivery": {"by": "relay"}, "events": events}
    delivery = Outbox.model_validate(document).delivery
    assert (delivery.source, delivery.record, delivery.polls) == ("table", "delete", True)
    connector = Outbox.model_validate(document | {"delivery": {}}).delivery
    assert not connector.polls


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (
            {"dialect": "mysql", "delivery": {"source": "log"}},
            "invalid delivery.source 'log': expected table for MySQL",
        ),
        (
            {"dialect": "mysql", "delivery": {"record": "position"}},
            "invalid delivery.record 'position': expected delete or mark for MySQL",
        ),
        (  # the rows of an existing table are only deleted if that is written down
            {"dialect": "mariadb", "table": {"existing": True}},
            "invalid delivery.record 'position': expected delete or mark for MariaDB",
        ),
        ({"dialect": "mongodb"}, "invalid delivery.by 'relay': expected connector for MongoDB"),
        ({"table": {"storage": "log"}}, "invalid table 'log': expected a table that keeps its rows"),
        ({"table": {"retention": "delete_on_insert"}}, "invalid table 'delete_on_insert': expected a table that keeps"),
        ({"table": EXISTING}, "invalid delivery.record 'position': expected mark, with the table's columns in"),
        ({"delivery": {"record": "mark"}, "table": EXISTING}, "invalid delivery.record 'mark': expected delivery.mark"),
        ({"delivery": {"mark": {"error": "cause"}}}, "delivery.mark needs published_at or status"),
        ({"delivery": {"record": "delete", "mark": SENT}}, "delivery.mark needs delivery.record: mark, and it is del"),
        ({"delivery": {"mark": {"published_at": "payload"}}}, "invalid column name 'payload': expected a column that"),
        ({"delivery": {"mark": {**SENT, "error": "sent_at"}}}, "the column 'sent_at' is used twice"),
        ({"delivery": {"mark": {"status": {**STATUS, "failed": "NEW"}}}}, "the status 'NEW' stands for two states"),
        ({"delivery": {"mark": {**SENT, "available_at": "due"}}}, "delivery.mark.available_at needs table.existing"),
        ({"delivery": {"mark": {"published_at": "x" * 64}}}, "is longer than 63 bytes"),
        (
            {"delivery": {"record": "mark"}, "table": {"extra": [{"name": "published_at"}]}},
            "invalid column name 'published_at': expected a column that is neither",
        ),
        (
            {"table": {"extra": [{"name": "txid", "kind": "text"}]}},
            "invalid column name 'txid': expected another name",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(ValidationError, match=text):
        outbox(**settings)
