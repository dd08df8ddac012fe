"""A relay that records what it publishes in the columns of tables, as their owners made them, or of its own table."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from outbox_kit.databases.failures import FailureCounts
from outbox_kit.errors import LanesLost, UsageProblem
from outbox_kit.relay import failing
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import Connection, Recording, Stepped, drive, numbers, write
from tests.support.servers import PASSWORD, Server
from tests.support.servers.postgres import Postgres

TABLES = Path(__file__).with_name("outboxes.sql")
pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)


class Owner(NamedTuple):
    """The owner of a table of outboxes.sql."""

    insert: str
    """Inserts a row; its parameter is the payload's number, as text."""
    state: str
    """What says of a row what has become of it, by the number in its payload."""
    published: Any
    failed: Any
    retried: Any
    """After a retry that succeeded."""
    discarded: Any
    schema: str = ""
    type: str = "OrderPlaced"


OWNERS = {
    "polling-postgres": Owner(
        "insert into outbox_events (id, aggregate_type, aggregate_id, event_type, payload) "
        "values (gen_random_uuid(), 'Order', %(n)s::text, 'OrderPlaced', jsonb_build_object('n', %(n)s::int))",
        "select status::text, attempts from outbox_events where payload ->> 'n' = %(n)s",
        ("SENT", 1),
        ("FAILED", 1),
        ("SENT", 2),
        ("FAILED", 1),
    ),
    "postgres-minimal": Owner(
        "insert into outbox_messages values (gen_random_uuid(), 'OrderPlaced', jsonb_build_object('n', %(n)s::int), "
        "now())",
        "select processed_on_utc between now() - interval '1 minute' and now(), error from outbox_messages "
        "where content ->> 'n' = %(n)s",
        (True, None),
        (None, "of a test"),
        (True, None),
        (True, "of a test"),
    ),
    "sqlserver-outbox": Owner(
        """insert into messaging."OutboxMessage" values (gen_random_uuid(), now() at time zone 'utc', 'OrderPlaced',
        json_build_object('n', %(n)s::int)::text, null, 'orders')""",
        """select "ProcessedOn" > (now() - interval '1 minute') at time zone 'utc',
        "RetryCount", "Error" from messaging."OutboxMessage" where "Payload"::json ->> 'n' = %(n)s""",
        (True, 1, None),
        (None, 1, "of a test"),
        (True, 2, None),
        (True, 1, "of a test"),
        "messaging",
    ),
    "nhibernate-outbox": Owner(
        "insert into billing.outbox_messages values (gen_random_uuid(), 'OrderPlaced', "
        "json_build_object('n', %(n)s::int)::text)",
        "select true from billing.outbox_messages where json_payload::json ->> 'n' = %(n)s",
        *(None, None, None, None),
        schema="billing",
    ),
    "masstransit": Owner(
        """insert into "OutboxMessage" ("SentTime", "MessageId", "ContentType", "MessageType", "Body") values
        (now(), gen_random_uuid(), 'application/json', 'urn:message:Shop:OrderPlaced',
        json_build_object('n', %(n)s::int)::text)""",
        """select true from "OutboxMessage" where "Body"::json ->> 'n' = %(n)s""",
        *(None, None, None, None),
        type="urn:message:Shop:OrderPlaced",
    ),
    "cap": Owner(
        "insert into cap.published values (7000000000000000000 + %(n)s::int, 'v1', 'OrderPlaced', "
        "json_build_object('n', %(n)s::int)::text, 0, localtimestamp, null, 'Scheduled')",
        """select "StatusName", "Retries", "ExpiresAt" - now() at time zone 'utc' > interval '23 hours'
        from cap.published where "Content"::json ->> 'n' = %(n)s""",
        ("Succeeded", 1, True),
        ("Failed", 1, None),
        ("Succeeded", 2, True),
        ("Failed", 1, None),
        "cap",
    ),
}


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Recording:
    for name, seconds in (("POLL_SECONDS", 0.02), ("IDLE_SECONDS", 0.05), ("FIRST_SECONDS", 0.05)):
        monkeypatch.setattr(failing, name, seconds)
    return Recording()


@pytest.fixture
def connection(server: Server, name: str) -> Iterator[Connection]:
    assert isinstance(server, Postgres)
    with psycopg.connect(server.dsn(name), autocommit=True) as connection:
        yield connection


@pytest.fixture
def opened(server: Server, name: str) -> Iterator[Callable[..., Stepped]]:
    """Opens relays, with the privileges of their role."""
    relays: list[Stepped] = []

    def opened(outbox: Outbox, sink: Recording, **options: Any) -> Stepped:
        assert isinstance(server, Postgres)
        relays.append(Stepped(outbox, server.dsn(name, f"{name}_outbox"), sink, **options))
        return relays[-1].open()

    yield opened
    for relay in relays:
        relay.dropped()


Opened = Callable[..., Stepped]


def created(kit: Kit) -> Outbox:
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    assert kit("gen-ddl", "--apply").stdout == ""
    return read(Path("outbox.yaml")).outboxes[0]


def dead_letter(connection: Connection, outbox: Outbox, number: int) -> str:
    """The number in the table of failures of the event whose payload has a number."""
    table = outbox.dialect.quote_ident(outbox.names.schema, outbox.names.failure_table)
    query = f"select number from {table} where (row_text::json ->> %s)::json ->> 'n' = %s"  # noqa: S608
    row = connection.execute(query.encode(), (outbox.table.columns.payload, str(number))).fetchone()
    assert row is not None
    return str(row[0])


def at_rest(relay: Stepped) -> bool:
    """Whether everything that was read is stored."""
    return relay.source._pace._pause >= 0.2 and not any(cursor.batches for cursor in relay.source._cursors)


@pytest.mark.parametrize("preset", OWNERS)
def test_a_table_is_published_as_its_owner_made_it(
    server: Server, name: str, kit: Kit, connection: Connection, opened: Opened, sink: Recording, preset: str
) -> None:
    owner = OWNERS[preset]
    connection.execute(TABLES.read_bytes())
    schema = f", schema: {owner.schema}" if owner.schema else ""
    Path("outbox.yaml").write_text(f"""
service: {name}
database: {{dialect: postgres, port: {server.port}{schema}}}
table: {{preset: {preset}}}
delivery: {{by: relay, source: table, attempts: 1}}
events: [{{type: "{owner.type}", aggregate: Order}}]
""")
    outbox = created(kit)

    def state(number: int) -> Any:
        return connection.execute(owner.state.encode(), {"n": str(number)}).fetchone()

    relay = opened(outbox, sink)
    drive([relay], lambda: at_rest(relay))
    left, dead = len(sink.sent), relay.failures.counts().dead  # of the rows that were there
    sink.refuses = lambda message: b"7" in (message.value or b"") or b"8" in (message.value or b"")
    for number in (1, 7, 8):
        connection.execute(owner.insert.encode(), {"n": str(number)})
    drive([relay], lambda: relay.failures.counts().dead == dead + 2 and at_rest(relay))
    assert (state(1), state(7), state(8)) == (owner.published, owner.failed, owner.failed)
    sink.refuses = lambda _: False
    discarded = dead_letter(connection, outbox, 8)
    kit("relay", "dead", "retry", dead_letter(connection, outbox, 7), "--yes")
    kit("relay", "dead", "discard", discarded, "--yes", "--allow-destructive")
    drive([relay], lambda: relay.failures.counts() == FailureCounts(dead, 0) and at_rest(relay))
    assert (state(1), state(7), state(8)) == (owner.published, owner.retried, owner.discarded)
    drive([opened(outbox, Recording())], lambda: at_rest(relay))
    drive([relay], lambda: at_rest(relay))
    assert len(sink.sent) == left + 2
    assert kit("status", code=None).stdout.count("privilege") == 0
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.roles(name) == []
