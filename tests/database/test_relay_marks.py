"""A relay that records what it publishes in the columns of tables, as their owners made them, or of its own table."""

import json
import shlex
import uuid
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import sql

from outbox_kit.databases.failures import FailedEvent, FailureCounts, FailureTable
from outbox_kit.databases.polling import Lane
from outbox_kit.databases.postgres import consumed
from outbox_kit.databases.postgres.consumed import MarkTable
from outbox_kit.databases.postgres.failures import COLUMNS
from outbox_kit.errors import LanesLost, UsageProblem
from outbox_kit.relay import failing
from outbox_kit.relay.sources.table import TableSource
from outbox_kit.render.marked import is_published, unpublish
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import Connection, Recording, Stepped, drive, numbers, write
from tests.support.servers import Server
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
    return read(Path("outbox.yaml")).outboxes[0]


def dead_letter(connection: Connection, outbox: Outbox, number: int) -> str:
    """The number in the table of failures of the event whose payload has a number."""
    table = outbox.dialect.quote_ident(outbox.names.schema, outbox.names.failure_table)
    query = f"select number from {table} where (row_text::json ->> %s)::json ->> 'n' = %s"
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
    outbox = of_preset(server, name, kit, preset)
    assert kit("gen-ddl", "--apply").stdout == ""

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


MARKS = {
    "position": "record: position",
    "time": "record: mark",
    "status": "mark: {status: {column: 'a \"state\" %', pending: \"it's new\", published: done, failed: 'no %s'}, "
    "attempts: attempts, error: cause}",
    "boolean": "mark: {status: {column: is_sent, pending: false, published: true}, error: cause}",
}
WITH_MARKS = pytest.mark.parametrize("marks", ["time", "status", "boolean"])
STATES = {
    "time": "select published_at is not null from outbox order by sequence",
    "status": 'select "a ""state"" %", attempts, cause from outbox order by sequence',
    "boolean": "select is_sent, cause from outbox order by sequence",
}


@pytest.fixture
def marks() -> str:
    return "time"


@pytest.fixture
def outbox(written: Written, kit: Kit, marks: str) -> Outbox:
    written(f"delivery: {{by: relay, source: table, attempts: 2, {MARKS[marks]}}}")
    return created(kit)


@WITH_MARKS
def test_each_state_of_an_event_is_in_its_row(
    kit: Kit, connection: Connection, opened: Opened, sink: Recording, outbox: Outbox, marks: str
) -> None:
    """Traps 5 and 11: what is not published is told from what is, and leaves that state by a decision only."""
    for number in range(1, 4):
        write(connection, "a", number)
    write(connection, "b", 1)
    sink.refuses = lambda message: message.value in (b'["a",2]', b'["b",1]')
    relay = opened(outbox, sink)
    drive([relay], lambda: relay.failures.counts() == FailureCounts(2, 1) and at_rest(relay))
    waits = "waits for an earlier event of its lane"

    def states() -> list[Any]:
        return connection.execute(STATES[marks].encode()).fetchall()

    assert (
        states()
        == {
            "time": [(True,), (False,), (False,), (False,)],
            "status": [("done", 1, None), ("no %s", 2, "of a test"), ("no %s", 0, waits), ("no %s", 2, "of a test")],
            "boolean": [("true", None), ("false", "of a test"), ("false", waits), ("false", "of a test")],
        }[marks]
    )
    kit("relay", "dead", "discard", dead_letter_of(connection, "b"), "--yes", "--allow-destructive")
    sink.refuses = lambda _: False
    kit("relay", "dead", "retry", dead_letter_of(connection, "a"), "--yes")
    drive([relay], lambda: relay.failures.counts() == FailureCounts(0, 0))
    assert (
        states()
        == {
            "time": [(True,), (True,), (True,), (True,)],
            "status": [("done", 1, None), ("done", 3, None), ("done", 1, None), ("no %s", 2, "of a test")],
            "boolean": [("true", None), ("true", None), ("true", None), ("true", "of a test")],
        }[marks]
    )
    relay.stop()
    drive([opened(outbox, sink)], lambda: relay.source.oldest() is None)
    assert numbers(sink.sent) == [("a", 1), ("a", 2), ("a", 3)]


def dead_letter_of(connection: Connection, key: str) -> str:
    row = connection.execute(
        "select number from outbox_failure where dead and lane like %s", (f'%"{key}"]',)
    ).fetchone()
    assert row is not None
    return str(row[0])


@WITH_MARKS
def test_25_dead_letters_at_the_head_do_not_keep_later_events_back(
    connection: Connection, opened: Opened, sink: Recording, outbox: Outbox
) -> None:
    for number in range(7):
        write(connection, f"poison{number}", number)
    sink.refuses = lambda message: b"poison" in (message.value or b"")
    relay = opened(outbox, sink, most_rows=2)
    drive([relay], lambda: relay.failures.counts().dead == 7)
    for number in range(5):
        write(connection, "a", number)
    drive([relay], lambda: len(sink.sent) == 5 and at_rest(relay))
    assert relay.failures.counts() == FailureCounts(7, 0)


def test_15_a_poison_row_is_sent_as_often_by_several_relays_as_by_one(
    connection: Connection, opened: Opened, sink: Recording, outbox: Outbox
) -> None:
    relays = [opened(outbox, sink, lease=10) for _ in range(3)]
    drive(relays, lambda: sorted(len(relay.owned) for relay in relays) == [5, 5, 6])
    sent: list[bytes | None] = []
    sink.refuses = lambda message: b"poison" in (message.value or b"") and not sent.append(message.value)  # type: ignore[func-returns-value]
    for number in range(10):
        write(connection, f"poison{number}", 0)
        write(connection, f"k{number}", number)
    drive(relays, lambda: relays[0].failures.counts() == FailureCounts(10, 0) and len(sink.sent) == 10)
    assert len(sent) == 10 * 2 and {sent.count(value) for value in sent} == {2}


def test_17_a_relay_that_starts_does_not_take_what_another_one_is_sending(
    connection: Connection, opened: Opened, sink: Recording, outbox: Outbox
) -> None:
    relay = opened(outbox, sink, lease=3)
    for number in range(20):
        write(connection, f"k{number}", number)
    sink.holds = True
    drive([relay], lambda: len(relay.relay._in_flight) == 20)
    other_sink = Recording()
    other = opened(outbox, other_sink, lease=3)
    drive([relay, other], lambda: relay.source._surplus)
    for _ in range(20):
        relay.step()
        other.step()
    assert other_sink.sent == [] and other.owned == set()
    sink.holds = False
    drive([relay, other], lambda: len(relay.owned) == len(other.owned) == 8)
    assert len(sink.sent) == 20 and other_sink.sent == []


def test_17_a_lane_is_kept_while_a_stored_event_of_it_is_sent(
    connection: Connection, opened: Opened, sink: Recording, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "FIRST_SECONDS", 60.0)
    relay = opened(outbox, sink, lease=3)
    for number in range(20):
        write(connection, f"k{number}", number)
    sink.refuses = lambda _: True
    drive([relay], lambda: relay.failures.counts() == FailureCounts(0, 20) and at_rest(relay))
    sink.holds, sink.refuses = True, lambda _: False
    connection.execute("update outbox_failure set send_at = now()")
    drive([relay], lambda: relay.relay._in_flight)
    other = opened(outbox, sink, lease=3)
    drive([relay, other], lambda: relay.source._surplus)
    for _ in range(20):
        relay.step()
    assert len(relay.owned) == 16
    sink.holds = False
    drive([relay, other], lambda: len(relay.owned) == len(other.owned) == 8)
    drive([relay, other], lambda: relay.failures.counts() == FailureCounts(0, 0))
    assert len(sink.sent) == len(set(numbers(sink.sent))) == 20


def test_27_the_pause_before_an_attempt_begins_with_the_last_one(
    connection: Connection, opened: Opened, sink: Recording, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "FIRST_SECONDS", 60.0)
    write(connection, "a", 1)
    connection.execute("update outbox set created_at = now() - interval '3 days'")
    sink.refuses = lambda _: True
    relay = opened(outbox, sink)
    drive([relay], lambda: relay.failures.counts() == FailureCounts(0, 1))
    connection.execute("update outbox_failure set failed_at = now() - interval '2 days', send_at = now()")
    drive([relay], lambda: relay.failures.counts().dead == 1)
    assert connection.execute("select dead, failed_at < tried_at from outbox_failure").fetchall() == [(True, True)]


@WITH_MARKS
@pytest.mark.parametrize("retention", ["delete", "partition"])
def test_7_the_runbook_deletes_no_row_that_is_not_published(
    connection: Connection, kit: Kit, written: Written, marks: str, retention: str
) -> None:
    written(f"table: {{retention: {retention}}}\ndelivery: {{by: relay, source: table, {MARKS[marks]}}}")
    published = is_published(created(kit))
    if retention == "partition":
        bounds = "partition of outbox for values from ('2020-01-01') to ('2020-01-02')"
        connection.execute(f"create table outbox_20200101 {bounds}".encode())
    for number in range(3):
        write(connection, f"k{number}", number)
    connection.execute("update outbox set created_at = '2020-01-01 12:00+00'")
    page = kit("gen-runbook").stdout

    def left() -> int:
        if retention == "delete":
            assert "outbox-kit cleanup --job" in page
            run(connection, kit("cleanup", "--job").stdout.split("$job$")[1])
        else:
            lines = [line for line in page.splitlines() if line.startswith("psql")]
            drops = next(query for line in lines for query in shlex.split(line) if "drop table" in query)
            for (statement,) in run(connection, drops):
                connection.execute(statement)
        return len(run(connection, "select from outbox"))

    final = MARKED_BY_HAND[marks]
    assert left() == 3
    run(connection, f"update outbox set {final} where aggregateid = 'k0'")
    assert left() == (2 if retention == "delete" else 3)
    assert len(run(connection, f"select from outbox where {published}")) == (0 if retention == "delete" else 1)
    run(connection, f"update outbox set {final}")
    assert left() == 0


MARKED_BY_HAND = {
    "time": "published_at = now()",
    "status": '"a ""state"" %" = \'done\'',
    "boolean": "is_sent = true",
}


def run(connection: Connection, statement: str) -> list[Any]:
    """The rows of a statement without values, of which there may be none."""
    done = connection.execute(statement.encode())
    return done.fetchall() if done.description is not None else []


WRITES: dict[str, Callable[[FailureTable, FailedEvent], None]] = {
    "add": lambda table, event: table.add([replace(event, event_id=str(uuid.uuid4()))], 0),
    "begin": lambda table, event: table.begin([event.number]),
    "postpone": lambda table, event: table.postpone(event.number, "x", 0, dead=True, counted=False),
    "delivered": lambda table, event: table.delivered([event.number]),
}


@pytest.mark.parametrize("marks", ["position", "status"])
def test_12_a_relay_that_has_lost_a_lane_writes_nothing_about_its_failed_events(
    connection: Connection, opened: Opened, sink: Recording, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "FIRST_SECONDS", 60.0)
    write(connection, "a", 1)
    sink.refuses = lambda _: True
    frozen = opened(outbox, sink, lease=3)
    drive([frozen], lambda: frozen.failures.counts() == FailureCounts(0, 1) and at_rest(frozen))
    event = FailedEvent(*run(connection, f"select {COLUMNS} from outbox_failure")[0])
    other = opened(outbox, Recording(), lease=32)
    drive([other], lambda: len(other.owned) == 16)
    partly = replace(other.failures, owned=Among(other.source, other.owned - {lane_number(connection, "a")}))  # type: ignore[type-var]
    before = run(connection, "select * from outbox_failure, outbox")
    for failures in (frozen.failures, partly):
        for writes in WRITES.values():
            with pytest.raises(LanesLost, match="lost its lanes"):
                writes(failures, event)
            assert run(connection, "select * from outbox_failure, outbox") == before
    for writes in WRITES.values():
        writes(other.failures, event)
    assert len(run(connection, "select from outbox_failure")) == 1


class Among(NamedTuple):
    """Some of a relay's lanes."""

    source: TableSource
    numbers: Collection[int]

    def __call__(self) -> Collection[int]:
        return self.numbers

    def lanes(self) -> Collection[Lane]:
        return [lane for lane in self.source.lanes() if lane.number in self.numbers]

    @property
    def member(self) -> str:
        return self.source.member


def lane_number(connection: Connection, key: str) -> int:
    row = connection.execute("select mod(hashtext(%s) & 2147483647, 16)", (key,)).fetchone()
    assert row is not None
    return int(row[0])


def test_an_event_is_not_published_before_its_time(
    server: Server, name: str, kit: Kit, connection: Connection, opened: Opened, sink: Recording
) -> None:
    owner = OWNERS["polling-postgres"]
    connection.execute(TABLES.read_bytes())
    outbox = of_preset(server, name, kit, "polling-postgres")
    connection.execute(owner.insert.encode(), {"n": "1"})
    connection.execute("update outbox_events set available_at = now() + interval '1 hour' where status = 'PENDING'")
    connection.execute(owner.insert.encode(), {"n": "2"})
    relay = opened(outbox, sink)
    drive([relay], lambda: len(sink.sent) == 1 and at_rest(relay))
    connection.execute("update outbox_events set available_at = now() where status = 'PENDING'")
    drive([relay], lambda: len(sink.sent) == 2)
    assert [message.value for message in sink.sent] == [b'{"n": 2}', b'{"n": 1}']


IDS = {
    "text": ("text", "'it''s \"%s\" {} \\ \u00e4\U0001f600' || n"),
    "bigint": ("bigint", "9223372036854775000 + n"),
    "padded": ("character(12)", "'a' || n"),
}


@pytest.mark.parametrize("kind", IDS)
def test_ids_of_every_type_are_found_again(
    server: Server, name: str, kit: Kit, connection: Connection, opened: Opened, sink: Recording, kind: str
) -> None:
    """Two relays, so that the lanes of rows and of failed events must agree; keys are the ids."""
    type_name, value = IDS[kind]
    connection.execute(
        f'create table "My ""%s" ("i d" {type_name} primary key, type text not null, payload text not null, '
        "done boolean not null default false, cause varchar(5), "
        "number int generated always as (length(payload)) stored)".encode()
    )
    Path("outbox.yaml").write_text(f"""
service: {name}
database: {{dialect: postgres, port: {server.port}}}
table:
  existing: true
  name: 'My "%s'
  ids: {"bigint" if kind == "bigint" else "text"}
  columns: {{id: i d, aggregate_type: null, aggregate_id: null, created_at: null}}
routing: {{topic: orders}}
delivery:
  by: relay
  source: table
  attempts: 1
  mark: {{status: {{column: done, pending: false, published: true}}, error: cause}}
events: [{{type: A, aggregate: Order}}]
""")
    outbox = created(kit)
    sink.refuses = lambda message: message.value == b"7"
    relays = [opened(outbox, sink, lease=3, most_rows=7) for _ in range(2)]
    drive(relays, lambda: {len(relay.owned) for relay in relays} == {8})
    rows = f"select {value}, 'A', n::text from generate_series(1, 40) as n"
    connection.execute(f'insert into "My ""%s" ("i d", type, payload) {rows}'.encode())
    drive(relays, lambda: len(sink.sent) == 39 and all(map(at_rest, relays)))
    assert run(connection, 'select payload, cause from "My ""%s" where not done') == [("7", "of a ")]
    kit("relay", "dead", "discard", "--all", "--yes", "--allow-destructive")
    assert run(connection, 'select payload from "My ""%s" where not done') == []


def test_status_reports_a_missing_index_of_unpublished_rows(connection: Connection, kit: Kit, outbox: Outbox) -> None:
    lacks = f"the index of unpublished rows of {outbox.names.schema}.outbox does not exist"
    assert lacks not in kit("status", code=1).stdout
    connection.execute("drop index outbox_unpublished")
    assert lacks in kit("status", code=1).stdout
    kit("gen-ddl", "--apply")
    assert lacks not in kit("status", code=1).stdout


OTHERWISE = {
    "alter table outbox drop column published_at": "'published_at' is missing",
    "alter table outbox alter column published_at type text": "'published_at' is text; expected a date with a time",
    "alter table outbox drop constraint outbox_pkey, alter column id drop not null": "column 'id' of .* may be null",
}


@pytest.mark.parametrize("change", OTHERWISE)
def test_a_table_that_cannot_be_marked_is_refused(
    connection: Connection, opened: Opened, sink: Recording, outbox: Outbox, change: str
) -> None:
    connection.execute(change.encode())
    with pytest.raises(UsageProblem, match=OTHERWISE[change]):
        opened(outbox, sink)


PUBLISHED = {
    "polling-postgres": "insert into outbox_events (id, aggregate_type, aggregate_id, event_type, payload, status) "
    "select gen_random_uuid(), 'Order', n, 'OrderPlaced', '{}', 'SENT' from generate_series(1, 40000) n",
    "postgres-minimal": "insert into outbox_messages select gen_random_uuid(), 'OrderPlaced', '{}', now(), now() "
    "from generate_series(1, 40000) n",
    "": "insert into outbox (id, aggregatetype, aggregateid, type, payload, published_at) "
    "select gen_random_uuid(), 'Order', n, 'OrderPlaced', '{}', now() from generate_series(1, 40000) n",
}


@pytest.mark.parametrize("preset", PUBLISHED)
def test_a_read_looks_at_no_published_row(
    server: Server,
    name: str,
    kit: Kit,
    written: Written,
    connection: Connection,
    opened: Opened,
    sink: Recording,
    preset: str,
) -> None:
    """Also if the server believes that half of the rows are not published, because its statistics are old."""
    if preset:
        connection.execute(TABLES.read_bytes())
        outbox = of_preset(server, name, kit, preset)
    else:
        written("delivery: {by: relay, source: table, record: mark}")
        outbox = created(kit)
    table, mark = outbox.table.name, outbox.mark
    assert mark is not None
    connection.execute(PUBLISHED[preset].encode())
    state = mark.written[0]
    run(connection, f"create table published as select {state} from {table} limit 1")
    run(connection, f"update {table} set {unpublish(outbox)} where random() < 0.5")
    run(connection, f"analyze {table}")
    run(connection, f"update {table} set {state} = (select {state} from published)")
    relay = opened(outbox, sink)
    sink.sent.clear()
    polled = relay.table
    assert isinstance(polled, MarkTable)
    for analyzed in (False, True):
        query = polled._query(f"explain (analyze, format json) {consumed.READ}", chosen=sql.SQL("true"))
        plan = json.loads(polled._fetched(query, {"most": 5000})[0][0] or b"")
        nodes = [*nodes_of(plan[0]["Plan"])]
        assert not [node for node in nodes if node["Node Type"] == "Seq Scan" and node["Relation Name"] == table]
        assert sum(node.get("Rows Removed by Filter", 0) for node in nodes) == 0, analyzed
        run(connection, f"vacuum analyze {table}")


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's nodes."""
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes_of(part)


def of_preset(server: Server, name: str, kit: Kit, preset: str) -> Outbox:
    """The outbox of a table of outboxes.sql."""
    owner = OWNERS[preset]
    schema = f", schema: {owner.schema}" if owner.schema else ""
    Path("outbox.yaml").write_text(f"""
service: {name}
database: {{dialect: postgres, port: {server.port}{schema}}}
table: {{preset: {preset}}}
delivery: {{by: relay, source: table, attempts: 1}}
events: [{{type: "{owner.type}", aggregate: Order}}]
""")
    return created(kit)


@pytest.mark.parametrize("snapshot", ["initial", "no_data"])
@pytest.mark.parametrize("marks", ["time", "status"])
def test_rows_from_before_the_columns_are_published_as_the_schema_file_says(
    connection: Connection, kit: Kit, written: Written, opened: Opened, sink: Recording, marks: str, snapshot: str
) -> None:
    written()
    created(kit)
    write(connection, "a", 1)
    written(f"connect: {{snapshot: {snapshot}}}\ndelivery: {{by: relay, source: table, {MARKS[marks]}}}")
    outbox = created(kit)
    write(connection, "a", 2)
    assert kit("gen-ddl", "--apply").stdout == ""
    drive([opened(outbox, sink)], lambda: numbers(sink.sent)[-1:] == [("a", 2)])
    assert numbers(sink.sent) == ([("a", 1), ("a", 2)] if snapshot == "initial" else [("a", 2)])
