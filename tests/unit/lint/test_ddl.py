"""The tables that a text creates, inserts into or maps."""

import pytest

from outbox_kit.lint.ddl import CreatedTable, tables

CREATED = """create table if not exists "shop"."outbox" (
  id uuid primary key, -- the event, not the row
  `aggregate_type` varchar(255) not null default 'a,(b',
  payload jsonb, created_at timestamp(3) with time zone,
  primary key (id), constraint c check (length(payload::text) > 0)
);"""
ENTITY = """@Entity @Table(name = "outbox") class Outbox {
  @Id private UUID id;
  @Column(name = "aggregate_id", nullable = false) private String aggregateId;
  private JsonNode payload;
}"""


def test_the_columns_of_a_table_have_their_types() -> None:
    (table,) = tables(CREATED).values()
    assert table.is_complete and [*table.columns] == ["id", "aggregate_type", "payload", "created_at"]
    assert table.columns["created_at"] == "timestamp(3) with time zone"
    assert table.lacks("aggregateid") and not table.lacks("Payload")


def test_a_statement_that_inserts_shows_some_columns() -> None:
    text = "INSERT INTO outbox (id, aggregate_id, payload) VALUES (1, 2, 3); insert into heartbeat (id) values (1)"
    assert tables(text) == {"outbox": CreatedTable(dict.fromkeys(("id", "aggregate_id", "payload"), ""), False)}


def test_an_entity_shows_the_columns_of_its_fields() -> None:
    (table,) = tables(ENTITY).values()
    assert not table.is_complete and {"aggregate_id", "payload"} <= {*table.columns} and table.lacks("aggregateId")


@pytest.mark.parametrize(
    "text",
    [
        CREATED + CREATED.replace("payload", "body"),
        CREATED + "alter table outbox add column aggregateid text;",
        "create table outbox (",
        "create table outbox (" + "a(" * 5000,
        "create table " * 5000,
        "insert into outbox (" * 5000,
        "@Table(" * 5000,
    ],
)
def test_what_is_not_certain_is_not_known(text: str) -> None:
    assert tables(text) == {}
