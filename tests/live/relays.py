"""Relays of a test: their processes, their slots, and events that are refused."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
)

from outbox_kit.kafka.read import Cluster
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.support import slots
from tests.support.waiting import PATIENT_SECONDS

INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, 'OrderPlaced', %s)"
)
MANY = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
    select gen_random_uuid(), 'Order', n %% 50, 'OrderPlaced', '{}' from generate_series(1, %s) n"""
SMALL, LARGE = json.dumps({"n": 1}), json.dumps({"n": os.urandom(200_000).hex()})  # which no compression makes small
LIMIT, RAISED = "100000", "1000000"


def drop_slot(database: Database, name: str) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        slots.drop(connection, name)


def slot(service: str) -> str:
    return f"{service}_outbox"


@contextmanager
def running(stack: Stack, database: Database, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A relay's process."""
    environment = {**os.environ, **stack.environment(database.name)}
    command = [sys.executable, "-m", "outbox_kit", "relay", *arguments]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENT_SECONDS)
        process.stderr.close()  # type: ignore[union-attr]


def verdict(kit: Kit) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(
        kit("verify", "--format", "json", "--catch-up-timeout", "5", code=None).stdout
    )
    return document


def lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stderr is not None
    return [process.stderr.readline() for _ in range(count)]


def committed(stack: Stack, service: str) -> int:
    """How many offsets of the events' topic readers with read_committed may read."""
    log, topic = Cluster(stack.bootstrap), f"{service}.Order"
    partitions = log.topics().get(topic, 0)
    return sum(each.end for each in log.pin([(topic, number) for number in range(partitions)]))


def allow_large(admin: AdminClient, topic: str) -> None:
    entry = ConfigEntry("max.message.bytes", RAISED, incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
    admin.incremental_alter_configs([resource])[resource].result()
