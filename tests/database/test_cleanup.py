"""Rows that are removed, and rows that must stay, in real servers; without Kafka Connect."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.database.conftest import Kit, Written
from tests.support.servers import Server
from tests.support.waiting import until

POSTGRES = pytest.mark.parametrize("server", ["postgres-18", "postgres-16"], indirect=True)
NEWEST = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
OTHERS = pytest.mark.parametrize("server", ["mysql", "mariadb"], indirect=True)
RELAY_OF_LOG = "delivery: {by: relay}"
INSERT = """
insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at)
select gen_random_uuid(), 'Order', n::text, 'OrderPlaced', '{}', now() - interval '%s days'
from generate_series(1, %s) n
"""
IDS = "select id::text from outbox order by id"
Ask = Callable[..., list[Any]]


@pytest.fixture
def ask(server: Server, name: str) -> Ask:
    return lambda statement, *values: server.ask(statement, *values, database=name)


@pytest.fixture
def slot(ask: Ask, name: str) -> Iterator[Callable[[], None]]:
    """Creates the slot of the relay; calling the value confirms everything that is committed."""
    slot = f"{name}_outbox"

    def confirm() -> None:
        for _ in range(4):  # each time the server takes the first list of running transactions that it reads in the WAL
            ask("select pg_logical_emit_message(true, 'of a test', '')")
            ask("select pg_log_standby_snapshot()")
            ask("select pg_replication_slot_advance(%s, pg_current_wal_insert_lsn())", slot)

    yield confirm
    ask("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s", slot)


def create_slot(ask: Ask, name: str) -> None:
    ask("select pg_create_logical_replication_slot(%s, 'pgoutput')", f"{name}_outbox")


def document(kit: Kit, *arguments: str, code: int = 0) -> dict[str, Any]:
    return json.loads(kit("cleanup", *arguments, "--format", "json", code=code).stdout)


@POSTGRES
def test_a_slot_proves_which_rows_are_published(
    server: Server, name: str, kit: Kit, written: Written, ask: Ask, slot: Callable[[], None]
) -> None:
    written(RELAY_OF_LOG)
    kit("gen-ddl", "--apply")
    ask(INSERT % (30, 100))
    assert "does not exist" in kit("cleanup", code=4).stderr
    create_slot(ask, name)
    ask(INSERT % (8, 5))
    ask(INSERT % (0, 7))
    slot()
    with server.session("postgres", name) as late:  # its transaction begins before the position, and ends after it
        late("begin")
        late("savepoint s")
        late(INSERT % (20, 3))
        slot()
        ask(INSERT % (9, 2))
        late("commit")
    failed = ask(INSERT.replace("gen_random_uuid()", "'11111111-1111-4111-8111-111111111111'") % (9, 1))
    ask(
        "insert into outbox_failure (lane, event_id, row_text, cause, attempts, dead, send_at) values "
        "('x', '11111111-1111-4111-8111-111111111111', '', '', 1, true, now())"
    )
    assert failed == []
    planned = document(kit, "--dry-run")
    assert planned["old"] == {"removable": 105, "unproven": 5, "failed": 1, "future": 0}
    assert ask("select count(*) from outbox") == [(118,)]
    done = document(kit, "--batch", "10", "--pause", "0")
    assert (done["deleted"], done["complete"], done["proof"]) == (105, True, "slot")
    assert done["old"] == {"removable": 0, "unproven": 5, "failed": 1, "future": 0}
    slot()
    assert document(kit)["deleted"] == 5
    assert ask("select count(*) filter (where created_at < now() - interval '1 day'), count(*) from outbox") == [(1, 8)]
