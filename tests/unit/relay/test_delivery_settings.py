"""What the schema file says about a relay that reads the table."""

from typing import Any

import pytest
from pydantic import ValidationError

from outbox_kit.schema.model import Outbox


def outbox(dialect: str = "postgres", **more: Any) -> Outbox:
    delivery = {"by": "relay", "source": "table", **more.pop("delivery", {})}
    events = [{"type": "OrderPlaced", "aggregate": "Order"}]
    return Outbox.model_validate(
        {"service": "shop", "database": {"dialect": dialect}, "delivery": delivery, "events": events, **more}
    )


def test_a_table_of_postgresql_can_be_read() -> None:
    assert outbox().delivery.record == "position"
    assert outbox(delivery={"record": "delete"}).delivery.lanes == 16


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
            "invalid delivery.record 'position': expected delete for MySQL",
        ),
        (  # the rows of an existing table are only deleted if that is written down
            {"dialect": "mariadb", "table": {"existing": True}},
            "invalid delivery.record 'position': expected delete for MariaDB",
        ),
        ({"dialect": "mongodb"}, "invalid delivery.by 'relay': expected connector for MongoDB"),
        ({"table": {"storage": "log"}}, "invalid table 'log': expected a table that keeps its rows"),
        ({"table": {"retention": "delete_on_insert"}}, "invalid table 'delete_on_insert': expected a table that keeps"),
        ({"table": {"existing": True}}, "invalid delivery.record 'position': expected delete with table.existing"),
        ({"delivery": {"record": "mark"}}, "invalid delivery.record 'mark': expected position or delete"),
        (
            {"table": {"extra": [{"name": "txid", "kind": "text"}]}},
            "invalid column name 'txid': expected another name",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(ValidationError, match=text):
        outbox(**settings)
