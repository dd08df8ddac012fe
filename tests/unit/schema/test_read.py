"""Reading a schema file: what is wrong is said with its place, all of it at once, and with the nearest right name."""

import json
from pathlib import Path

import jsonschema_rs
import pytest
from ruamel.yaml import YAML

from outbox_kit import databases
from outbox_kit.errors import BadSchemaFile, UnknownName
from outbox_kit.schema.jsonschema import jsonschema
from outbox_kit.schema.read import read
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.effective import router_columns

EXAMPLES = Path(__file__).parents[2] / "examples"
GOOD = [EXAMPLES / "minimal.yaml", EXAMPLES / "orders" / "outbox.yaml", EXAMPLES / "every-choice.yaml"]
EVENTS = "events:\n  - {type: A, aggregate: B}\n"
HEAD = "service: orders\ndatabase:\n  dialect: postgres\n"
MYSQL = HEAD.replace("postgres", "mysql")
MONGODB = HEAD.replace("postgres", "mongodb")


def complaints(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "outbox.yaml"
    path.write_text(text)
    with pytest.raises(BadSchemaFile) as error:
        read(path)
    told = [*error.value.details, error.value.where + " " + error.value.why] if not error.value.details else []
    return [line.strip().removeprefix(f"{path}:") for line in told or error.value.details]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + EVENTS + "tabel: {}\n", ["6:1: unknown key 'tabel'; did you mean 'table'?"]),
        (HEAD + "  prot: 1\n" + EVENTS, ["4:3: unknown key 'prot'; did you mean 'port'?"]),
        (
            HEAD.replace("postgres", "postgers") + EVENTS,
            [f"3:3: 'database.dialect' cannot be 'postgers'; it is one of {', '.join(databases.ALL)}; did you mean"],
        ),
        (MYSQL + "  schema: x\n" + EVENTS, ["1:1: database.schema: MySQL has no schemas in a database"]),
        (MYSQL + EVENTS + "connect: {slot: x}\n", ["1:1: connect.slot and connect.publication: MySQL has neither"]),
        (MYSQL + EVENTS + f"table: {{name: {'x' * 30}}}\n", ["1:1: the table's name is longer than 29 characters"]),
        (MYSQL.replace("orders", "o" * 30) + EVENTS, ["1:1: the role's name 'oooooooooooooooooooooooooooooo_outbox'"]),
        (
            HEAD.replace("postgres", "mariadb") + EVENTS + "connect: {debezium: 2.5}\n",
            ["1:1: connect.debezium: MariaDB needs 2.7 or later"],
        ),
        (
            HEAD.replace("postgres", "mongodb") + "  writers: [app]\n" + EVENTS,
            ["1:1: database.writers: MongoDB's users have their rights by roles"],
        ),
        (HEAD + "  replica_set: rs0\n" + EVENTS, ["1:1: database.replica_set: PostgreSQL has none"]),
        (
            MONGODB + EVENTS + "table: {name: a$, retention: partition, max_payload_bytes: 16000000}\n",
            [
                "1:1: table.retention: MongoDB cannot do 'partition'; choose delete, immediate, keep; "
                "table.max_payload_bytes: MongoDB holds no more "
                "than 15728640; 'a$' cannot be a name in MongoDB: it holds one of $."
            ],
        ),
        (
            MONGODB + EVENTS + "ordering: {assigned_by: database}\n",
            ["1:1: ordering.assigned_by: MongoDB numbers nothing by itself"],
        ),
        (
            MONGODB + "events:\n  - {type: A, aggregate: B, payload: {type: array}}\n",
            ["1:1: the payload of 'A' is no object, which a document must be"],
        ),
        (HEAD.replace("orders", "Orders") + EVENTS, ["1:1: 'service' is 'Orders', which does not match"]),
        (HEAD, ["1:1: 'events' is missing"]),
        (HEAD + "events: []\n", ["4:1: 'events': tuple should have at least 1 item"]),
        (HEAD + "events:\n  - {type: A, agregate: B}\n", ["5:5: 'events.0.aggregate' is missing", "5:15: unknown key"]),
        (HEAD + "  password: hunter2\n" + EVENTS, ["4:3: 'database.password' must be a reference"]),
        (HEAD + EVENTS + "routing: {topic: 'a b'}\n", ["1:1: routing.topic holds a character that no topic may have"]),
        (HEAD + EVENTS + "routing: {topic: '{nothing}'}\n", ["1:1: routing.topic names '{nothing}'"]),
        (HEAD + EVENTS + "routing: {key: nothing}\n", ["1:1: routing.key names the column 'nothing'"]),
        (HEAD + "events:\n  - {type: A, aggregate: 'B C'}\n", ["1:1: 'B C' cannot be part of a topic's name"]),
        (HEAD + EVENTS + "  - {type: A, aggregate: B}\n", ["1:1: the event 'A' of 'B' is declared twice"]),
        (HEAD + EVENTS + "table: {extra: [{name: id}]}\n", ["1:1: the column 'id' is named twice"]),
        (
            HEAD + EVENTS + "table: {extra: [{name: p, kind: bigint, to: partition}]}\n",
            ["6:17: 'table.extra.0' a column that goes to the partition must be of kind integer"],
        ),
        (HEAD + EVENTS + "table: {registry: avro}\n", ["6:1: 'table' with registry: avro must have payload: bytes"]),
        (
            HEAD + EVENTS + "table: {payload: bytes, registry: json}\ncloudevents: {mode: structured}\n",
            ["1:1: cloudevents.mode: structured is plain JSON"],
        ),
        (HEAD + EVENTS + "table: {registry: arvo}\n", ["6:9: 'table.registry' cannot be 'arvo'; it is one of avro"]),
        (HEAD + "events:\n  - {type: A, aggregate: B, payload: no.json}\n", ["5:29: the payload of 'A': "]),
        (
            HEAD + "events:\n  - {type: A, aggregate: B, payload: {type: nonsense}}\n",
            ["5:29: the payload of 'A': the schema is no JSON Schema"],
        ),
        (
            HEAD + "events:\n  - {type: A, aggregate: B, payload: 5}\n",
            ["5:29: 'events.0.payload' is neither a path nor"],
        ),
        (
            HEAD + 'events:\n  - {type: A, aggregate: B, payload: {$ref: "http://127.0.0.1:9/x"}}\n',
            ["5:29: the payload of 'A': the schema is no JSON Schema: Resource 'http://127.0.0.1:9/x' is not present"],
        ),
        (
            HEAD + 'events:\n  - {type: A, aggregate: B, payload: {$schema: "http://127.0.0.1:9/x"}}\n',
            ["5:29: the payload of 'A': the schema is no JSON Schema: Unknown meta-schema"],
        ),
        (
            HEAD + 'events:\n  - {type: A, aggregate: B, payload: {properties: {a: {$ref: "#/nope"}}}}\n',
            ["5:29: the payload of 'A': the schema is no JSON Schema: Pointer '/nope' does not exist"],
        ),
        (HEAD + "events:\n  - {type: A, aggregate: B, payload: .}\n", ["cannot be read (Is a directory)"]),
        (
            HEAD + "events:\n  - {type: A, aggregate: B, payload: outbox.yaml}\n",
            ["outbox.yaml' is not JSON (Expecting value: line 1 column 1"],
        ),
        (HEAD + "events:\n  - {type: A, aggregate: B, payload: {const: 2020-01-01}}\n", ["(Unsupported type: 'date')"]),
        (
            HEAD + EVENTS + "headers: [{name: h, pattern: '('}]\n",
            ["the pattern of header 'h' is no regular expression"],
        ),
        (HEAD + EVENTS + "headers: [{name: h, pattern: 'a\\Z'}]\n", ["JSON Schema's have no such thing"]),
        (HEAD + EVENTS + f"table: {{name: {'t' * 36}}}\n", ["1:1: the table's name is longer than 35 bytes"]),
        ("service: [\n", ["2:1"]),
        ("a: 1\na: 2\n", ["2:1"]),
        ("- 1\n", ["1:1"]),
        (HEAD + EVENTS + "---\n" + HEAD + EVENTS, ["two outboxes share the connector 'orders-outbox'"]),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, text: str, expected: list[str]) -> None:
    found = complaints(tmp_path, text)
    assert len(found) >= len(expected)
    assert all(any(wanted in line for line in found) for wanted in expected), found


def test_what_a_database_leaves_no_choice_in_need_not_be_said(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(MONGODB + EVENTS + "table: {columns: {aggregate_id: key}}\nordering: {sequence: version}\n")
    (outbox,) = read(path).outboxes
    assert (outbox.table.columns.id, router_columns(outbox).key) == ("_id", "key")
    assert (outbox.ordering.sequence, outbox.ordering.dense) == ("version", True)


def test_all_mistakes_are_told_at_once_in_the_file_s_order(tmp_path: Path) -> None:
    found = complaints(tmp_path, "servcie: x\n" + HEAD.replace("orders", "Orders") + "  prot: 1\n" + EVENTS)
    assert [line.split(":")[0] for line in found] == ["1", "2", "5"]


def test_a_file_that_is_empty_or_not_there_says_how_to_begin(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.yaml", tmp_path / "empty.yaml"):
        if path.stem == "empty":
            path.write_text("# nothing yet\n")
        with pytest.raises(BadSchemaFile) as error:
            read(path)
        assert "outbox-kit init" in error.value.fix


def test_a_file_that_is_nested_beyond_all_measure_is_one_message(tmp_path: Path) -> None:
    deep, file = tmp_path / "deep.json", tmp_path / "outbox.yaml"
    deep.write_text("[" * 100_000)
    file.write_text(HEAD + "events:\n  - {type: A, aggregate: B, payload: deep.json}\n")
    with pytest.raises(BadSchemaFile, match="1 problem"):
        read(file)
    file.write_text("a: " + "{a: " * 2000 + "1" + "}" * 2000)
    with pytest.raises(BadSchemaFile, match="this YAML is refused") as refused:
        read(file)
    assert "nested too deeply: the most is 100 levels" in refused.value.why
    assert refused.value.where.startswith(f"{file}:1:")


def test_a_schema_that_refers_to_itself_is_one(tmp_path: Path) -> None:
    file = tmp_path / "outbox.yaml"
    file.write_text(HEAD + 'events:\n  - {type: A, aggregate: B, payload: {properties: {next: {$ref: "#"}}}}\n')
    assert read(file).outbox().events[0].payload


def test_of_several_outboxes_one_must_be_chosen() -> None:
    found = read(EXAMPLES / "every-choice.yaml")
    assert found.outbox("second").service == "second"
    with pytest.raises(UnknownName, match="holds 2 outboxes"):
        found.outbox()
    with pytest.raises(UnknownName, match="no service 'third'"):
        found.outbox("third")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_the_published_json_schema_takes_every_example(path: Path) -> None:
    validator = jsonschema_rs.validator_for(json.loads(json.dumps(jsonschema())))
    for document in YAML(typ="safe").load_all(path.read_text()):
        validator.validate(document)
    assert read(path).outboxes


def test_the_names_follow_from_the_service_and_what_the_file_says_wins() -> None:
    minimal, every_choice = (
        read(EXAMPLES / "minimal.yaml").outbox(),
        read(EXAMPLES / "every-choice.yaml").outbox("every-choice"),
    )
    plain, chosen = minimal.names, every_choice.names
    assert (plain.connector, plain.slot) == ("orders-outbox", "orders_outbox")
    assert connector_topics(minimal).rows == "orders.public.outbox"
    assert (chosen.connector, chosen.slot, chosen.role) == ("every.choice", "every_slot", "the reader")
    assert connector_topics(every_choice).rows == "every.we_ird.select"  # Debezium replaces what no topic may have
