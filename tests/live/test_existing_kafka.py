"""The page for an existing Kafka: its roles, ACLs and commands are enough, with SASL and without a superuser.

A managed PostgreSQL is not available here: the page's roles exist on the stack's PostgreSQL. The listener is SASL
without TLS, which is in `test_tls.py`.
"""

import itertools
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from outbox_kit.stack import Stack
from outbox_kit.stack.processes import free_ports, start, wait_until
from outbox_kit.stack.services import SERVICES, StackPlace
from tests.live.broker import Broker, broker
from tests.live.conftest import Database
from tests.support import pages
from tests.support.cli import invoke
from tests.support.faults import FAULTS
from tests.support.waiting import until

PAGE = pages.ROOT / "docs" / "quickstart-existing.md"
PASSWORD = "a password of the test"  # noqa: S105 - of roles that live as long as it


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path) as own:
        yield own


@pytest.fixture
def worker(guarded: Broker, tmp_path: Path) -> Iterator[str]:
    """A worker that authenticates as `connect`, with ACLs for its own topics and group only; its URL."""
    (port,) = free_ports(1)
    service, folder = SERVICES["connect"], tmp_path / "worker"
    folder.mkdir()
    place = StackPlace(folder, folder, 0, int(guarded.guarded.partition(":")[2]), 0, port, "", PASSWORD)
    service.set_up(place)
    access = guarded.access("connect")
    with (folder / "connect.properties").open("a") as properties:
        for prefix in ("", "producer.", "consumer.", "admin."):
            properties.writelines(f"{prefix}{name}={value}\n" for name, value in access.items())
    _allow(guarded, "connect", ResourceType.TOPIC, "_connect_", [AclOperation.ALL])
    _allow(guarded, "connect", ResourceType.GROUP, "outbox-kit", [AclOperation.ALL])
    process = start(service.command(place), place.log("connect"), environment=service.environment(place), owned=True)
    try:
        wait_until(lambda: service.ready(place), process, place.log("connect"), "connect")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()


def _allow(own: Broker, user: str, kind: ResourceType, prefix: str, operations: list[AclOperation]) -> None:
    rules = [
        AclBinding(kind, prefix, ResourcePatternType.PREFIXED, f"User:{user}", "*", one, AclPermissionType.ALLOW)
        for one in operations
    ]
    admin = AdminClient({"bootstrap.servers": own.bootstrap})
    for answer in admin.create_acls(rules).values():
        answer.result()


def _follow_acls(own: Broker, text: str) -> None:
    """What the page's `kafka-acls` commands allow."""
    for command in (shlex.split(line) for line in text.replace("\\\n", " ").splitlines()):
        values: dict[str, list[str]] = {}
        for name, value in itertools.pairwise(command):
            values.setdefault(name, []).append(value)
        names = [name.upper() for name in values["--operation"]]
        operations = [
            AclOperation.DESCRIBE_CONFIGS if name == "DESCRIBECONFIGS" else AclOperation[name] for name in names
        ]
        user = values["--allow-principal"][0].removeprefix("User:")
        assert values["--resource-pattern-type"] == ["prefixed"]
        _allow(own, user, ResourceType.TOPIC, values["--topic"][0], operations)


def _examine_acls(own: Broker, prefix: str, environment: dict[str, str], worker: Path) -> None:
    """The ACLs of the page and of the worker are enough for doctor; one that was removed is named with its command."""
    options = ["doctor", "--principal", "User:connect", "--worker-config", str(worker), "--format", "json"]
    owner = {**environment, "OUTBOX_KIT_KAFKA_CONFIG": "", "OUTBOX_KIT_BOOTSTRAP": own.bootstrap}

    def found() -> list[dict[str, str]]:
        findings = json.loads(invoke(*options, environment=owner, code=None).stdout)["findings"]
        return [finding for finding in findings if finding["id"] == FAULTS["an ACL of the worker was removed"]]

    assert found() == []
    name, pattern, user = prefix, ResourcePatternType.PREFIXED, "User:connect"
    removed = AclBindingFilter(
        ResourceType.TOPIC, name, pattern, user, "*", AclOperation.WRITE, AclPermissionType.ALLOW
    )
    admin = AdminClient({"bootstrap.servers": own.bootstrap})
    admin.delete_acls([removed])[removed].result()
    until(found, "the missing ACL is found")
    (finding,) = found()
    assert "--operation Write --topic" in finding["fix"], finding
    _allow(own, "connect", ResourceType.TOPIC, prefix, [AclOperation.WRITE])


def test_the_page_for_an_existing_kafka_leads_to_a_pass(
    stack: Stack, database: Database, guarded: Broker, worker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [(block, block.text.replace("shop", database.name)) for block in pages.blocks(PAGE)]
    scripts, statements = ([text for block, text in blocks if block.language == language] for language in ("sh", "sql"))
    files = {block.value: text for block, text in blocks if block.task == "file"}
    monkeypatch.chdir(tmp_path)

    owner, connector, application = f"{database.name}_owner", f"{database.name}_outbox", f"{database.name}_app"
    with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
        for role in (f"{owner} login", f"{connector} login replication", f"{application} login"):
            admin.execute(f"create role {role} password '{PASSWORD}'")  # type: ignore[arg-type]
        admin.execute(f"alter database {database.name} owner to {owner}")  # type: ignore[arg-type]
    acls = next(text for text in scripts if text.startswith("kafka-acls"))
    _follow_acls(guarded, acls)

    host, port = conninfo_to_dict(database.dsn)["host"], conninfo_to_dict(database.dsn)["port"]
    access = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n"
    lines = [line for line in files["client.properties"].splitlines() if line.startswith(("sasl.user", "sasl.pass"))]
    Path("client.properties").write_text(access + "\n".join(lines))
    environment = {
        "OUTBOX_KIT_DSN": make_conninfo(host=host, port=port, dbname=database.name, user=owner),
        "OUTBOX_KIT_CONNECT": worker,
        "OUTBOX_KIT_BOOTSTRAP": guarded.guarded,
        "OUTBOX_KIT_KAFKA_CONFIG": "client.properties",
        "PGPASSWORD": PASSWORD,
        "KAFKA_PASSWORD": "a verifier",
        "OUTBOX_DB_PASSWORD": "",
    }
    schema_file = files["outbox.yaml"].replace("host: db.internal", f"host: {host}\n  port: {port}")
    schema_file = schema_file.replace("replication_factor: 3", "replication_factor: 1")
    schema_file = schema_file.replace("  config: {database.sslmode: verify-full}\n", "")
    for text in scripts:
        for command in pages.kit_commands(text):
            changes = command.startswith("plan")  # which ends with 1
            invoke(*shlex.split(command.partition(">")[0]), environment=environment, code=1 if changes else 0)
            if command.startswith("init"):
                Path("outbox.yaml").write_text(schema_file)
        if "deploy-connector --probe" in text:
            dsn = make_conninfo(environment["OUTBOX_KIT_DSN"], user=application, password=PASSWORD)
            with psycopg.connect(dsn) as connection:
                connection.execute(statements[-1])  # type: ignore[arg-type]
    assert "PASS" in invoke("verify", environment=environment).stdout
    _examine_acls(guarded, f"{database.name}.", environment, tmp_path / "worker" / "connect.properties")
    assert Path("report.html").stat().st_size > 0
    environment["OUTBOX_KIT_DSN"] = database.dsn  # the owner may not drop a replication slot
    invoke("remove", "--drop-slot", "--reset-offsets", "--allow-destructive", environment=environment)
