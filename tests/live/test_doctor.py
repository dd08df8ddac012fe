"""`doctor` names faults of a connector, its slot and its topics on the real stack, each with its fix."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    ResourceType,
)

from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.support import slots
from tests.support.faults import FAULTS
from tests.support.waiting import until

ACCEPTED = {
    "DOC-SERVER-03": "the stack's server has no limit",
    "DOC-SERVER-07": "other tests use the server at the same time",
    "DOC-SLOT-08": "other tests use the server at the same time",
    "DOC-WORKER-02": "the connectors of several databases are of different releases",
}
STREAM = "START_REPLICATION SLOT {} LOGICAL 0/0 (proto_version '1', publication_names '{}')"
INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) "
    "values (gen_random_uuid(), 'Order', '1', 'OrderPlaced', '{}')"
)


class Doctor:
    """Runs the command, and waits for what it is to find."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    def found(self, *options: str) -> dict[str, dict[str, Any]]:
        """The findings that count, by their rules."""
        accepted = [word for rule, why in ACCEPTED.items() for word in ("--ignore", f"{rule}={why}")]
        report = json.loads(self.kit("doctor", *options, *accepted, "--format", "json", code=None).stdout)
        counted = [finding for finding in report["findings"] if not finding["accepted"]]
        severities = {finding["severity"] for finding in counted}
        assert report["verdict"] == ("fail" if "error" in severities else "pass"), report
        return {finding["id"]: finding for finding in counted}

    def names(self, fault: str, *fix: str) -> dict[str, Any]:
        """Wait until a fault is found. fix: what its next step must say."""
        seen: dict[str, dict[str, Any]] = {}

        def is_found() -> bool:
            seen.update(self.found())
            return FAULTS[fault] in seen

        until(is_found, f"'{fault}' is found", 60)
        finding = seen[FAULTS[fault]]
        assert all(words in finding["fix"] for words in fix), finding
        return finding

    def is_content(self) -> None:
        """Wait until nothing is found."""
        last: list[object] = []

        def is_silent() -> bool:
            last[:] = self.found().items()
            return not last

        try:
            until(is_silent, "doctor finds nothing", 60)
        except AssertionError as late:
            raise AssertionError(f"{late}: {last}") from None


@pytest.fixture
def doctor(kit: Kit) -> Doctor:
    return Doctor(kit)


@pytest.fixture
def change(stack: Stack, outbox: str) -> Callable[..., None]:
    """Changes the connector behind the kit's back."""

    def send(method: str, path: str = "", body: object = None, connector: str = f"{outbox}-outbox") -> None:
        url = f"{stack.environment('')['OUTBOX_KIT_CONNECT']}/connectors/{connector}{path}"
        requests.request(method, url, json=body, timeout=120).raise_for_status()

    return send


@pytest.fixture
def published(rows: psycopg.Connection, outbox: str, admin: AdminClient) -> str:
    """The topic of the events, which the connector has written to."""
    rows.execute(INSERT)
    topic = f"{outbox}.Order"
    until(lambda: topic in admin.list_topics(timeout=60).topics, "the first event has its topic")
    return topic


def set_topic(admin: AdminClient, topic: str, name: str, value: str | None) -> None:
    kind = AlterConfigOpType.DELETE if value is None else AlterConfigOpType.SET
    entry = ConfigEntry(name, value or "", incremental_operation=kind)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
    admin.incremental_alter_configs([resource])[resource].result()


def test_faults_of_a_connector_and_its_topics(
    outbox: str,
    published: str,
    doctor: Doctor,
    kit: Kit,
    change: Callable[..., None],
    rows: psycopg.Connection,
    admin: AdminClient,
    stack: Stack,
) -> None:
    doctor.is_content()
    name = f"{outbox}-outbox"

    change("PUT", "/pause")
    doctor.names("the connector was paused", "outbox-kit resume")
    kit("deploy-connector", "--yes", "--resume", "--stable-for", "0")

    config = json.loads(kit("gen-connector").stdout)["config"]
    change("PUT", "/config", {**config, "poll.interval.ms": "50"})
    edited = doctor.names("the connector was edited by hand", "deploy-connector")
    assert "poll.interval.ms" in edited["message"]
    kit("deploy-connector", "--yes", "--stable-for", "0")

    change("PUT", "/config", {**config, "topic.prefix": "other"}, connector=f"{name}-too")
    shared = doctor.names("another connector has the same slot")
    assert f"connector '{name}-too' has the same slot.name" in shared["message"]
    change("DELETE", connector=f"{name}-too")

    role = f'"{outbox}_outbox"'
    rows.execute(f"alter role {role} password 'another'".encode())
    doctor.names("the password of the connector's role was changed", "--password-env OUTBOX_DB_PASSWORD")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")

    rows.execute(f'alter publication "{outbox}_outbox" drop table outbox'.encode())
    silent = doctor.found("--probe", "--probe-seconds", "2")
    assert {FAULTS["events do not arrive, though the connector runs"], "DOC-PUBLICATION-02"} <= silent.keys()
    kit("gen-ddl", "--apply")
    assert "canary     arrived at " in kit("doctor", "--probe", code=None).stdout
    assert rows.execute("select count(*) from outbox where aggregateid = id::text").fetchone() == (0,)

    worker = stack.place.folder / "connect.properties"
    assert not doctor.found("--worker-config", str(worker))
    Path("changed.properties").write_text(f"{worker.read_text()}\nconfig.providers=file\nproducer.acks=1\n")
    settings = doctor.found("--worker-config", "changed.properties")
    faults = ("the worker has no such config provider", "the worker confirms messages before they have replicas")
    assert settings.keys() == {FAULTS[fault] for fault in faults}

    schema = Path("outbox.yaml").read_text()
    Path("outbox.yaml").write_text(f"{schema}delivery_guarantee: exactly-once\n")
    doctor.names("the worker does not support exactly-once delivery", "exactly.once.source.support=enabled")
    Path("outbox.yaml").write_text(schema)

    for setting, value, fault in (
        ("cleanup.policy", "compact", "a topic of events is compacted"),
        ("max.message.bytes", "1000", "a topic refuses large events"),
    ):
        before = "delete" if setting == "cleanup.policy" else "1048588"
        set_topic(admin, published, setting, value)
        doctor.names(fault, f"kafka-configs.sh --bootstrap-server {stack.bootstrap} --alter", published, setting)
        set_topic(admin, published, setting, before)
    admin.create_partitions([NewPartitions(published, 8)])[published].result()
    doctor.names("partitions were added to a topic", "connect.topics.partitions: 8")
    admin.delete_topics([published])[published].result()
    doctor.names("a topic of events was deleted", "remove --reset-offsets")
    rows.execute(INSERT)
    until(lambda: published in admin.list_topics(timeout=60).topics, "the worker creates the topic again")
    doctor.is_content()

    change("DELETE")
    doctor.names("the connector was deleted", "deploy-connector")
    kit("deploy-connector", "--yes", "--stable-for", "0")
    doctor.is_content()


def test_faults_of_the_slot_of_a_connector(
    outbox: str, doctor: Doctor, kit: Kit, change: Callable[..., None], rows: psycopg.Connection, database: Database
) -> None:
    slot = f"{outbox}_outbox"
    rows.execute("alter table outbox drop constraint outbox_event_is_declared")
    rows.execute(INSERT.replace("'Order',", "'no topic!',"))
    failed = doctor.names("the task has failed", "constrain the routing column")
    assert "The topic name is invalid" in failed["message"] and failed["details"]
    rows.execute("delete from outbox")
    rows.execute(f'drop publication "{slot}"'.encode())
    doctor.names("the publication was dropped", "gen-ddl --apply")
    kit("gen-ddl", "--apply")

    change("PUT", "/stop")
    doctor.names("the connector was stopped, and its slot retains log", "remove --drop-slot")
    with reading(database, slot, rows):
        other = doctor.names("another program reads the slot", "pg_terminate_backend")
        assert "is read by curious of user postgres" in other["message"]
    rows.execute(INSERT)
    rows.execute("select pg_replication_slot_advance(%s, pg_current_wal_lsn())", (slot,))
    doctor.names("another reader has moved the slot", "--reset-offsets")
    rows.execute("select pg_drop_replication_slot(%s)", (slot,))
    dropped = doctor.names("the slot was dropped", "remove --drop-slot --reset-offsets")
    assert "the connector has a stored offset" in dropped["message"]

    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
    kit("deploy-connector", "--yes", "--probe", "--stable-for", "0")
    doctor.is_content()


@contextmanager
def reading(database: Database, slot: str, rows: psycopg.Connection) -> Iterator[None]:
    """A program that reads a slot for the length of a block; the slot is free behind it."""
    address = psycopg.conninfo.make_conninfo(database.dsn, replication="database", application_name="curious")
    reader = psycopg.pq.PGconn.connect(address.encode())
    reader.send_query(STREAM.format(slot, slot).encode())
    try:
        result = reader.get_result()
        assert result is not None and result.status == psycopg.pq.ExecStatus.COPY_BOTH, result.error_message
        yield
    finally:
        reader.finish()
        slots.wait_until_free(rows, slot)
