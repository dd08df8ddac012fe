"""A connector is replaced by another one beside it, on the real stack, while events are written."""

import json
import re
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.stopped import await_stopped
from outbox_kit.delivery.replacement import messages
from outbox_kit.delivery.replacement.duplicates import Pending, pending
from outbox_kit.delivery.replacement.replacement import Replacement
from outbox_kit.delivery.replacement.state import former_of
from outbox_kit.delivery.replacement.trial import Trial
from outbox_kit.errors import ConnectorUnhealthy
from outbox_kit.kafka.read import Cluster
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.wire import connector
from tests.live.arrivals import PARTITIONS, arrived, verified
from tests.live.conftest import Database, Kit, made
from tests.live.writers import INSERT, writers
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

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
def test_a_connector_is_replaced_under_writers_nothing_is_lost_and_the_number_of_duplicates_is_right(
    stack: Stack, database: Database, kit: Kit, blue: str, rows: psycopg.Connection, pytestconfig: pytest.Config
) -> None:
    connect, old, new = Connect(stack.connect_url), f"{blue}-outbox", f"{blue}-green"
    assert step_names(kit, blue) == ["run-trial", "create-connector", *SWITCH]
    assert "not confirmed" in kit("replace", "--from", old, code=2).stderr
    with writers(database, pytestconfig.getoption("--case-seed")):
        done = kit("replace", "--from", old, "--trial", "2", "--yes")
        time.sleep(0.5)
    assert "with equal topic, partition, key, headers and value" in done.stderr
    doubled = re.search(r"of which (\d+) will be published twice", done.stderr)
    assert doubled and "next       outbox-kit verify" in done.stdout, done.stderr
    assert connect.config(old) is None and connector_status(connect.status(new)).running
    assert slots(rows) == {f"{blue}_green"}
    assert not [topic for topic in Cluster(stack.bootstrap).topics() if ".trial." in topic and blue in topic]
    assert "nothing to do" in kit("replace", "--from", old).stderr
    findings, _, counts = verified(kit)
    assert not findings.keys() & {"LOS-01", "ORD-01"} and counts["outbox_rows"] > 50, counts
    assert counts["copies"] == int(doubled[1])  # 0, unless a slow worker could not store its last offset


def replacement(stack: Stack, database: Database, service: str) -> Replacement:
    outbox, cluster = read(Path("outbox.yaml")).outbox(None), Cluster(stack.bootstrap)
    new = Debezium(outbox, Connect(stack.connect_url), database.dsn, connector.config(outbox))
    former = former_of(new, f"{service}-outbox")
    return Replacement(Trial(former, new, cluster, 0, lambda: time.monotonic() + PATIENT_SECONDS, print))


def interrupted_after_each_step(stack: Stack, database: Database, service: str, last: str = "") -> list[str]:
    """The names of the steps that are taken if each is followed by an interruption, up to the last one."""
    taken: list[str] = []
    while steps := replacement(stack, database, service).plan().steps:
        # the connector is the record of its trial, and each proof is given again
        for step in steps[: 2 if steps[0].name in ("run-trial", "resume-connector") else 1]:
            step.run()
            taken.append(step.name)
        if last in taken:
            break
    return taken


def leave_trial(operation: Replacement) -> None:
    """A trial that is killed."""
    trial = operation.trial
    trial._start(trial.running, f"{operation.new.name}.trial.", messages.ends(operation.cluster, []))


def test_a_replacement_continues_after_each_interruption_and_returns_if_the_new_connector_does_not_run(
    stack: Stack, database: Database, kit: Kit, blue: str, rows: psycopg.Connection
) -> None:
    old, path, number = f"{blue}-outbox", Path("outbox.yaml"), 0
    publish = f"create publication {blue}_green for table outbox, outbox_heartbeat with (publish = 'insert')".encode()

    def expect_published() -> None:
        nonlocal number
        rows.execute(INSERT, (uuid.uuid4(), "1"))
        number += 1
        until(lambda: arrived(stack, blue) >= number, "the event arrives")

    rows.execute(publish)
    path.write_text(path.read_text().replace(f"publication: {blue}_outbox", f"publication: {blue}_green"))
    headers = "transforms.outbox.table.fields.additional.placement: type:header:kind"
    with changed(path, "config: {", f'config: {{"{headers.replace(": ", chr(34) + ": " + chr(34), 1)}", '):
        refused = kit("replace", "--from", old, "--trial", "0", "--yes", code=2).stderr
    assert "headers: different in" in refused and "--accept-differences" in refused
    with changed(path, "config: {", "config: {publication.name: nowhere, "):
        assert "removed the trial" in kit("replace", "--from", old, "--trial", "0", "--yes", code=4).stderr
    expect_published()
    assert slots(rows) == {f"{blue}_outbox"}

    leave_trial(replacement(stack, database, blue))
    taken = interrupted_after_each_step(stack, database, blue, last="copy-offset")
    assert taken == ["remove-trial", "run-trial", "create-connector", *SWITCH[:3]]
    operation = replacement(stack, database, blue)
    operation.new.workers.resume(old)  # by hand
    expect_published()
    expect_published()
    operation.new.workers.stop(old)
    await_stopped(operation.former, operation.deadline())
    assert pending(operation.new, operation.cluster, operation.deadline()) == Pending(left=2, doubled=2)
    assert interrupted_after_each_step(stack, database, blue, last="copy-offset") == SWITCH[1:3]
    rows.execute(f"drop publication {blue}_green".encode())
    resume = operation._runs(operation.observed())
    with pytest.raises(ConnectorUnhealthy) as failed:
        resume["resume-connector"]()
    assert "was resumed and publishes as before" in failed.value.details[-1]
    expect_published()
    rows.execute(publish)
    (point,) = rows.execute("select pg_current_wal_insert_lsn()::text").fetchone() or ("",)
    passed = "select 1 from pg_replication_slots where slot_name = %s and confirmed_flush_lsn > %s::pg_lsn"
    until(lambda: rows.execute(passed, (f"{blue}_outbox", point)).fetchone(), "the heartbeat moves the slot on")

    assert interrupted_after_each_step(stack, database, blue) == [*SWITCH[:5], "resume-connector", "delete-former"]
    expect_published()
    assert slots(rows) == {f"{blue}_green"}
    findings, _, counts = verified(kit)
    assert not findings.keys() & {"LOS-01", "ORD-01", "DUP-01", "DUP-02"}, counts
