"""A relay that records what it publishes in columns of tables of MySQL and MariaDB; see `test_relay_marks`."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pymysql
import pytest

from outbox_kit.databases.failures import FailedEvent, FailureCounts
from outbox_kit.errors import LanesLost, UsageProblem
from outbox_kit.relay import failing
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import SHORT_LEASE, Recording, Stepped, drive, numbers, write
from tests.support.servers import PASSWORD
from tests.support.servers.mysql import MySql

EVERYWHERE = pytest.mark.parametrize("server", ["mysql", "mariadb"], indirect=True)
ON_MYSQL = pytest.mark.parametrize("server", ["mysql"], indirect=True)
Opened = Callable[..., Stepped]
Ask = Callable[..., list[Any]]


class Owner(NamedTuple):
    """The owner of a table: how it makes it and writes a row, and what says of a row what has become of it."""

    table: str
    insert: str
    state: str
    published: Any
    failed: Any
    retried: Any
    discarded: Any


OWNERS = {
    "sqlserver-outbox": Owner(
        "create table OutboxMessage (Id char(36) primary key, OccurredOn datetime(6) not null, MessageType varchar(99) "
        "not null, Payload longtext not null, CorrelationId char(36), Destination varchar(255) not null, ProcessedOn "
        "datetime null, RetryCount int, Error varchar(4) character set latin1, key waiting (ProcessedOn, OccurredOn))",
        "insert into OutboxMessage values (uuid(), utc_timestamp(6), 'OrderPlaced', json_object('n', %s), null, "
        "'orders', null, null, null)",
        "select ProcessedOn > utc_timestamp() - interval 1 minute, RetryCount, Error from OutboxMessage "
        "where Payload->'$.n' = %s",
        (1, 1, None),
        (None, 1, "of a"),
        (1, 2, None),
        (1, 1, "of a"),
    ),
    "cap": Owner(
        "create table `cap.published` (Id bigint primary key, Version varchar(20), Name varchar(200) not null, Content "
        "longtext, Retries int, Added datetime not null, ExpiresAt datetime, StatusName varchar(40) not null, "
        "key (StatusName))",
        "insert into `cap.published` values (7000000000000000000 + %s, 'v1', 'OrderPlaced', json_object('n', Id - "
        "7000000000000000000), 0, now(), null, 'Scheduled')",
        "select StatusName, Retries, ExpiresAt - interval 23 hour > utc_timestamp() from `cap.published` "
        "where Content->'$.n' = %s",
        ("Succeeded", 1, 1),
        ("Failed", 1, None),
        ("Succeeded", 2, 1),
        ("Failed", 1, None),
    ),
}


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Recording:
    for name, seconds in (("POLL_SECONDS", 0.02), ("IDLE_SECONDS", 0.05), ("FIRST_SECONDS", 0.05)):
        monkeypatch.setattr(failing, name, seconds)
    return Recording()


@pytest.fixture
def ask(server: MySql, name: str) -> Ask:
    """The rows of a statement, which is committed."""
    return lambda statement, *values: list(server.ask(statement, *values, database=name))


@pytest.fixture
def opened(server: MySql, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Opens relays, with the privileges of their role."""
    relays: list[Stepped] = []
    environment = server.environment(name, f"{name}_outbox")
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)

    def opened(outbox: Outbox, sink: Recording, **options: Any) -> Stepped:
        relays.append(Stepped(outbox, environment["OUTBOX_KIT_DSN"], sink, **options))
        return relays[-1].open()

    yield opened
    for relay in relays:
        relay.dropped()


def created(kit: Kit, server: MySql | None = None, name: str = "") -> Outbox:
    """The outbox of the schema file. server: runs the script, which `--apply` refuses for ids that are bytes."""
    if server is not None:
        server.script(name, kit("gen-ddl").stdout)
        server.ask(f"alter user {name}_outbox@'%%' identified by %s account unlock", PASSWORD)
    else:
        kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    return read(Path("outbox.yaml")).outboxes[0]


def at_rest(relay: Stepped) -> bool:
    """Whether everything that was read is stored."""
    return relay.source._pace._pause >= 0.2 and not any(cursor.batches for cursor in relay.source._cursors)


def dead_letter(ask: Ask, outbox: Outbox, text: str) -> str:
    """The number of the dead letter whose row has a text."""
    table = f"`{outbox.names.failure_table}`"
    ((number,),) = ask(f"select number from {table} where dead and instr(row_text, %s)", text)
    return str(number)


@EVERYWHERE
@pytest.mark.parametrize("preset", OWNERS)
def test_a_table_is_published_as_its_owner_made_it(
    server: MySql, name: str, kit: Kit, ask: Ask, opened: Opened, sink: Recording, preset: str
) -> None:
    owner = OWNERS[preset]
    ask(owner.table)
    Path("outbox.yaml").write_text(f"""
service: {name}
database: {{dialect: {server.dialect}, port: {server.port}}}
table: {{preset: {preset}}}
delivery: {{by: relay, attempts: 1}}
events: [{{type: OrderPlaced, aggregate: Order}}]
""")
    outbox = created(kit)
    assert kit("gen-ddl", "--apply").stdout == ""

    def state(number: int) -> Any:
        query = re.sub(r"(\w+)->'(.*?)'", r"json_extract(\1, '\2')", owner.state)
        return ask(query, number)[0]

    relay = opened(outbox, sink)
    sink.refuses = lambda message: b"7" in (message.value or b"") or b"8" in (message.value or b"")
    for number in (1, 7, 8):
        ask(owner.insert, number)
    drive([relay], lambda: relay.failures.counts().dead == 2 and at_rest(relay))
    assert (state(1), state(7), state(8)) == (owner.published, owner.failed, owner.failed)
    sink.refuses = lambda _: False
    discarded = dead_letter(ask, outbox, ": 8}")
    kit("relay", "dead", "retry", dead_letter(ask, outbox, ": 7}"), "--yes")
    kit("relay", "dead", "discard", discarded, "--yes", "--allow-destructive")
    drive([relay], lambda: relay.failures.counts() == FailureCounts(0, 0) and at_rest(relay))
    assert (state(1), state(7), state(8)) == (owner.published, owner.retried, owner.discarded)
    drive([opened(outbox, Recording())], lambda: at_rest(relay))
    assert len(sink.sent) == 2
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.roles(name) == []


MARKS = {
    "time": "record: mark",
    "status": "mark: {status: {column: 'a `state` %', pending: \"it's \\\\ new\", published: done, failed: 'no %s'}, "
    "attempts: attempts, error: cause}",
    "boolean": "mark: {status: {column: is_sent, pending: false, published: true}, error: cause}",
}
WITH_MARKS = pytest.mark.parametrize("marks", MARKS)
STATES = {
    "time": "select published_at is not null from outbox order by sequence",
    "status": "select `a ``state`` %`, attempts, cause from outbox order by sequence",
    "boolean": "select is_sent, cause from outbox order by sequence",
}


@pytest.fixture
def marks() -> str:
    return "time"


@pytest.fixture
def outbox(written: Written, kit: Kit, marks: str) -> Outbox:
    written(f"delivery: {{by: relay, attempts: 2, {MARKS[marks]}}}")
    return created(kit)


def inserted(server: MySql, name: str, *events: tuple[str, int]) -> None:
    with server.connection("boss", name) as connection:
        for key, number in events:
            write(connection, key, number)


@EVERYWHERE
@WITH_MARKS
def test_each_state_of_an_event_is_in_its_row(
    server: MySql, name: str, kit: Kit, ask: Ask, opened: Opened, sink: Recording, outbox: Outbox, marks: str
) -> None:
    """Traps 5 and 11: what is not published is told from what is, and leaves that state by a decision only."""
    inserted(server, name, ("a", 1), ("a", 2), ("a", 3), ("b", 1))
    sink.refuses = lambda message: message.value in (b'["a",2]', b'["b",1]')
    relay = opened(outbox, sink)
    drive([relay], lambda: relay.failures.counts() == FailureCounts(2, 1) and at_rest(relay))
    waits = "waits for an earlier event of its lane"
    states = lambda: ask(STATES[marks])  # noqa: E731
    assert (
        states()
        == {
            "time": [(1,), (0,), (0,), (0,)],
            "status": [("done", 1, None), ("no %s", 2, "of a test"), ("no %s", 0, waits), ("no %s", 2, "of a test")],
            "boolean": [("true", None), ("false", "of a test"), ("false", waits), ("false", "of a test")],
        }[marks]
    )
    number = dead_letter(ask, outbox, '"b"')
    kit("relay", "dead", "discard", number, "--yes", "--allow-destructive")
    sink.refuses = lambda _: False
    kit("relay", "dead", "retry", "--all", "--yes")
    drive([relay], lambda: relay.failures.counts() == FailureCounts(0, 0))
    assert (
        states()
        == {
            "time": [(1,), (1,), (1,), (1,)],
            "status": [("done", 1, None), ("done", 3, None), ("done", 1, None), ("no %s", 2, "of a test")],
            "boolean": [("true", None), ("true", None), ("true", None), ("true", "of a test")],
        }[marks]
    )
    relay.stop()
    drive([opened(outbox, sink)], lambda: relay.source.oldest() is None)
    assert numbers(sink.sent) == [("a", 1), ("a", 2), ("a", 3)]


IDS = {
    "text": ("varchar(60) collate utf8mb4_general_ci", "concat('it''s \"%%s\" {} \\\\ ä😀', if(n %% 2, 'x', 'X'), n)"),
    "latin1": ("varchar(60) character set latin1", "concat('ä''', n, if(n = 9, '  ', ''))"),
    "bigint": ("bigint", "9223372036854775000 + n"),
    "unsigned": ("bigint unsigned", "18446744073709551000 + n"),
    "bytes": ("binary(16)", "concat(unhex('00ff5c27'), lpad(n, 12, '0'))"),
}


@ON_MYSQL
@pytest.mark.parametrize("kind", IDS)
def test_ids_of_every_type_are_found_again(
    server: MySql, name: str, kit: Kit, ask: Ask, opened: Opened, sink: Recording, kind: str
) -> None:
    """Two relays, so that the lanes of rows and of failed events must agree; keys are the ids."""
    type_name, value = IDS[kind]
    ask(
        f"create table `My ``%s{{}}` (`i d` {type_name} primary key, type varchar(9) not null, payload varchar(99) not "
        "null, done tinyint(1) not null default 0, cause varchar(5), size int as (length(payload)) stored) "
        "character set utf8mb4"
    )
    Path("outbox.yaml").write_text(f"""
service: {name}
database: {{dialect: {server.dialect}, port: {server.port}}}
table:
  existing: true
  name: 'My `%s{{}}'
  ids: {"bigint" if kind in ("bigint", "unsigned") else "text"}
  columns: {{id: i d, aggregate_type: null, aggregate_id: null, created_at: null}}
routing: {{topic: orders}}
delivery:
  by: relay
  attempts: 1
  mark: {{status: {{column: done, pending: false, published: true}}, error: cause}}
events: [{{type: A, aggregate: Order}}]
""")
    outbox = created(kit, server if kind == "bytes" else None, name)
    sink.refuses = lambda message: message.value == b"7"
    relays = [opened(outbox, sink, lease=3, most_rows=7) for _ in range(2)]
    drive(relays, lambda: {len(relay.owned) for relay in relays} == {8})
    ask(
        f"insert into `My ``%%s{{}}` (`i d`, type, payload) with recursive c as (select %s as n union all "
        f"select n + 1 from c where n < 40) select {value}, 'A', n from c",
        1,
    )
    drive(relays, lambda: len(sink.sent) == 39 and all(map(at_rest, relays)))
    assert ask("select payload, cause from `My ``%s{}` where done = 0") == [("7", "of a ")]
    kit("relay", "dead", "discard", "--all", "--yes", "--allow-destructive")
    assert ask("select payload from `My ``%s{}` where done = 0") == []


@ON_MYSQL
def test_12_a_relay_that_has_lost_a_lane_writes_nothing_about_its_failed_events(
    server: MySql, name: str, ask: Ask, opened: Opened, sink: Recording, written: Written, kit: Kit
) -> None:
    written(f"delivery: {{by: relay, attempts: 2, {MARKS['status']}}}")
    outbox = created(kit)
    inserted(server, name, ("a", 1))
    sink.refuses = lambda _: True
    frozen = opened(outbox, sink, lease=SHORT_LEASE)
    drive([frozen], lambda: frozen.failures.counts() == FailureCounts(1, 0) and at_rest(frozen))
    columns = "number, lane, event_id, topic, row_text, cause, attempts, dead"
    event = FailedEvent(*ask(f"select {columns} from outbox_failure")[0])
    other = opened(outbox, Recording(), lease=32)
    drive([other], lambda: len(other.owned) == 16)
    before = ask("select * from outbox_failure, outbox")

    def writes(relay: Stepped) -> list[Callable[[], None]]:
        table = relay.failures
        return [
            lambda: table.add([event], 0),
            lambda: table.begin([event.number]),
            lambda: table.postpone(event.number, "x", 0, dead=True, counted=False),
            lambda: table.delivered([event.number]),
        ]

    for write_ in writes(frozen):
        with pytest.raises(LanesLost, match="lost its lanes"):
            write_()
        assert ask("select * from outbox_failure, outbox") == before
    for write_ in writes(other)[1:]:
        write_()
    assert ask(STATES["status"]) == [("done", 2, None)] and ask("select * from outbox_failure") == []


@EVERYWHERE
def test_a_read_looks_at_no_published_row(
    server: MySql, name: str, ask: Ask, opened: Opened, sink: Recording, outbox: Outbox
) -> None:
    """Also if the server believes that half of the rows are not published, because its statistics are old."""
    ask(
        "insert into outbox (id, aggregatetype, aggregateid, type, payload, published_at) with recursive n as (select "
        "1 as n union all select n + 1 from n where n < 900) select concat('00000000-0000-4000-8000-', lpad(n, 12, "
        "'0')), 'Order', n, 'OrderPlaced', '{}', if(n %% 2, null, now()) from n where n > %s",
        0,
    )
    ask("analyze table outbox")
    ask("update outbox set published_at = now()")
    inserted(server, name, ("a", 1))
    relay = opened(outbox, sink)
    table: Any = relay.table
    query = table._sql(table.row_scripts.read, {**table._parts, "chosen": "true"}) % {"most": 5000}
    with server.connection("boss", name) as connection:
        connection.execute("flush status")
        assert len(connection.execute(query).fetchall()) == 1
        read = dict(connection.execute("show session status like 'Handler_read%'").fetchall())
        plan = str(connection.execute(f"explain {query}").fetchall())
    assert sum(map(int, read.values())) < 50 and "sort" not in plan.lower(), (read, plan)


@EVERYWHERE
def test_status_reports_what_the_table_lacks(ask: Ask, kit: Kit, outbox: Outbox) -> None:
    lacks = "the index of unpublished rows of"
    assert lacks not in kit("status", code=1).stdout
    ask("alter table outbox drop key unpublished")
    assert lacks in kit("status", code=1).stdout
    ask("alter table outbox drop column published_at")
    assert "column published_at of" in kit("status", code=1).stdout
    kit("gen-ddl", "--apply")
    assert lacks not in kit("status", code=1).stdout


OTHERWISE = {
    "alter table outbox drop column published_at": "'published_at' is missing",
    "alter table outbox modify published_at varchar(40)": "'published_at' is varchar.*; expected a date with a time",
    "alter table outbox drop key event": "no index that begins with the column 'id'",
}


@ON_MYSQL
@pytest.mark.parametrize("change", OTHERWISE)
def test_a_table_that_cannot_be_marked_is_refused(
    ask: Ask, opened: Opened, sink: Recording, outbox: Outbox, change: str
) -> None:
    ask(change)
    with pytest.raises(UsageProblem, match=OTHERWISE[change]):
        opened(outbox, sink)


@EVERYWHERE
@pytest.mark.parametrize("snapshot", ["initial", "no_data"])
@pytest.mark.parametrize("marks", ["time", "status"])
def test_rows_from_before_the_columns_are_published_as_the_schema_file_says(
    server: MySql, name: str, kit: Kit, written: Written, opened: Opened, sink: Recording, marks: str, snapshot: str
) -> None:
    written()
    created(kit)
    inserted(server, name, ("a", 1))
    written(f"connect: {{snapshot: {snapshot}}}\ndelivery: {{by: relay, {MARKS[marks]}}}")
    outbox = created(kit)
    inserted(server, name, ("a", 2))
    assert kit("gen-ddl", "--apply").stdout == ""
    drive([opened(outbox, sink)], lambda: numbers(sink.sent)[-1:] == [("a", 2)])
    assert numbers(sink.sent) == ([("a", 1), ("a", 2)] if snapshot == "initial" else [("a", 2)])


@EVERYWHERE
@pytest.mark.parametrize(("marks", "retention"), [("status", "delete"), ("time", "partition")])
def test_7_the_runbook_deletes_no_row_that_is_not_published(
    server: MySql, name: str, ask: Ask, kit: Kit, written: Written, marks: str, retention: str
) -> None:
    written(f"table: {{retention: {retention}, keep_days: 1}}\ndelivery: {{by: relay, {MARKS[marks]}}}")
    created(kit)
    lines = [line for line in kit("gen-runbook").stdout.splitlines() if "--defaults-extra-file" in line]
    (deletes,) = [
        shlex.split(line)[-1].replace("\\`", "`") for line in lines if re.search("delete from|drop partition", line)
    ]
    if retention == "partition":
        first = ask(
            "select partition_name from information_schema.partitions where table_schema = %s and table_name = "
            "'outbox' order by partition_ordinal_position limit 1",
            name,
        )[0][0]
        deletes = deletes.replace("p$day", first)
    inserted(server, name, ("k0", 0), ("k1", 1), ("k2", 2))
    ask("update outbox set created_at = '2020-01-01 12:00'")

    def left() -> int:
        server.script(name, deletes)
        return int(ask("select count(*) from outbox")[0][0])

    final = {"time": "published_at = now()", "status": "`a ``state`` %%` = 'done'"}[marks]
    assert left() == 3
    ask(f"update outbox set {final} where aggregateid = %s", "k0")
    assert left() == (2 if retention == "delete" else 3)
    ask(f"update outbox set {final} where aggregateid <> %s", "")
    assert left() == 0


@EVERYWHERE
def test_the_role_may_update_the_columns_and_no_others(
    server: MySql, name: str, outbox: Outbox, opened: Opened, sink: Recording
) -> None:
    inserted(server, name, ("a", 1))
    drive([opened(outbox, sink)], lambda: len(sink.sent) == 1)
    with server.connection(f"{name}_outbox", name) as connection:
        connection.execute("update outbox set published_at = now()")
        for statement in ("update outbox set type = 'x'", "delete from outbox"):
            with pytest.raises(pymysql.OperationalError, match="denied"):
                connection.execute(statement)


@EVERYWHERE
def test_an_event_is_not_published_before_its_time(
    server: MySql, name: str, kit: Kit, ask: Ask, opened: Opened, sink: Recording
) -> None:
    ask(
        "create table messages (id varchar(40) primary key, kind varchar(40) not null, body text not null, "
        "state enum('NEW', 'SENT') not null, due timestamp null, key (state))"
    )
    Path("outbox.yaml").write_text(f"""
service: {name}
database: {{dialect: {server.dialect}, port: {server.port}}}
table:
  existing: true
  name: messages
  ids: text
  columns: {{aggregate_type: null, aggregate_id: null, type: kind, payload: body, created_at: null}}
routing: {{topic: orders}}
delivery:
  by: relay
  mark: {{status: {{column: state, pending: NEW, published: SENT}}, available_at: due}}
events: [{{type: A, aggregate: Order}}]
""")
    relay = opened(created(kit), sink)
    ask("insert into messages values ('1', 'A', '1', 'NEW', now() + interval 1 hour), ('2', 'A', '2', 'NEW', null)")
    drive([relay], lambda: len(sink.sent) == 1 and at_rest(relay))
    ask("update messages set due = now()")
    drive([relay], lambda: len(sink.sent) == 2)
    assert [message.value for message in sink.sent] == [b"2", b"1"]
