"""Which table is the outbox, what is in the way, and the schema file: of catalogues that stand in no database."""

import json
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from outbox_kit.adopt import known, report
from outbox_kit.adopt.candidate import Candidate, candidates, with_evidence
from outbox_kit.adopt.proposal import Address, guessed, proposal, remarks
from outbox_kit.adopt.rule import RULES, findings
from outbox_kit.databases.catalogue import Activity, Catalogue, CatalogueColumn, CatalogueTable, Index, RowSample
from outbox_kit.errors import DatabaseRefused, UnknownName
from outbox_kit.findings.formats.text import finding_lines
from outbox_kit.findings.rule import Severity
from outbox_kit.schema import presets
from tests.support.tables import ORDINARY, OWN, PRESETS, catalogue, table


def document(one: Candidate) -> Any:
    """The proposed file, which is one."""
    made = proposal(one, ADDRESS)
    assert made.problems == ()
    return made.file


ADDRESS = Address("shop", "shop", "db", 5432)
Rows = tuple[Mapping[str, str | bytes | None], ...]


def found(given: Catalogue, rows: Rows = (), named: str | None = None) -> list[Candidate]:
    return [with_evidence(one, lambda *_: RowSample(rows)) for one in candidates(given, named)]


def only(columns: str, *rows: Mapping[str, str | bytes | None], **more: Any) -> Candidate:
    """The one candidate of a database that has one table."""
    (one,) = found(catalogue([table("outbox", columns, **more)]), rows)
    return one


def lines(one: Candidate) -> list[str]:
    """The findings as a terminal shows them."""
    return [line for finding in findings(one) for line in finding_lines(finding)]


def met(one: Candidate) -> dict[str, str]:
    return {finding.id: finding.message for finding in findings(one)}


@pytest.mark.parametrize("name", PRESETS)
def test_each_table_of_a_library_is_known_among_all_others(name: str) -> None:
    others = [table(*one) for one in ORDINARY.items()]
    best = found(catalogue([*others, table("anything", PRESETS[name])]))[0]
    assert best.table.name == "anything" and best.likelihood == "certain"
    assert best.library is not None and best.library.name == name


@pytest.mark.parametrize("name", OWN)
def test_a_team_s_own_outbox_is_found_by_its_names(name: str) -> None:
    others = [table(*one) for one in ORDINARY.items()]
    best = found(catalogue([*others, table(name, OWN[name])]))[0]
    assert best.table.name == name and best.likelihood == "likely"
    assert {"id", "aggregate_id", "type", "payload"} <= best.roles.keys()


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_table_is_none(name: str) -> None:
    assert found(catalogue([table(name, ORDINARY[name])])) == []


def test_a_table_that_is_named_is_looked_at_whatever_it_is() -> None:
    given = catalogue([table("orders", ORDINARY["orders"]), table("outbox", PRESETS["debezium"])])
    for name in ("orders", "public.orders"):
        (one,) = found(given, named=name)
        assert one.likelihood == "unlikely" and "no-type" in met(one)
    with pytest.raises(UnknownName, match=r"did you mean 'public\.orders'"):
        found(given, named="public.order")


POLLING = PRESETS["polling-postgres"]
KEYED = "id uuid, aggregate_id text, type text, payload text"
CASES: list[tuple[str, Candidate]] = [
    ("other-publisher", only(POLLING)),
    ("other-publisher", only(KEYED, activity=Activity(10, 9, 0))),
    ("rows-deleted", only(KEYED, activity=Activity(10, 0, 9))),
    ("timestamp-with-time-zone", only(POLLING)),
    ("library-table", only(PRESETS["cap"])),
    ("payload-normalized", only(POLLING)),
    ("no-key", only(PRESETS["postgres-minimal"])),
    ("key-nullable", only(KEYED.replace("aggregate_id text", "aggregate_id text?"))),
    ("key-nullable", only(KEYED, {"aggregate_id": ""})),
    ("mixed-types", only(KEYED.replace("aggregate_id text", "aggregate_id int or string"))),
    ("route-nullable", only(KEYED.replace("type text", "type text?"))),
    ("payload-nullable", only(PRESETS["debezium"])),
    ("multiple-events-per-row", only(KEYED, {"payload": '[{"a": 1}, {"a": 2}]'})),
    ("multiple-events-per-row", only(PRESETS["nservicebus"])),
    ("id-not-unique", only(PRESETS["masstransit"])),
    ("id-not-unique", only(KEYED, {"id": "7"}, {"id": "7"})),
    ("id-nullable", only(KEYED.replace("id uuid", "id uuid?", 1))),
    ("id-is-binary", only(KEYED.replace("id uuid", "id bytea"))),
    ("id-is-numeric", only(PRESETS["cap"])),
    ("no-id", found(catalogue([table("t", "type text, payload text")]), named="t")[0]),
    ("no-payload", found(catalogue([table("t", "id uuid, type text")]), named="t")[0]),
    ("no-type", found(catalogue([table("t", "id uuid, payload text")]), named="t")[0]),
    ("payload-xml", only(KEYED.replace("payload text", "payload xml"))),
    ("payload-compressed", only(KEYED.replace("payload text", "payload bytea"), {"payload": b"\x1f\x8b\x08"})),
    ("payload-registry-format", only(KEYED.replace("payload text", "payload bytea"), {"payload": b"\0\0\0\0\1\2"})),
    ("type-invalid-in-topic", only(KEYED, {"type": "Shop.Placed, Shop"})),
    ("unsupported-column-name", only(KEYED.replace("type text", "Event:Type text"))),
    ("name-requires-quotes", only(PRESETS["cap"])),
    ("unsupported-table-kind", only(KEYED, kind="view")),
    ("partitioned", only(KEYED, partitioned=True)),
    ("no-primary-key", only(KEYED, indexes=())),
    ("full-row-logging", only(KEYED, whole_rows=True)),
    ("already-published", only(KEYED, publications=("theirs",))),
    ("has-triggers", only(KEYED, triggers=("theirs",))),
    ("large-table", only(KEYED, rows=2_000_000)),
    ("rows-not-sampled", only(KEYED)),
    ("generated-column", only(KEYED)),
]


def generated(version: str, kind: str) -> Candidate:
    made = table("outbox", KEYED)
    columns = tuple(replace(one, generated=kind if one.name == "aggregate_id" else "") for one in made.columns)
    return found(catalogue([replace(made, columns=columns)], version=version))[0]


@pytest.mark.parametrize(("version", "kind", "severity"), [("17.2", "stored", "error"), ("18.1", "stored", "warning"),
                                                          ("18.1", "virtual", "error")])  # fmt: skip
def test_a_generated_column_is_published_from_18_on_where_it_is_asked_for(
    version: str, kind: str, severity: str
) -> None:
    (one,) = [one for one in findings(generated(version, kind)) if one.id == "generated-column"]
    assert one.severity == severity


@pytest.mark.parametrize(("rule", "one"), [case for case in CASES if case[0] != "generated-column"])
def test_what_is_in_the_way_is_found(rule: str, one: Candidate) -> None:
    assert rule in met(one)


def test_every_question_has_a_case_and_says_why_and_what_to_do() -> None:
    assert set(RULES.rules) == {rule for rule, _ in CASES}
    for _, one in [*CASES, ("", generated("17", "stored"))]:
        for finding in findings(one):
            assert finding.message and finding.rule.title and finding.rule.why.endswith(".") and finding.fix


def test_nothing_is_in_the_way_of_a_good_table() -> None:
    columns = "id uuid, aggregate_type text, aggregate_id text, event_type text, payload text, created_at timestamp"
    row = {"id": "1", "aggregate_type": "Order", "aggregate_id": "7", "event_type": "OrderPlaced", "payload": "{}"}
    assert met(only(columns, row)) == {}


def test_what_is_known_is_what_there_are_presets_for() -> None:
    assert {one.name for one in known.ALL} == set(presets.listed()) == set(PRESETS)


def test_an_empty_key_is_an_error_where_it_is_seen() -> None:
    (one,) = [one for one in findings(only(KEYED, {"aggregate_id": None})) if one.id == "key-nullable"]
    assert one.severity is Severity.error


def test_rows_that_may_not_be_read_are_told_of_and_nothing_else_is_lost() -> None:
    def refused(_: CatalogueTable, newest: str | None) -> RowSample:
        raise DatabaseRefused("the database refused a statement", why="permission denied for table outbox")

    one = with_evidence(only(KEYED), refused)
    assert "permission denied" in met(one)["rows-not-sampled"]
    assert document(one)["events"] == [{"type": "Example", "aggregate": "Example"}]
    assert "example" in remarks(one)[-1]


def test_the_newest_rows_are_asked_for_only_where_an_index_leads_to_them() -> None:
    asked: list[str | None] = []

    def look(_: CatalogueTable, newest: str | None) -> RowSample:
        asked.append(newest)
        return RowSample()

    with_evidence(only(POLLING), look)
    by_time = (Index(("id",), True, True), Index(("created_at", "status"), False), Index(("seq",), False, False, "x"))
    with_evidence(only(POLLING, indexes=by_time), look)
    assert asked == [None, "created_at"]


SECRET = "hunter2"  # noqa: S105 - what no report may show


def test_no_report_shows_what_a_payload_holds() -> None:
    rows = [{"id": str(n), "type": "Placed", "payload": json.dumps({"orderId": SECRET, "b": SECRET})} for n in range(9)]
    one = only(PRESETS["debezium"].replace("payload jsonb?", "payload text"), *rows)
    shown = [
        *report.mapping(one),
        *lines(one),
        json.dumps(report.plain(one, proposal(one, ADDRESS), findings(one))),
    ]
    assert SECRET not in "\n".join([*shown, repr(one), repr(RowSample(tuple(rows)))])


@pytest.mark.parametrize(
    ("kind", "aggregate"),
    [
        ("OrderPlaced", "Order"),
        ("com.acme.orders.OrderLinePlaced", "OrderLine"),
        ("order.placed", "order"),
        ("Shop.InvoiceSent, Shop", "Invoice"),
        ("urn:message:Shop.Orders:OrderPlaced;urn:message:Shop:IEvent", "Order"),
        ("placed", "placed"),
        ("Placed", "Placed"),
        ("*", "Event"),
    ],
)
def test_an_aggregate_is_guessed_from_a_type(kind: str, aggregate: str) -> None:
    assert guessed(kind) == aggregate


def test_the_file_says_what_the_rows_show() -> None:
    rows = [{"aggregate_type": "Order", "event_type": kind} for kind in ("Placed", "Paid", "Paid", "", None)]
    file = document(only(POLLING, *rows))
    assert file["table"] == {"preset": "polling-postgres", "name": "outbox"}
    assert file["events"] == [{"type": "Paid", "aggregate": "Order"}, {"type": "Placed", "aggregate": "Order"}]
    assert file["connect"] == {"snapshot": "no_data"} and "routing" not in file


def test_where_a_preset_s_columns_are_called_otherwise_the_file_names_them() -> None:
    table = document(only(POLLING.replace("partition_key", "PartitionKey")))["table"]
    assert table["existing"] is True and table["columns"]["type"] == "event_type"
    assert table["extra"] == [{"name": "PartitionKey", "kind": "text", "required": False}]


def test_a_table_like_debezium_s_with_other_names_is_no_preset_s() -> None:
    table = document(only(PRESETS["debezium"].replace("aggregatetype", "aggregate_type")))["table"]
    assert "preset" not in table and table["columns"]["aggregate_type"] == "aggregate_type"


UNKNOWN = "id uuid, type text, content text, topic text"
PATTERN = r"([A-Za-z0-9._-]+)(?:[^A-Za-z0-9._-].*)?"


@pytest.mark.parametrize(
    ("columns", "row", "routing"),
    [
        (UNKNOWN, {"type": "Placed"}, {"topic": "outbox.event.{type}"}),
        (UNKNOWN, {"type": "Shop.Placed, Shop"}, {"topic": "outbox.event.{1}", "pattern": PATTERN}),
        (UNKNOWN, {"type": "Placed", "topic": "orders"}, {"topic": "{topic}"}),
        (UNKNOWN, {"type": "Placed", "topic": "queue:orders"}, {"topic": "outbox.event.{type}"}),
        (
            UNKNOWN + ", aggregate_type text",
            {"type": "a b", "aggregate_type": "Order"},
            {"topic": "outbox.event.{aggregate}"},
        ),
        (KEYED, {"type": "Placed"}, {"topic": "outbox.event.{service}"}),
        (
            UNKNOWN,
            {"type": "urn:message:Shop:Placed;urn:message:Shop:IEvent"},
            {"topic": "outbox.event.{1}.{2}", "pattern": "urn:message:([^:;]+):([^:;]+)(?:;.*)?"},
        ),
    ],
)
def test_the_topic_is_one_that_every_row_can_have(columns: str, row: Mapping[str, str], routing: object) -> None:
    assert document(only(columns, row))["routing"] == routing


def test_a_version_orders_where_it_is_unique_in_its_aggregate() -> None:
    columns = "id uuid, aggregate_id text, aggregate_version integer, type text, payload text"
    unique = Index(("aggregate_id", "aggregate_version"), unique=True)
    assert "ordering" not in document(only(columns))
    ordered = document(only(columns, indexes=(unique,)))["ordering"]
    assert ordered == {"sequence": "aggregate_version", "assigned_by": "application"}


def test_rows_that_are_no_messages_feed_a_table_of_ours() -> None:
    arrays = only(KEYED, {"payload": '[{"eventType": "A", "orderId": 1}]', "type": "T"})
    fed = document(arrays)["table"]["source"]
    assert document(arrays)["events"] == [{"type": "A", "aggregate": "Example"}]
    assert fed["array_column"] == "payload" and fed["columns"]["type"] == "element ->> 'eventType'"
    assert fed["columns"]["aggregate_id"] == 'new."aggregate_id"'
    (orders,) = found(catalogue([table("orders", "id integer, status text")]), named="orders")
    assert document(orders)["table"]["source"]["columns"]["payload"] == "row_to_json(new)"
    (orders,) = found(catalogue([table("orders", "id int, a'b text")], dialect="mysql"), named="orders")
    assert document(orders)["table"]["source"]["columns"]["payload"] == "json_object('id', new.`id`, 'a''b', new.`a'b`)"
    binary = document(only(KEYED.replace("id uuid, aggregate_id text", "id bytea")))["table"]["source"]["columns"]
    assert binary["aggregate_id"] == "encode(new.\"id\", 'hex')" and "id" not in binary
    (view,) = found(catalogue([table("orders", ORDINARY["orders"], kind="view")]), named="orders")
    assert proposal(view, ADDRESS).problems == ("the rows of a view are not in the log of the database",)


def test_the_column_for_a_key_is_filled_from_the_member_that_every_payload_has() -> None:
    rows = [{"content": '{"orderId": 1, "id": 2}'}, {"content": '{"orderId": 1, "other": 2}'}]
    (one,) = [one for one in findings(only(PRESETS["postgres-minimal"], *rows)) if one.id == "no-key"]
    assert """new."content"::json ->> 'orderId'""" in one.facts["sql"]
    (one,) = [one for one in findings(only(PRESETS["postgres-minimal"])) if one.id == "no-key"]
    assert "replace aggregateId by its name" in one.facts["sql"]


# -- whatever a catalogue holds ---------------------------------------------------------------------------------------

WORDS = sorted({word for columns in PRESETS.values() for word in columns.split()} | {"a,b", "x:y", '"', "\n", "é"})
TYPES = ["uuid", "text", "json", "jsonb", "xml", "bytea", "bigint", "numeric", "timestamptz", "timestamp", "tsvector"]
VALUES = (None, "", "x", "\0", "{}", '{"a":', '[{"a": 1}]', "[[", "9" * 5000, b"\x1f\x8b", b"\0\0\0\0\1\2", b"\xff")


def strange(by: Random) -> Catalogue:
    def some_table(name: str) -> CatalogueTable:
        names = by.sample(WORDS, by.randrange(12))
        columns = tuple(
            CatalogueColumn(own, by.choice(TYPES), by.random() < 0.5, by.choice(["", "stored"])) for own in names
        )
        indexes = (Index(tuple(names[:2]), unique=by.random() < 0.5),) if names else ()
        return CatalogueTable(
            "s", name, columns, by.choice(["table", "table", "view"]), indexes, partitioned=by.random() < 0.5
        )

    tables = [some_table(name) for name in by.sample(["outbox", "events", 'o"x', "t"], by.randrange(4))]
    return catalogue(tables, by.choice(["postgres", "mysql", "mariadb"]))


@pytest.mark.parametrize("seed", range(5))
def test_no_catalogue_and_no_row_is_too_strange(seed: int) -> None:
    by = Random(seed)

    def look(one: CatalogueTable, newest: str | None) -> RowSample:
        return RowSample(
            tuple({column.name: by.choice(VALUES) for column in one.columns} for _ in range(by.randrange(3)))
        )

    for _ in range(100):
        given = strange(by)
        named = [one for table in given.tables for one in candidates(given, table.title)]
        for one in [with_evidence(one, look) for one in (*candidates(given), *named)]:
            made = proposal(one, ADDRESS)
            assert bool(made.file) is not bool(made.problems)
            json.dumps(report.plain(one, made, findings(one)))
            assert all(isinstance(line, str) for line in [*report.mapping(one), *lines(one)])
        report.sources(given)
