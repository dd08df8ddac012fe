"""Every command of the command line while nothing works: no secret in its output, files and processes.

The same while all works is in `tests/live/test_tls.py`. Forms of addresses and errors are in `test_planted_secrets.py`.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from outbox_kit import secret
from outbox_kit.kafka import new_topics, read, scratch, transactions
from tests.support import impatience, planted
from tests.support.planted import MARK
from tests.support.worker import Answer, running

SCHEMA = """
service: shop
database: {dialect: postgres, name: shop, host: 127.0.0.1, port: 1}
events: [{type: OrderPlaced, aggregate: Order}]
routing: {topic: "{service}.{aggregate}"}
DELIVERY
connect:
  config:
    producer.override.sasl.jaas.config: ${file:/secrets/kafka.properties:jaas}
    database.sslpassword: ${env:KEY_PASSWORD}
"""
CONFIG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.password": f"{MARK}-resolved",
    "producer.override.ssl.key.password": f"{MARK}-override",
}
BODIES = [  # as Connect says them: it resolves references, and repeats what it has resolved
    f"Connector config {{name=shop-outbox, database.password={MARK}-resolved}} contains no connector type",
    f"Invalid value {MARK}-resolved for configuration database.password: Not a number of type INT",
    f"org.postgresql.util.PSQLException: jdbc:postgresql://db/shop?user=a&password={MARK}-resolved refused",
]
PROPERTIES = f"""
security.protocol=SASL_PLAINTEXT
sasl.mechanism=PLAIN
sasl.jaas.config=a.PlainLoginModule required username="kit" password="{MARK}-kafka";
ssl.key.password=${{env:PLANTED}}
"""
ENVIRONMENT = {
    "OUTBOX_KIT_DSN": f"postgresql://me:{MARK}-dsn@127.0.0.1:1/shop",
    "OUTBOX_KIT_BOOTSTRAP": "127.0.0.1:1",
    "OUTBOX_KIT_KAFKA_CONFIG": "client.properties",
    "OUTBOX_KIT_REGISTRY_USER": "me",
    "OUTBOX_KIT_REGISTRY_PASSWORD": f"{MARK}-registry",
    "OUTBOX_KIT_CONNECT_USER": "me",
    "OUTBOX_KIT_CONNECT_KEY_PASSWORD": f"{MARK}-key",
    "OUTBOX_KIT_CONNECT_HEADERS": f"X-Key: {MARK}-header\nX-Other: ${{env:PLANTED}}",
    "OTEL_EXPORTER_OTLP_HEADERS": f"authorization={MARK}-traces",
    "HTTPS_PROXY": f"http://me:{MARK}-proxy@127.0.0.1:1",
    "OUTBOX_DB_PASSWORD": f"{MARK}-role",
    "PLANTED": f"{MARK}-referenced",
    **{f"{name}": f"{MARK}-password" for name in ("PGPASSWORD", "MYSQL_PWD")},
    "PGCONNECT_TIMEOUT": "1",
}
CREDENTIALS = {
    "password": {"OUTBOX_KIT_CONNECT_PASSWORD": f"{MARK}-basic"},
    "token": {"OUTBOX_KIT_CONNECT_TOKEN_COMMAND": f"{sys.executable} token.py"},
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    secret.forget()
    monkeypatch.chdir(tmp_path)
    impatience.short_pauses(monkeypatch)
    monkeypatch.setattr(read, "REQUEST_SECONDS", 0.1)
    monkeypatch.setattr(read, "CALL_SECONDS", 0.1)
    monkeypatch.setattr(scratch, "SECONDS", 0.1)
    monkeypatch.setattr(new_topics, "ADMIN_SECONDS", 0.1)
    monkeypatch.setattr(transactions, "OPEN_SECONDS", 0.1)
    yield
    secret.forget()


def prepare(by: str) -> None:
    """The files that commands read."""
    Path("outbox.yaml").write_text(SCHEMA.replace("DELIVERY", f"delivery: {{by: {by}}}"))
    Path("client.properties").write_text(PROPERTIES)
    Path("token.py").write_text(f"print('{MARK[:3]}' + '{MARK[3:]}-token')")
    Path("connector.json").write_text(json.dumps({"name": "shop-outbox", "config": CONFIG}))
    Path("contract.yaml").write_text("asyncapi: 3.0.0\n")


@pytest.mark.parametrize("name", sorted(planted.commands().keys() - planted.LONG.keys()))
def test_a_command_that_fails_shows_no_secret(name: str) -> None:
    part = {"state": "FAILED", "worker_id": "w", "trace": BODIES[2]}
    good = {
        "GET /": [Answer(200, {"version": "4.3.1"})],
        "GET /connectors/shop-outbox/config": [Answer(200, CONFIG)],
        "GET /connectors/shop-outbox/status": [Answer(200, {"connector": part, "tasks": [part]})],
        "GET /connectors?expand=info": [Answer(200, {"shop-outbox": {"info": {"config": CONFIG}}})],
    }
    with planted.inspection() as inspected:
        for number, (credential, script) in enumerate([("password", good), ("token", good), ("token", {})]):
            prepare("relay" if name.startswith("relay") else "connector")
            with running(script) as worker:
                if not script:
                    worker.every = lambda request: Answer(500, {"error_code": 500, "message": BODIES[len(request) % 3]})
                url = {"OUTBOX_KIT_CONNECT": worker.url, "OUTBOX_KIT_REGISTRY": worker.url}
                for arguments in planted.invocations(name)[: None if number == 0 else 1]:
                    inspected.run(arguments, {**ENVIRONMENT, **CREDENTIALS[credential], **url})


def test_a_secret_that_comes_out_is_found() -> None:
    """The inspection itself: output, files, and the command line of a process."""
    inspected = planted.Inspection()
    with pytest.raises(AssertionError, match="output shows"):
        inspected.run(["explain", MARK], {})
    with pytest.raises(AssertionError, match="a process shows"), planted.inspection() as watched:
        import subprocess

        subprocess.run([sys.executable, "-c", f"import time; time.sleep(0.5)  # {MARK}"], check=True)
    assert watched.started
