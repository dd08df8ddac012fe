"""Options of a connector by which its rows are others than the model's: they are refused, not passed over."""

import pytest

from outbox_kit.router import source_options
from outbox_kit.router.columns import NUMBER_ONE
from outbox_kit.router.events import RowColumn, change
from outbox_kit.router.source_options import JSON_CONVERTER
from outbox_kit.router.values import NotModelled
from outbox_kit.versions import Version

COLUMNS = {"id": "uuid", "payload": "bigint unsigned", "event-type": "text"}
TOPIC, PLAIN_TOPIC = "my-shop.public.outbox", "shop.public.outbox"
RELEASE = Version.of("3.6")


@pytest.mark.parametrize(
    ("config", "option"),
    [
        ({"column.mask.hash.x": "a"}, "column.mask.hash.x"),
        ({"column.truncate.to.5.chars": "a"}, "column.truncate.to.5.chars"),
        ({"column.propagate.source.type": ".*"}, "column.propagate.source.type"),
        ({"datatype.propagate.source.type": ".*"}, "datatype.propagate.source.type"),
        ({"converters": "own", "own.type": "com.example.Own"}, "own.type"),
        ({"converters": "own"}, "converters"),
        ({"converters": "one", "one.type": NUMBER_ONE, "one.selector": "a.b"}, "one.selector"),
        ({"schema.name.adjustment.mode": "avro"}, "schema.name.adjustment.mode"),
        ({"field.name.adjustment.mode": " AVRO "}, "field.name.adjustment.mode"),
        ({"bigint.unsigned.handling.mode": "precise"}, "bigint.unsigned.handling.mode"),
        ({"include.schema.comments": "TRUE", "value.converter": JSON_CONVERTER}, "include.schema.comments"),
    ],
)
def test_what_changes_a_row_is_not_modelled(config: dict[str, str], option: str) -> None:
    with pytest.raises(NotModelled, match=option):
        source_options.refuse_unmodelled(config, TOPIC, COLUMNS)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"converters": "", "column.propagate.source.type": " "},
        {"converters": " one ", "one.type": NUMBER_ONE},
        {"schema.name.adjustment.mode": "none", "field.name.adjustment.mode": "NONE"},
        {"schema.name.adjustment.mode": "avro", "field.name.adjustment.mode": "avro_unicode"},
        {"bigint.unsigned.handling.mode": "long"},
        {"include.schema.comments": "true"},
        {"include.schema.comments": "false", "value.converter": JSON_CONVERTER},
        {"bigint.unsigned.handling.mode": "precise"},
    ],
)
def test_what_changes_nothing_is_passed(config: dict[str, str]) -> None:
    source_options.refuse_unmodelled(config, PLAIN_TOPIC, {"id": "uuid", "number": "bigint"})


@pytest.mark.parametrize(
    ("operation", "skipped", "is_sent"),
    [("c", "c,u", False), ("u", "c, u", False), ("c", "none", True), ("c", "", True)],
)
def test_a_skipped_operation_sends_nothing(operation: str, skipped: str, is_sent: bool) -> None:
    row = [RowColumn("id", "text", "1")]
    if is_sent:
        assert change("postgres", {"skipped.operations": skipped}, PLAIN_TOPIC, row, RELEASE, operation=operation)
    else:
        with pytest.raises(NotModelled, match=r"skipped\.operations"):
            change("postgres", {"skipped.operations": skipped}, PLAIN_TOPIC, row, RELEASE, operation=operation)


@pytest.mark.parametrize("digits", ["number(1)", "number(1,0)"])
def test_oracle_s_numbers_of_one_digit_are_booleans(digits: str) -> None:
    config = {"converters": "one", "one.type": NUMBER_ONE}
    record = change("oracle", config, "shop.APP.OUTBOX", [RowColumn("FLAG", digits, 1)], RELEASE)
    assert record.value.values["after"].values == {"FLAG": True}
