"""What `check` says of settings of Debezium Server, at the real one, which asks for a database or ends before."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.run import check
from outbox_kit.lint.texts import from_text
from tests.support.servers.debezium_server import debezium_server
from tests.support.waiting import until

ASKS, ENDS = "Failed testing connection", "Failed to start application"
SETTINGS = {
    "debezium.source.connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "debezium.source.offset.storage.file.filename": "offsets.dat",
    "debezium.source.database.hostname": "127.0.0.1",
    "debezium.source.database.port": "1",
    "debezium.source.database.user": "shop",
    "debezium.source.database.password": "${env:PASSWORD:none}",
    "debezium.source.database.dbname": "shop",
    "debezium.source.topic.prefix": "shop",
    "debezium.source.plugin.name": "pgoutput",
    "debezium.sink.type": "http",
    "debezium.sink.http.url": "http://127.0.0.1:1/",
}
FORMAT = {"debezium.format.value": "json"}


def nested(settings: Mapping[str, str], *, whole: bool) -> str:
    """Settings as YAML. whole: whether what follows the second word of a name is one key, with its dots."""
    root: dict[str, Any] = {}
    for name, value in settings.items():
        *path, last = name.split(".", 2) if whole else name.split(".")
        place = root
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return json.dumps(root, indent=2)  # which is YAML too


def lines(settings: Mapping[str, str]) -> str:
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def variables(settings: Mapping[str, str]) -> str:
    environment = [f"{name.replace('.', '_')}={value}" for name, value in settings.items()]
    return json.dumps({"services": {"server": {"environment": environment}}})


CASES = {
    "properties without a format": ("application.properties", lines(SETTINGS), {}, {"server-sink-incomplete"}),
    "YAML": ("application.yaml", nested(SETTINGS | FORMAT, whole=False), {}, set()),
    "YAML with dots": ("application.yaml", nested(SETTINGS | FORMAT, whole=True), {}, {"dotted-yaml-key"}),
    "variables in lower case": ("compose.yml", variables(SETTINGS | FORMAT), SETTINGS | FORMAT, set()),
}


@pytest.mark.parametrize("case", CASES)
def test_a_real_server_starts_if_no_error_is_reported(case: str) -> None:
    name, text, environment, expected = CASES[case]
    errors = {finding.id for finding in check(from_text(text, name, None)) if finding.severity is Severity.error}
    assert errors == expected
    of_server = {key.replace(".", "_"): value for key, value in environment.items()}
    file = ("", of_server, "unread") if environment else (text, of_server, name)
    with debezium_server(*file) as server:
        until(lambda: any(word in server.log.read_text() for word in (ASKS, ENDS)), "the server has asked or ended")
        assert (ASKS in server.log.read_text()) is not bool(expected)
