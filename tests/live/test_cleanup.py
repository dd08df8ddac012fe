"""Old rows go from the table of a running connector: only those that it has published, and without its notice."""

import json
from typing import Any

import psycopg

from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.stack import Stack
from tests.live.conftest import Kit
from tests.live.consumed import ids_on
from tests.support.waiting import until

INSERT = """
insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at)
select gen_random_uuid(), 'Order', n::text, 'OrderPlaced', '{}', now() - interval '30 days'
from generate_series(1, 50) n
returning id::text
"""


def document(kit: Kit, *arguments: str) -> dict[str, Any]:
    return json.loads(kit("cleanup", *arguments, "--format", "json").stdout)


def test_rows_go_when_the_slot_has_passed_them_and_the_connector_runs_on(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    published = {event for (event,) in rows.execute(INSERT)}

    def removable() -> int:
        rows.execute("select pg_log_standby_snapshot()")
        return int(document(kit, "--dry-run")["old"]["removable"])

    until(lambda: removable() == 50, "the slot proves that the rows are published")
    kit("pause")
    later = {event for (event,) in rows.execute(INSERT)}
    done = document(kit)
    assert (done["deleted"], done["old"]["unproven"]) == (50, 50)
    assert any("does not run" in note for note in done["notes"])
    kit("resume")
    until(lambda: removable() == 50, "the slot has passed the other rows")
    assert document(kit)["deleted"] == 50
    status = connector_status(Connect(stack.connect_url).status(f"{outbox}-outbox"))
    assert status.running
    assert sorted(ids_on(stack, f"{outbox}.Order", 100)) == sorted(published | later)  # a DELETE is no message


def test_a_connector_that_is_not_registered_proves_nothing(kit: Kit, tables: str, rows: psycopg.Connection) -> None:
    rows.execute(INSERT)
    refused = kit("cleanup", code=4).stderr
    assert "is not registered" in refused and "deploy-connector" in refused and "--by-age" in refused
    assert rows.execute("select count(*) from outbox").fetchone() == (50,)
