"""What `adopt` makes of tables in SQL Server and Oracle: files that hold together, and what is in the way there."""

from dataclasses import replace

import pytest

from outbox_kit.adopt.additions import key_column
from outbox_kit.adopt.proposal import Address, proposal
from outbox_kit.adopt.rule import findings
from outbox_kit.render import ddl
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.presets import spread
from tests.support.owners import CONTAINERS, TABLES, found
from tests.unit.render.tsql import complaints, put_together

PRESETS = {
    "OutboxMessage": "masstransit",
    "OutboxData": "nservicebus",
    "Published": "cap",
    "EVENT_PUBLICATION": "spring-modulith",
}


@pytest.mark.parametrize(("dialect", "name"), [(dialect, name) for dialect in TABLES for name in TABLES[dialect]])
def test_each_table_becomes_a_file_that_holds_together(dialect: str, name: str) -> None:
    one = found(dialect)[name]
    made = proposal(one, Address("shop", "SHOP", container=CONTAINERS.get(dialect)))
    assert made.problems == ()
    assert made.file["table"].get("preset") == PRESETS.get(name)
    outbox = Outbox.model_validate(spread(made.file))
    script = ddl.up(outbox)
    assert (outbox.table.source is not None) is one.is_fed
    if dialect == "sqlserver":
        assert [found for text in (script, *put_together(script)) for found in complaints(text)] == []


def test_an_id_of_bytes_or_of_the_server_s_own_type_stays_the_event_s() -> None:
    made = proposal(found("oracle")["DOMAIN_EVENTS"], Address("shop", "SHOP", container="ORCLCDB")).file
    assert made["table"]["source"]["columns"]["id"].startswith('regexp_replace(rawtohex(:new."ID"), ')
    assert made["database"]["container"] == "ORCLCDB"
    made = proposal(found("sqlserver")["old_outbox"], Address("shop", "SHOP")).file
    assert made["table"]["source"]["columns"]["id"] == "new.[id]"


@pytest.mark.parametrize(("dialect", "name", "why"), [
    ("sqlserver", "outbox_messages", "its captured value is NULL"),
    ("oracle", "OUTBOX", "not in the log"),
])  # fmt: skip
def test_a_computed_column_is_none_that_can_be_sent(dialect: str, name: str, why: str) -> None:
    one = found(dialect)[name]
    columns = tuple(replace(column, generated="virtual") for column in one.table.columns)
    met = {one.id: one for one in findings(replace(one, table=replace(one.table, columns=columns)))}
    assert why in met["generated-column"].message and met["generated-column"].severity.value == "error"


def test_a_column_for_the_key_is_filled_where_something_can_run_before_the_insert() -> None:
    written = key_column(found("sqlserver")["outbox_messages"])
    assert complaints(written) == [] and "trigger [" not in written and "N'orderId'" in written
    written = key_column(found("oracle")["OUTBOX"])
    assert 'before insert on "public"."OUTBOX" for each row' in written and '"AGGREGATE_ID"' in written


def test_upper_case_needs_no_quotes_in_oracle() -> None:
    assert "name-requires-quotes" not in {one.id for one in findings(found("oracle")["OUTBOX"])}
    odd = found("oracle")["OUTBOX"]
    assert "name-requires-quotes" in {one.id for one in findings(replace(odd, table=replace(odd.table, name="Outbox")))}
