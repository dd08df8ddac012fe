"""Names as the database has them: Oracle's in upper case unless they could not be written without quotes."""

from typing import Any

import pytest
from pydantic import ValidationError

from outbox_kit import databases
from outbox_kit.schema.effective import settings
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.headers import header_specs
from outbox_kit.wire.routes import Routes

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
    read = router_columns(found)
    assert found.column_names[:5] == ["ID", "AGGREGATETYPE", "AGGREGATEID", "TYPE", "PAYLOAD"]
    assert found.column_names[5:] == ["SEQUENCE", "TENANT", "Mixed", "with blank", "CREATED_AT"]
    assert (read.route, read.key, Routes(found).topic("x")) == ("TENANT", "TENANT", "my-shop.x")
    headers = ["id", "eventType", "aggregateType", "sequence", "tenant", "m", "with blank"]
    assert [spec.name for spec in header_specs(Routes(found))] == headers
    derived = found.names
    assert (derived.database, derived.schema, derived.role) == ("PDB1", "MY_SHOP", "C##MY_SHOP_OUTBOX")
    assert (derived.heartbeat_table, connector_topics(found).rows) == ("OUTBOX_HEARTBEAT", "my-shop.MY_SHOP.OUTBOX")


@pytest.mark.parametrize("field", ["aggregate", "type"])
def test_the_schema_file_s_own_words_for_columns_stay(field: str) -> None:
    found = outbox(routing={"topic": f"x.{{{field}}}"}, table={"columns": {"aggregate_type": "what", "type": "kind"}})
    assert router_columns(found).route == {"aggregate": "WHAT", "type": "KIND"}[field]


@pytest.mark.parametrize("dialect", sorted(set(databases.ALL) - {"oracle"}))
def test_no_other_database_s_names_are_touched(dialect: str) -> None:
    assert databases.get(dialect).fold_case("outbox") == "outbox"
    assert outbox(dialect).table.columns.id.islower()


def test_what_was_left_out_is_still_a_default() -> None:
    said = {setting.path: setting.mark for setting in settings(outbox(table={"keep_days": 3}))}
    assert said["table.keep_days"] == "" and said["table.columns.id"] == said["table.name"] == "  (default)"


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"table": {"name": "a_table_of_21_letters"}}, "table.name is longer"),
        ({"table": {"columns": {"payload": "x" * 31}}}, "longer than 30 bytes"),
        ({"table": {"columns": {"payload": 'a"b'}}}, "invalid name"),
        ({"table": {"extra": [{"name": "ID"}]}}, "the column 'ID' is used twice"),
        ({"database": {"container": "cdb", "user": "reader"}}, "begins with C##"),
        ({"connect": {"debezium": "2.7"}}, "expected a release from 3.1"),
    ],
)
def test_what_oracle_cannot_have(more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        outbox(**more)


def test_only_oracle_has_containers() -> None:
    with pytest.raises(ValidationError, match="has no container databases"):
        outbox("postgres", database={"container": "x"})
