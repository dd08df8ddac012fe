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
            [f"3:3: invalid 'database.dialect' 'postgers': expected {', '.join(databases.ALL)}; did you mean"],
        ),
        (MYSQL + "  schema: x\n" + EVENTS, ["4:3: database.schema: MySQL has no schemas; use database.name"]),
        (
            MYSQL + EVENTS + "connect: {slot: x}\n",
            ["6:11: connect.slot: MySQL has no replication slots and publications"],
        ),
        (MYSQL + EVENTS + f"table: {{name: {'x' * 30}}}\n", ["6:9: table.name is longer than 29 characters"]),
        (MYSQL.replace("orders", "o" * 30) + EVENTS, ["2:1: the role's name 'oooooooooooooooooooooooooooooo_outbox'"]),
        (
            HEAD.replace("postgres", "mariadb") + EVENTS + "connect: {debezium: 2.5}\n",
            ["6:11: invalid connect.debezium '2.5': expected a release from 2.7 to 3.7 for MariaDB"],
        ),
        (
            HEAD.replace("postgres", "mongodb") + "  writers: [app]\n" + EVENTS,
            ["4:3: database.writers: MongoDB grants privileges by roles"],
        ),
        (HEAD + "  replica_set: rs0\n" + EVENTS, ["4:3: database.replica_set: PostgreSQL has no replica sets"]),
        (
            MONGODB + EVENTS + "table: {name: a$, retention: partition, max_payload_bytes: 16000000}\n",
            [
                "6:9: invalid name 'a$': MongoDB accepts none of $. in a name",
                "6:19: invalid table.retention 'partition': expected delete, delete_on_insert, forever for MongoDB",
                "6:41: invalid table.max_payload_bytes '16000000': expected at most 15728640 for MongoDB",
            ],
        ),
        (
            MONGODB + EVENTS + "ordering: {assigned_by: database}\n",
            ["6:12: invalid ordering.assigned_by 'database': MongoDB has no identity columns"],
        ),
        (
            MONGODB + "events:\n  - {type: A, aggregate: B, payload: {type: array}}\n",
            ["5:29: the payload of 'A' is not an object, which a document must be"],
        ),
        (
            HEAD.replace("orders", "Orders") + EVENTS,
            ["1:1: invalid 'service' 'Orders': expected at most 40 characters of a-z 0-9 _ -, the first one a letter"],
        ),
        (HEAD, ["1:1: 'events' is missing"]),
        (HEAD + "events: []\n", ["4:1: invalid 'events': expected at least 1 element"]),
        (HEAD + "events:\n  - {type: A, agregate: B}\n", ["5:5: 'events.0.aggregate' is missing", "5:15: unknown key"]),
        (HEAD + "  password: hunter2\n" + EVENTS, ["4:3: invalid 'database.password': expected a reference"]),
        (
            HEAD + EVENTS + "routing: {topic: 'a b'}\n",
            ["6:11: invalid character ' ' in routing.topic 'a b': expected A-Z a-z 0-9 . _ -"],
        ),
        (
            HEAD + EVENTS + "routing: {topic: '{nothing}'}\n",
            ["6:11: unknown placeholder '{nothing}' in routing.topic: expected {service}, {aggregate}"],
        ),
        (HEAD + EVENTS + "routing: {key: nothing}\n", ["6:11: unknown column 'nothing' in routing.key"]),
        (
            HEAD + "events:\n  - {type: A, aggregate: 'B C'}\n",
            ["5:15: invalid character ' ' in 'B C', which becomes part of a topic's name"],
        ),
        (HEAD + EVENTS + "  - {type: A, aggregate: B}\n", ["6:5: the event 'A' of 'B' is declared twice; first at "]),
        (HEAD + EVENTS + "table: {extra: [{name: id}]}\n", ["6:18: the column 'id' is used twice"]),
        (
            HEAD + EVENTS + "table: {extra: [{name: p, kind: bigint, to: partition}]}\n",
            ["6:27: a column with to: partition must have kind: integer"],
        ),
        (HEAD + EVENTS + "table: {registry: avro}\n", ["6:9: table.registry: avro needs payload: bytes"]),
        (
            HEAD + EVENTS + "table: {payload: bytes, registry: json}\ncloudevents: {mode: structured}\n",
            ["7:15: cloudevents.mode: structured is plain JSON"],
        ),
        (
            HEAD + EVENTS + "table: {registry: arvo}\n",
            ["6:9: invalid 'table.registry' 'arvo': expected avro, protobuf, json; did you mean 'avro'?"],
        ),
        (HEAD + "events:\n  - {type: A, aggregate: B, payload: no.json}\n", ["5:29: the payload of 'A': "]),
        (
            HEAD + "events:\n  - {type: A, aggregate: B, payload: {type: nonsense}}\n",
            ["5:29: the payload of 'A': the schema is not a valid JSON Schema"],
        ),
        (
            HEAD + "events:\n  - {type: A, aggregate: B, payload: 5}\n",
            ["5:29: invalid 'events.0.payload': expected a path or a JSON Schema"],
        ),
        (
            HEAD + 'events:\n  - {type: A, aggregate: B, payload: {$ref: "http://127.0.0.1:9/x"}}\n',
            ["5:29: the payload of 'A': the schema is not a valid JSON Schema: Resource 'http://127.0.0.1:9/x' is not"],
        ),
        (
            HEAD + 'events:\n  - {type: A, aggregate: B, payload: {$schema: "http://127.0.0.1:9/x"}}\n',
            ["5:29: the payload of 'A': the schema is not a valid JSON Schema: Unknown meta-schema"],
        ),
        (
            HEAD + 'events:\n  - {type: A, aggregate: B, payload: {properties: {a: {$ref: "#/nope"}}}}\n',
            ["5:29: the payload of 'A': the schema is not a valid JSON Schema: Pointer '/nope' does not exist"],
        ),
        (HEAD + "events:\n  - {type: A, aggregate: B, payload: .}\n", ["cannot be read (Is a directory)"]),
        (
            HEAD + "events:\n  - {type: A, aggregate: B, payload: outbox.yaml}\n",
            ["outbox.yaml' is not JSON (Expecting value: line 1 column 1"],
        ),
        (HEAD + "events:\n  - {type: A, aggregate: B, payload: {const: 2020-01-01}}\n", ["(Unsupported type: 'date')"]),
        (
            HEAD + EVENTS + "headers: [{name: h, pattern: '('}]\n",
            ["invalid pattern of header 'h': expected a regular expression"],
        ),
        (HEAD + EVENTS + "headers: [{name: h, pattern: 'a\\Z'}]\n", ["it uses syntax that JSON Schema does not have"]),
        (HEAD + EVENTS + f"table: {{name: {'t' * 36}}}\n", ["6:9: table.name is longer than 35 bytes"]),
        ("service: [\n", ["2:1"]),
        ("a: 1\na: 2\n", ["2:1"]),
        ("- 1\n", ["1:1"]),
        (
            HEAD + EVENTS + "---\n" + HEAD + EVENTS,
            ["7:1: two outboxes share the connector 'orders-outbox'; choose another one in connect.connector"],
        ),
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
    with pytest.raises(BadSchemaFile, match="unsupported YAML") as refused:
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
    with pytest.raises(UnknownName, match="contains 2 outboxes"):
        found.outbox()
    with pytest.raises(UnknownName, match="service 'third' not found"):
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
