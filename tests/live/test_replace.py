"""A connector is replaced by another one beside it, on the real stack, while events are written."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.kafka.read import Cluster
from outbox_kit.stack import Stack
from tests.live.arrivals import PARTITIONS, verified
from tests.live.conftest import Database, Kit, made
from tests.live.writers import writers
from tests.support.waiting import create_topics

SWITCH = ["stop-former", "copy-slot", "copy-offset", "resume-connector", "drop-former-slot", "delete-former"]
REMOVAL = ("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")


@pytest.fixture
def blue(stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    """A deployed outbox whose schema file names the connector `green` then; its service."""
    with made(stack, database, kit) as service:
        create_topics(AdminClient({"bootstrap.servers": stack.bootstrap}), f"{service}.Order", partitions=PARTITIONS)
        kit("deploy-connector", "--yes", "--stable-for", "0")
        path = Path("outbox.yaml")
        Path("blue.yaml").write_text(path.read_text())
        named = f"connect: {{connector: {service}-green, slot: {service}_green, publication: {service}_outbox, "
        path.write_text(path.read_text().replace("connect: {", named))
        yield service
        for file in ("outbox.yaml", "blue.yaml"):
            kit(*REMOVAL, "-f", file)


@contextmanager
def changed(path: Path, old: str, new: str) -> Iterator[None]:
    """A file with another text for the length of a block."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    try:
        yield
    finally:
        path.write_text(text)


def step_names(kit: Kit, service: str) -> list[str]:
    shown = kit("replace", "--from", f"{service}-outbox", "--dry-run", "--format", "json").stdout
    return [step["name"] for step in json.loads(shown)["steps"]]


def slots(rows: psycopg.Connection) -> set[str]:
    query = "select slot_name from pg_replication_slots where database = current_database()"
    return {name for (name,) in rows.execute(query)}


@pytest.mark.random
def test_a_connector_is_replaced_under_writers_and_nothing_is_lost_or_published_twice(
    stack: Stack, database: Database, kit: Kit, blue: str, rows: psycopg.Connection, pytestconfig: pytest.Config
) -> None:
    connect, old, new = Connect(stack.connect_url), f"{blue}-outbox", f"{blue}-green"
    assert step_names(kit, blue) == ["run-trial", "create-connector", *SWITCH]
    assert "not confirmed" in kit("replace", "--from", old, code=2).stderr
    with writers(database, pytestconfig.getoption("--case-seed")):
        done = kit("replace", "--from", old, "--trial", "2", "--yes")
        time.sleep(0.5)
    assert "with equal topic, partition, key, headers and value" in done.stderr
    assert "of which 0 will be published twice" in done.stderr and "next       outbox-kit verify" in done.stdout
    assert connect.config(old) is None and connector_status(connect.status(new)).running
    assert slots(rows) == {f"{blue}_green"}
    assert not [topic for topic in Cluster(stack.bootstrap).topics() if ".trial." in topic and blue in topic]
    assert "nothing to do" in kit("replace", "--from", old).stderr
    findings, _, counts = verified(kit)
    assert not findings.keys() & {"LOS-01", "ORD-01", "DUP-01", "DUP-02"} and counts["outbox_rows"] > 50, counts
