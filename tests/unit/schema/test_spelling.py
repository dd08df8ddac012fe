"""Names as the database has them: Oracle's in upper case unless they could not be written without quotes."""

from typing import Any

import pytest
from pydantic import ValidationError

from outbox_kit import dialects
from outbox_kit.preview.routes import Routes
from outbox_kit.schema.effective import settings
from outbox_kit.schema.headers import promised
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

EVENTS = [{"type": "OrderPlaced", "aggregate": "Order"}]


def outbox(dialect: str = "oracle", **more: Any) -> Outbox:
    database = {"dialect": dialect, **more.pop("database", {})}
    return Outbox.model_validate({"service": "my-shop", "database": database, "events": EVENTS, **more})


def test_what_names_an_object_of_the_database_is_in_upper_case_and_nothing_else() -> None:
    found = outbox(
        database={"name": "pdb1", "container": "cdb1"},
        table={"extra": [{"name": "tenant"}, {"name": "Mixed", "as": "m"}, {"name": "with blank"}]},
        routing={"topic": "{service}.{tenant}", "key": "tenant"},
    )
    assert found.column_names[:5] == ["ID", "AGGREGATETYPE", "AGGREGATEID", "TYPE", "PAYLOAD"]
    assert found.column_names[5:] == ["SEQUENCE", "TENANT", "Mixed", "with blank", "CREATED_AT"]
    assert (found.route_column, found.key_column, Routes(found).topic("x")) == ("TENANT", "TENANT", "my-shop.x")
    headers = ["id", "eventType", "aggregateType", "sequence", "tenant", "m", "with blank"]
    assert [one.name for one in promised(found)] == headers
    derived = names(found)
    assert (derived.database, derived.schema, derived.role) == ("PDB1", "MY_SHOP", "C##MY_SHOP_OUTBOX")
    assert (derived.heartbeat_table, derived.raw_topic) == ("OUTBOX_HEARTBEAT", "my-shop.MY_SHOP.OUTBOX")


@pytest.mark.parametrize("field", ["aggregate", "type"])
def test_the_schema_file_s_own_words_for_columns_stay(field: str) -> None:
    found = outbox(routing={"topic": f"x.{{{field}}}"}, table={"columns": {"aggregate_type": "what", "type": "kind"}})
    assert found.route_column == {"aggregate": "WHAT", "type": "KIND"}[field]


@pytest.mark.parametrize("dialect", sorted(set(dialects.ALL) - {"oracle"}))
def test_no_other_database_s_names_are_touched(dialect: str) -> None:
    assert dialects.named(dialect).spelled("outbox") == "outbox"
    assert outbox(dialect).table.columns.id.islower()


def test_what_was_left_out_is_still_a_default() -> None:
    said = {path: mark for path, _, mark in settings(outbox(table={"keep_days": 3}))}
    assert said["table.keep_days"] == "" and said["table.columns.id"] == said["table.name"] == "  (default)"


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"table": {"name": "a_table_of_21_letters"}}, "the table's name is longer"),
        ({"table": {"columns": {"payload": "x" * 31}}}, "longer than 30 bytes"),
        ({"table": {"columns": {"payload": 'a"b'}}}, "cannot"),
        ({"table": {"extra": [{"name": "ID"}]}}, "the column 'ID' is named twice"),
        ({"database": {"container": "cdb", "user": "reader"}}, "begins with C##"),
        ({"connect": {"debezium": "2.7"}}, "needs 3.1"),
    ],
)
def test_what_oracle_cannot_have(more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        outbox(**more)


def test_only_oracle_has_containers() -> None:
    with pytest.raises(ValidationError, match="has no containers"):
        outbox("postgres", database={"container": "x"})
