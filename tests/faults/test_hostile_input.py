"""Input that would hurt whoever takes it as it is: each is refused in a sentence, and in time."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.render.code.languages import typescript_text
from outbox_kit.verify.state import sealed

SCHEMA = "service: shop\ndatabase: {{dialect: {dialect}}}\nevents: [{{type: A, aggregate: B}}]\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Types a command beside a schema file: its exit code, and all that it printed."""
    monkeypatch.chdir(tmp_path)

    def typed(*words: str, dialect: str = "postgres", stdin: str | None = None, **env: str) -> tuple[int, str]:
        Path("outbox.yaml").write_text(SCHEMA.format(dialect=dialect))
        done = CliRunner(env=env).invoke(app, words, input=stdin)
        return done.exit_code, done.output

    return typed


NO_UTF_8 = "hunter\udcff99"


@pytest.mark.parametrize(
    ("words", "dialect", "env"),
    [
        (("adopt",), "postgres", {"OUTBOX_KIT_DSN": f"postgresql://u:{NO_UTF_8}@127.0.0.1:1/db"}),
        (("adopt",), "mysql", {"OUTBOX_KIT_DSN": "mysql://u@127.0.0.1:1/db", "MYSQL_PWD": NO_UTF_8}),
        (("status",), "postgres", {"OUTBOX_KIT_CONNECT_TOKEN": NO_UTF_8}),
        (("init", "here", "--service", "s", "-e", "A:B"), "postgres", {"OUTBOX_KIT_DSN": f"host={NO_UTF_8}"}),
    ],
)
def test_a_secret_that_is_no_text_is_refused(
    run: Any, words: tuple[str, ...], dialect: str, env: dict[str, str]
) -> None:
    code, said = run(*words, dialect=dialect, **env)
    assert (code, "is not text in UTF-8" in said, "hunter" in said) == (2, True, False), said


@pytest.mark.parametrize("dsn", ["mysql://u:%D0%BF%D0%B0@127.0.0.1:1/db", "mysql://u@a..b/db"])
def test_an_address_that_only_the_driver_does_not_like_ends_in_a_sentence(run: Any, dsn: str) -> None:
    code, said = run("adopt", "--timeout", "5", dialect="mysql", OUTBOX_KIT_DSN=dsn)
    assert (code, "no connection to the database" in said) == (4, True), said


@pytest.mark.parametrize("dsn", ["dbname='postgresql://u:hunter4444@127.0.0.1:1/q'", "dbname='password=hunter4444'"])
def test_an_address_in_a_database_s_name_is_written_nowhere(run: Any, dsn: str) -> None:
    assert run("init", "here", "--service", "shop", "-e", "A:B", OUTBOX_KIT_DSN=dsn)[0] == 0
    assert "hunter" not in Path("here/outbox.yaml").read_text()
    code, said = run("adopt", OUTBOX_KIT_DSN=dsn)
    assert (code, "its dbname is an address itself" in said, "hunter" in said) == (2, True, False)
    code, said = run("adopt", "--dsn", dsn)
    assert (code, "visible to every user" in said) == (2, True)


@pytest.mark.parametrize("command", ["status", "deploy-connector", "remove", "verify"])
def test_a_password_in_the_command_line_is_refused(run: Any, command: str) -> None:
    code, said = run(command, "--connect", "http://u:hunter4444@127.0.0.1:1")
    assert (code, "visible to every user" in said, "hunter" in said) == (2, True, False), said


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/?api_key=hunterBB2", "127.0.0.1:8083?token=hunterBB2"])
def test_an_address_with_a_query_is_refused_without_its_secret(run: Any, url: str) -> None:
    code, said = run("status", "--connect", url)
    assert (code, "hunter" in said) == (2, False), said


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "--no-table", "-b", "127.0.0.1:1", "--kafka-config", "/dev/zero"),
        ("verify", "--no-table", "--messages", "/dev/zero"),
        ("verify", "-b", "127.0.0.1:1", "--published-log", "/dev/zero"),
    ],
)
def test_a_file_without_end_is_not_read_to_its_end(run: Any, words: tuple[str, ...]) -> None:
    assert run(*words, "--timeout", "5")[0] in (2, 4)


@pytest.mark.parametrize("name", ["stats_cb", "error_cb", "logger", "on_commit", "default.topic.config"])
def test_a_file_of_settings_holds_no_functions(run: Any, name: str) -> None:
    Path("client.properties").write_text(f"security.protocol=PLAINTEXT\n{name}=x\n")
    words = ("verify", "--no-table", "-b", "127.0.0.1:1", "--kafka-config", "client.properties", "--timeout", "5")
    code, said = run(*words)
    assert (code, f"'{name}' is a setting of programs" in said) == (2, True), said


def test_a_number_that_no_validator_takes_is_refused_with_its_line(run: Any) -> None:
    payload = f"aggregate: B, payload: {{minLength: {10**30}}}"
    Path("big.yaml").write_text(SCHEMA.format(dialect="postgres").replace("aggregate: B", payload))
    code, said = run("check", "big.yaml")
    assert (code, "64-bit" in said, "big.yaml:3" in said) == (2, True, True), said


def test_what_is_piped_in_has_a_limit(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outbox_kit.cli.options.LARGEST_FILE", 100)
    code, said = run("verify", "--no-table", "--messages", "-", stdin="[" + " " * 200)
    assert (code, "stdin is too large" in said) == (2, True), said


def test_what_a_config_says_moves_no_cursor(run: Any) -> None:
    config = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector\x1b[2J", "transforms": "o\x07"}
    Path("config.json").write_text(json.dumps({"name": "a", "config": config}))
    _, said = run("preview", "config.json")
    assert "\x1b" not in said and "\x07" not in said


@contextmanager
def serving(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server that holds one conversation."""

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            talk(connection)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        thread.join(30)


def test_a_server_that_asks_for_the_password_in_clear_text_does_not_get_it(run: Any) -> None:
    got = bytearray()
    packet = b"\x0a9.1.0\0" + bytes(4) + b"abcdefgh\0" + b"\xff\xf7\x21\x02\x00\xff\xdf\x15" + bytes(10)
    packet += b"ijklmnopqrst\0mysql_clear_password\0"

    def talk(connection: socket.socket) -> None:
        connection.settimeout(5)
        connection.sendall(len(packet).to_bytes(3, "little") + b"\0" + packet)
        got.extend(connection.recv(4096))
        switch = b"\xfemysql_clear_password\0"
        connection.sendall(len(switch).to_bytes(3, "little") + b"\2" + switch)
        got.extend(connection.recv(4096))

    with serving(talk) as port:
        dsn = f"mysql://u:hunter4444@127.0.0.1:{port}/x"
        code, said = run("adopt", "--timeout", "10", dialect="mysql", OUTBOX_KIT_DSN=dsn)
    assert (code, "in clear text" in said, b"hunter" in bytes(got)) == (4, True, False), said


@pytest.mark.parametrize(
    "greeting", [bytes(64), b"\x05\0\0\0\x0a9.1", b"\x01\0\0\0\x0a", b"GET / HTTP/1.1\r\n\r\n" * 9]
)
def test_a_server_that_is_no_mysql_ends_in_a_sentence(run: Any, greeting: bytes) -> None:
    with serving(lambda connection: connection.sendall(greeting)) as port:
        dsn = f"mysql://u:hunter4444@127.0.0.1:{port}/x"
        code, said = run("adopt", "--timeout", "6", dialect="mysql", OUTBOX_KIT_DSN=dsn)
    assert (code, "no connection to the database" in said) == (4, True), said


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ('"\\u0000+process.exit(7)//', "'\"\\\\u0000+process.exit(7)//'"),
        ('""\'', "'\"\"\\''"),
        ('"\0', "'\"\\u0000'"),
        ("it's", '"it\'s"'),
    ],
)
def test_a_text_stays_within_its_literal(text: str, literal: str) -> None:
    assert typescript_text(text) == literal


@pytest.mark.parametrize("harm", ["removed", "cut", "changed", "nested", "another", "none"])
def test_a_document_is_taken_back_only_as_it_was_written(tmp_path: Path, harm: str) -> None:
    (tmp_path / "topic" / "0").mkdir(parents=True)
    rows, path = tmp_path / "topic" / "0" / "rows", tmp_path / "document.json"
    rows.write_bytes(b"some rows")
    document = {"schema": "x/v1", "counts": {"a": 1}}
    path.write_text(sealed.sealed(document, tmp_path, ["topic"]))
    assert sealed.opened(path, "x/v1", tmp_path) == document
    match harm:
        case "removed":
            shutil.rmtree(tmp_path / "topic")
        case "cut":
            rows.write_bytes(b"some")
        case "changed":
            path.write_text(path.read_text().replace('"a": 1', '"a": 2'))
        case "nested":
            path.write_text("[" * 100_000)
        case "another":
            path.write_text(path.read_text().replace("x/v1", "x/v2"))
        case "none":
            path.write_text("{")
    with pytest.raises(ValueError, match=r".+"):
        sealed.opened(path, "x/v1", tmp_path)


@pytest.mark.parametrize(
    "words", [("verify", "--file", "pipe", "--timeout", "1"), ("verify", "--kafka-config", "pipe", "--timeout", "1")]
)
def test_a_pipe_that_nobody_writes_into_ends_with_the_deadline(run: Any, words: tuple[str, ...]) -> None:
    os.mkfifo("pipe")
    code, said = run(*words)
    assert (code, "no answer within 1 s" in said) == (2, True), said


def test_a_stdin_that_does_not_end_ends_with_the_deadline(run: Any) -> None:
    run("schema")
    command = [sys.executable, "-m", "outbox_kit", "verify", "--messages", "-", "--timeout", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as kit:
        said = kit.stdout.read().decode() if kit.stdout else ""
    assert (kit.returncode, "stdin has no end" in said) == (2, True), said
