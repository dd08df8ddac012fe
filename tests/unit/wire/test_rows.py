"""Sample rows have the types of their own database that the router takes for what it reads."""

from typing import get_args

import pytest

from outbox_kit import databases
from outbox_kit.router import columns
from outbox_kit.router.events import is_document
from outbox_kit.router.values import Type
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import complaints
from outbox_kit.schema.table import Kind
from outbox_kit.wire import config_rows, connector

TABLES = [name for name in databases.ALL if not is_document(name)]
TAKEN = {"version": Type.int32, "partition": Type.int32, "timestamp": Type.int64}  # by role, and nothing else


@pytest.mark.parametrize("dialect", TABLES)
@pytest.mark.parametrize("role", TAKEN)
def test_a_sampled_column_has_the_type_that_its_role_needs(dialect: str, role: str) -> None:
    (column,) = config_rows.of_config(dialect, {role: "x"}, [], {})
    assert columns.kind(dialect, column.type, columns.Modes()).schema.type is TAKEN[role]


@pytest.mark.parametrize("dialect", TABLES)
@pytest.mark.parametrize(("value", "wanted"), [(True, Type.boolean), (7, Type.int64), ("x", Type.string)])
def test_a_given_value_has_a_type_of_its_database(dialect: str, value: object, wanted: Type) -> None:
    (column,) = config_rows.of_config(dialect, {}, [], {"x": value})
    # a number of one digit is a boolean where the connector's converter makes one of it
    assert columns.kind(dialect, column.type, columns.Modes(booleans=True)).schema.type is wanted


@pytest.mark.parametrize("dialect", databases.ALL)
@pytest.mark.parametrize("kind", get_args(Kind))
def test_only_what_arrives_as_an_int32_can_go_to_the_partition(dialect: str, kind: str) -> None:
    file = {
        "service": "orders",
        "database": {"dialect": dialect},
        "table": {"extra": [{"name": "lane", "kind": kind, "to": "partition"}]},
        "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
    }
    if found := complaints(file):
        assert "must have kind: integer" in found[0]
        return
    modes = columns.Modes.of(connector.config(Outbox.model_validate(file)))
    sent = columns.kind(dialect, databases.get(dialect).types[kind], modes).schema
    assert sent.type is Type.int32
