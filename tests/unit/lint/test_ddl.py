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


def test_an_entity_shows_the_types_that_it_defines() -> None:
    (table,) = tables(ENTITY.replace("nullable", 'columnDefinition = "timestamptz", nullable')).values()
    assert table.columns["aggregate_id"] == "timestamptz" and table.columns["payload"] == ""


@pytest.mark.parametrize("begin", [" * ", "// ", "# ", "//\t"])
def test_a_statement_in_a_comment_of_a_program_is_read(begin: str) -> None:
    """Beside an entity of the same name it counts: it has the types."""
    text = "".join(f"{begin}{line}\n" for line in CREATED.splitlines())
    assert tables(text + ENTITY) == tables(CREATED)
    assert tables(f"create table outbox (:columns);\n{ENTITY}") == tables(ENTITY)


def test_a_comment_of_mysql_is_no_column() -> None:
    assert tables(CREATED.replace("  payload", "  # the event, or (a, b\n  payload")) == tables(CREATED)


def test_an_entity_shows_the_columns_of_its_fields() -> None:
    (table,) = tables(ENTITY).values()
    assert not table.is_complete and {"aggregate_id", "payload"} <= {*table.columns} and table.lacks("aggregateId")


@pytest.mark.parametrize(
    "text",
    [
        "@Entity public class OutboxEvent { private String id; private String aggregateId; private String body; }",
        '@Entity @Table(name = "outbox_event") class Event(val id: UUID, val aggregateId: String, val body: String)',
        "@Entity\n@Immutable\n@TypeDef(name = a)\ndata class OutboxEvent(val id: UUID, val aggregateId: String)",
    ],
)
def test_hibernate_names_all_columns_in_one_way(text: str) -> None:
    """By the fields' names, or with underscores: the config shows which."""
    ((name, table),) = tables(text).items()
    assert name == "outbox_event"
    assert not table.lacks("aggregateid") and not table.lacks("aggregate_id")
    snake = table.spelt_as({"aggregate_id"})
    assert snake.lacks("aggregateid") and not snake.lacks("aggregate_id")
    assert table.spelt_as({"aggregateid"}) == table == table.spelt_as({"payload"})


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


@pytest.mark.parametrize(
    "text",
    [
        's.execute("create table outbox (id uuid, "\n + "kind varchar(40), payload text)");',
        "db.query('create table outbox (id uuid, ' +\n 'kind varchar(40), payload text)')",
        'cur.execute("create table outbox (id uuid, "\n            "kind varchar(40), payload text)")',
        "$db->exec('create table outbox (id uuid, '\n  . 'kind varchar(40), payload text)');",
        r'"create table outbox (\n  id uuid, -- the event\n  kind varchar(40),\n  payload text\n)"',
    ],
)
def test_texts_that_a_program_puts_together_are_one_statement(text: str) -> None:
    (table,) = tables(text).values()
    assert dict(table.columns) == {"id": "uuid", "kind": "varchar(40)", "payload": "text"}
