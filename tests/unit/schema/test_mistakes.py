"""The usual mistakes in a first schema file: the line and column of the key, the cause in plain words, and the fix."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.errors import BadSchemaFile, UnknownName
from outbox_kit.schema.read import read

FILE = """\
service: payments
database:
  dialect: postgres
  port: 5432
table:
  payload: json
  extra:
    - {name: region, to: header}
routing:
  topic: payments.{aggregate}.v1
headers:
  - {name: region, pattern: "[a-z]{2}"}
connect:
  topics: {partitions: 3}
events:
  - type: PaymentAuthorized
    aggregate: Payment
  - type: PaymentCaptured
    aggregate: Payment
    follows: [PaymentAuthorized]
"""
TOPIC = "  topic: payments.{aggregate}.v1\n"
PLACEHOLDERS = (
    "expected {service}, {aggregate}, {type}, a required text column of table.extra, or a group of routing.pattern "
    "such as {1}"
)
MISTAKES = {
    "a key is misspelled": (
        ("service:", "servce:"),
        ["1:1: 'service' is missing", "1:1: unknown key 'servce'; did you mean 'service'?"],
    ),
    "a key of an event is misspelled": (
        ("    aggregate: Payment\n    follows", "    agregate: Payment\n    follows"),
        [
            "18:5: 'events.1.aggregate' is missing",
            "19:5: unknown key 'agregate'; did you mean 'aggregate'?",
        ],
    ),
    "the path of a schema is misspelled": (
        ("type: PaymentCaptured", "type: PaymentCaptured\n    payload: schemas/none.json"),
        [
            "19:5: the payload of 'PaymentCaptured': '{folder}/schemas/none.json' cannot be read "
            "(No such file or directory)"
        ],
    ),
    "the database has another name": (
        ("dialect: postgres", "dialect: postgresql"),
        [
            "3:3: invalid 'database.dialect' 'postgresql': expected postgres, mysql, mariadb, sqlserver, oracle, "
            "mongodb; did you mean 'postgres'?"
        ],
    ),
    "a section is indented too far": (
        ("table:\n  payload: json\n  extra:\n", "  table:\n    payload: json\n    extra:\n"),
        ["5:3: unknown key 'table' in 'database': it belongs to the top level; is it indented too far?"],
    ),
    "a section is below another one": (
        ("  port: 5432\n", "  port: 5432\n  headers: []\n"),
        ["5:3: unknown key 'headers' in 'database': it belongs to the top level; is it indented too far?"],
    ),
    "a key is not indented": (
        ("  port: 5432\n", "port: 5432\n"),
        ["4:1: unknown key 'port': it belongs to 'database'; indent it below 'database'"],
    ),
    "a predecessor is misspelled": (
        ("[PaymentAuthorized]", "[PaymentAuthorised]"),
        [
            "20:15: unknown event type 'PaymentAuthorised' in follows of 'PaymentCaptured': not an event of 'Payment'; "
            "did you mean 'PaymentAuthorized'?"
        ],
    ),
    "a placeholder is misspelled": (
        ("{aggregate}", "{agregate}"),
        [f"10:3: unknown placeholder '{{agregate}}' in routing.topic: {PLACEHOLDERS}; did you mean '{{aggregate}}'?"],
    ),
    "a topic has a blank": (
        ("payments.{aggregate}.v1", "payments {aggregate}.v1"),
        ["10:3: invalid character ' ' in routing.topic 'payments {aggregate}.v1': expected A-Z a-z 0-9 . _ -"],
    ),
    "a placeholder of a previous topic is unknown": (
        (TOPIC, TOPIC + "  previous_topics: [shop, 'pay.{agregate}']\n"),
        [
            "11:27: unknown placeholder '{{agregate}}' in routing.previous_topics: expected {{service}}, "
            "{{aggregate}}, {{type}}, or a complete topic name; did you mean '{{aggregate}}'?"
        ],
    ),
    "a column is no placeholder of a previous topic": (
        (TOPIC, TOPIC + "  previous_topics: ['pay.{region}']\n"),
        [
            "11:21: unknown placeholder '{{region}}' in routing.previous_topics: expected {{service}}, "
            "{{aggregate}}, {{type}}, or a complete topic name"
        ],
    ),
    "a previous topic is the present one": (
        (TOPIC, TOPIC + "  previous_topics: ['payments.{aggregate}.v1']\n"),
        [
            "11:21: routing.previous_topics contains the present routing.topic 'payments.{{aggregate}}.v1': "
            "name the value that it had before, or remove the entry"
        ],
    ),
    "a previous topic is the present one by another name": (
        (TOPIC, f"{TOPIC}  previous_topics: [payments.Payment.v1]\n"),
        [
            "11:21: 'payments.Payment.v1' in routing.previous_topics is the present topic of every event: "
            "name the value that it had before, or remove the entry"
        ],
    ),
    "a previous topic is listed twice": (
        (TOPIC, f"{TOPIC}  previous_topics: [a, b, a]\n"),
        ["11:27: the topic 'a' is listed twice in routing.previous_topics; first at {path}:11:21"],
    ),
    "a previous topic has a blank": (
        (TOPIC, TOPIC + "  previous_topics: ['a {aggregate}']\n"),
        [
            "11:21: invalid character ' ' in 'a Payment' of routing.previous_topics: expected A-Z a-z 0-9 . _ -",
        ],
    ),
    "a previous topic is a reserved name": (
        (TOPIC, f"{TOPIC}  previous_topics: [..]\n"),
        ["11:21: invalid topic '..' in routing.previous_topics: expected a name of A-Z a-z 0-9 . _ -"],
    ),
    "a previous topic is too long": (
        (TOPIC, f"{TOPIC}  previous_topics: [{'a' * 250}]\n"),
        [f"11:21: the topic '{'a' * 250}' of routing.previous_topics is longer than 249 characters"],
    ),
    "a kind is a type of the database": (
        ("{name: region, to: header}", "{name: region, kind: jsonb}"),
        ["8:22: invalid 'table.extra.0.kind' 'jsonb': expected text, integer, bigint, boolean, uuid"],
    ),
    "a port is a word": (("port: 5432", "port: abc"), ["4:3: invalid 'database.port' 'abc': expected an integer"]),
    "a port is too high": (("5432", "70000"), ["4:3: invalid 'database.port' '70000': expected at most 65535"]),
    "an event is declared twice": (
        ("PaymentCaptured", "PaymentAuthorized"),
        ["18:5: the event 'PaymentAuthorized' of 'Payment' is declared twice; first at {path}:16:5"],
    ),
    "a header's pattern is invalid": (
        ('"[a-z]{2}"', '"[a-z{2}"'),
        [
            "12:20: invalid pattern of header 'region': expected a regular expression: unterminated character set at "
            "position 0"
        ],
    ),
    "a topic has no partitions": (
        ("partitions: 3", "partitions: 0"),
        ["14:12: invalid 'connect.topics.partitions' '0': expected at least 1"],
    ),
    "a switch is a word": (
        ("payload: json", "existing: maybe"),
        ["6:3: invalid 'table.existing' 'maybe': expected true or false"],
    ),
    "a list is a text": (
        ("follows: [PaymentAuthorized]", "follows: PaymentAuthorized"),
        ["20:5: invalid 'events.1.follows' 'PaymentAuthorized': expected a list"],
    ),
    "a section is a text": (
        ("connect:\n  topics: {partitions: 3}", "connect: worker"),
        ["13:1: invalid 'connect' 'worker': expected a mapping of keys to values"],
    ),
    "a topic's name has a blank by an aggregate": (
        ("    aggregate: Payment\n    follows: [PaymentAuthorized]", "    aggregate: My Payment"),
        [
            "19:5: invalid character ' ' in 'My Payment', which becomes part of a topic's name: "
            "expected A-Z a-z 0-9 . _ -"
        ],
    ),
    "a column is declared twice": (
        ("- {name: region, to: header}", "- {name: region}\n    - {name: region}"),
        ["9:8: the column 'region' is used twice; first at {path}:8:8"],
    ),
    "a release is older than all that are known": (
        ("connect:\n", "connect:\n  debezium: 1.9\n"),
        ["14:3: invalid connect.debezium '1.9': expected a release from 2.0 to 3.7 for PostgreSQL"],
    ),
    "a release is not known yet": (
        ("connect:\n", "connect:\n  debezium: 9.0\n"),
        ["14:3: invalid connect.debezium '9.0': expected a release from 2.0 to 3.7 for PostgreSQL"],
    ),
    "a sink is misspelled": (
        ("headers:\n", "delivery: {by: relay, sink: rabitmq}\nheaders:\n"),
        ["11:23: invalid 'delivery.sink' 'rabitmq': expected kafka, rabbitmq, http; did you mean 'rabbitmq'?"],
    ),
    "published rows are to be deleted by a relay that reads the log": (
        ("headers:\n", "delivery: {by: relay, record: delete}\nheaders:\n"),
        [
            "11:23: invalid delivery.record 'delete': expected position, or delivery.source: table; a relay that reads "
            "the log changes no rows"
        ],
    ),
    "an environment changes what is the same in all": (
        ("headers:\n", "environments: {prod: {service: x}}\nheaders:\n"),
        [
            "11:23: an environment cannot change 'service': it is the same in every environment; expected one of "
            "database, connect, delivery, delivery_guarantee, lint, monitoring, routing"
        ],
    ),
    "a password is written out": (
        ("port: 5432", "password: hunter2"),
        [
            "4:3: invalid 'database.password': expected a reference that the Kafka Connect worker resolves, such as "
            "${{env:OUTBOX_DB_PASSWORD}}"
        ],
    ),
}


def written(folder: Path, change: tuple[str, str]) -> Path:
    path = folder / "outbox.yaml"
    assert change[0] in FILE
    path.write_text(FILE.replace(*change, 1))
    return path


def test_the_file_without_a_mistake_is_valid(tmp_path: Path) -> None:
    assert read(written(tmp_path, ("service", "service"))).outbox().service == "payments"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_reported_at_its_key_with_the_expected_value(mistake: str, tmp_path: Path) -> None:
    change, expected = MISTAKES[mistake]
    path = written(tmp_path, change)
    with pytest.raises(BadSchemaFile) as refused:
        read(path)
    texts = "\n".join(refused.value.lines())
    assert not [word for word in ("Value error", "unable to parse", "input should", "hunter2") if word in texts]
    lines = [
        line.format(folder=tmp_path, path=path) if "{path}" in line or "{folder}" in line else line for line in expected
    ]
    lines = [line.replace("{{", "{").replace("}}", "}") for line in lines]
    assert list(refused.value.details) == [f"  {path}:{line}" for line in lines]


def test_a_line_that_is_no_yaml_is_named_with_what_to_examine(tmp_path: Path) -> None:
    path = written(tmp_path, ("table:\n", " table:\n"))
    with pytest.raises(BadSchemaFile) as refused:
        read(path)
    assert refused.value.where == f"{path}:5:2" and "indentation" in refused.value.fix


def test_a_file_with_one_environment_says_so_in_the_singular(tmp_path: Path) -> None:
    path = written(tmp_path, ("headers:\n", "environments: {prod: {}}\nheaders:\n"))
    with pytest.raises(UnknownName, match=r"the file defines 1 environment$"):
        read(path)


def test_several_mistakes_are_counted_and_the_next_step_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, ("service:", "servce:"))
    result = CliRunner().invoke(app, ["gen-ddl", str(path)])
    assert result.exit_code == 2
    first, fix, *lines = result.stderr.splitlines()
    assert first == f"error: 2 problems in '{path}'"
    assert fix.startswith("  fix   correct the file; ") and "outbox-kit explain table.retention" in fix
    assert len(lines) == 2
