"""MySQL and MariaDB with a connector: it reads by its own rights alone, and the verdict is what was done."""

import json
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Timer
from typing import Any

import pymysql
import pytest
from confluent_kafka.admin import AdminClient
from pymysql.cursors import Cursor

from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.databases.ledger import mark_time
from outbox_kit.databases.mysql import ledger
from outbox_kit.findings.rule import Severity
from outbox_kit.inbox import Inbox, InboxMessage
from outbox_kit.inbox.consumer import Consumer
from outbox_kit.kafka.read import Cluster
from outbox_kit.operate.drill.shell import Shell
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.verify.follow import Follower
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.state import follower as state
from tests.live import cleanup, programs
from tests.live.arrivals import arrived, settled
from tests.live.chapters import executed, watched
from tests.live.committed import Committed
from tests.live.conftest import Kit
from tests.live.consumed import as_previewed, consumed, named
from tests.live.consumers import consuming, produce, reset
from tests.live.handed import Reported, doubled, operation, relay, taken
from tests.live.relayed import RELEASES
from tests.live.repeated import repeated
from tests.support.cli import invoke
from tests.support.request import request_of
from tests.support.servers import PASSWORD, SERVERS
from tests.support.servers.mysql import MySql
from tests.support.waiting import create_topics, until


@pytest.fixture(scope="module", params=["mysql", "mariadb"])
def server(request: pytest.FixtureRequest) -> Iterator[MySql]:
    with SERVERS[request.param]() as own:
        assert isinstance(own, MySql)
        yield own


@pytest.fixture
def name(server: MySql) -> Iterator[str]:
    """A database of the test's own."""
    own = f"t{uuid.uuid4().hex[:8]}"
    server.create(own)
    yield own
    server.drop(own)


@pytest.fixture
def kit(stack: Stack, server: MySql, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The command line in an empty folder, as the user who may do everything; `user` is another one."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 0, user: str = "boss") -> Any:
        environment = {**stack.environment("postgres"), **server.environment(name, user)}
        return invoke(*arguments, code=code, environment=environment, patient=True)

    return run


@pytest.fixture
def written(stack: Stack, server: MySql, name: str, kit: Kit) -> Callable[..., None]:
    """Writes the schema file, with more of it. payload: the schema of OrderPlaced's."""

    def write(more: str = "", config: dict[str, str] | None = None, payload: str = "null") -> None:
        Path("outbox.yaml").write_text(
            f"""
service: {name}
database: {{dialect: {server.dialect}, host: 127.0.0.1, port: {server.port}, writers: [application]}}
routing: {{topic: "{{service}}.{{aggregate}}"}}
events:
  - {{type: OrderPlaced, aggregate: Order, payload: {payload}}}
  - {{type: "It's \\\\ gone", aggregate: Order, tombstone: true}}
connect:
  bootstrap: "{stack.bootstrap}"
  heartbeat_ms: 500
  debezium: "{RELEASES[server.dialect]}"
  config: {json.dumps(config or {})}
{more}"""
        )

    return write


COLUMNS = "id, aggregatetype, aggregateid, type, payload"


LOST = f"insert into outbox ({COLUMNS}) values (%s, 'Order', '1', 'OrderPlaced', '1')"


BEAT = "insert into outbox_heartbeat (id) values (1) on duplicate key update beat_at = current_timestamp(6)"


def insert(server: MySql, name: str, count: int, age: timedelta = timedelta()) -> None:
    """Write events of two aggregates as the application, which may do nothing else."""
    ids, at = [str(uuid.uuid4()) for _ in range(count)], datetime.now(UTC) - age
    rows = [(one, "Order", str(number % 2), "OrderPlaced", '{"ä": 1.0 }', at) for number, one in enumerate(ids)]
    with application(server, name) as cursor:
        cursor.execute("set time_zone = '+00:00'")
        cursor.executemany(f"insert into outbox ({COLUMNS}, created_at) values (%s, %s, %s, %s, %s, %s)", rows)
        for more in ("select payload from outbox", "update outbox set payload = '1'", "delete from outbox"):
            with pytest.raises(pymysql.OperationalError, match="denied"):
                cursor.execute(more)


@pytest.mark.usefixtures("soon_quiet")
def test_generated_code_writes_in_its_transaction_and_handles_each_message_once(
    stack: Stack, server: MySql, name: str, kit: Kit, written: Callable[..., None], tmp_path: Path
) -> None:
    written(programs.EXTRA, payload=json.dumps(programs.PAYLOAD))
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--yes", "--probe", "--stable-for", "0")
    place = programs.Place(server.dialect, "127.0.0.1", server.port, "boss", PASSWORD, name)
    sent = programs.written(place, tmp_path, kit, lambda statement: server.ask(statement, database=name))
    assert dict(server.ask(f"select id, traceparent from {name}.outbox")) == sent
    report = json.loads(kit("verify", "--format", "json").stdout)
    assert report["verdict"] == "pass" and report["findings"] == []
    assert report["counts"]["distinct"] == report["counts"]["outbox_rows"] == len(sent)
    kit("remove", "--reset-offsets", "--allow-destructive")


@contextmanager
def application(server: MySql, name: str) -> Iterator[Cursor]:
    address = {"host": "127.0.0.1", "port": server.port, "user": "application", "password": PASSWORD}
    with pymysql.connect(database=name, **address) as connection, connection.cursor() as cursor:
        yield cursor
        connection.commit()


def cleanup_job(server: MySql, name: str, retention: str) -> Callable[[], None]:
    """A job that takes old rows: a few of them at a time by their age, or the partition in which they are."""
    if retention == "delete":
        return lambda: server.ask(
            "delete from outbox where created_at < now(6) - interval 1 day limit 5", database=name
        )
    today, find = datetime.now(UTC).date(), "select partition_name from information_schema.partitions"
    find += " where table_schema = %s and partition_name = 'old'"
    bounds = [f"values less than (unix_timestamp('{today + timedelta(days=days)}'))" for days in (0, 1)]
    parts = f"partition old {bounds[0]}, partition p{today:%Y%m%d} {bounds[1]}"
    utc = "set time_zone = '+00:00'; "
    server.ask(f"{utc} alter table outbox reorganize partition p{today:%Y%m%d} into ({parts})", database=name)
    return lambda: [server.ask("alter table outbox drop partition old", database=name) for _ in server.ask(find, name)]


@pytest.mark.usefixtures("soon_quiet")
@pytest.mark.parametrize("retention", ["delete", "partition"])
@pytest.mark.parametrize("payload", ["json", "text", "bytes"])
def test_events_arrive_by_the_connector_s_own_rights_and_a_cleanup_is_no_loss(
    server: MySql, name: str, kit: Kit, written: Callable[[str], None], payload: str, retention: str
) -> None:
    written(f"table: {{payload: {payload}, retention: {retention}, keep_days: 1}}\n")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    insert(server, name, 20, cleanup.OLD)  # the first read takes these, the log the others
    kit("deploy-connector", "--yes", "--stable-for", "0")
    insert(server, name, 20, cleanup.OLD)
    insert(server, name, 30)
    job = cleanup_job(server, name, retention)
    with repeated(job):
        report = json.loads(kit("verify", "--catch-up-method", "canary", "--format", "json").stdout)
    assert (report["verdict"], report["counts"]["distinct"]) == ("pass", 70)
    assert {one["id"] for one in report["findings"]} <= {"LOS-07"}
    assert 30 <= report["counts"]["outbox_rows"] <= 70
    for _ in range(8):  # what it has not come to yet
        job()
    assert server.ask(f"select count(*) from {name}.outbox where aggregatetype = 'Order'") == [(30,)]
    kit("remove", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.ask("select * from mysql.tables_priv where db = %s", name) == []


# columns of the types that the connectors' table has, each with values at its edges
TYPED = {
    "bit(1)": "b'1'",
    "bit(12)": "b'100000000011'",
    "tinyint": "-128",
    "tinyint(1)": "2",
    "tinyint unsigned": "255",
    "smallint unsigned": "65535",
    "mediumint unsigned": "16777215",
    "int unsigned": "4294967295",
    "bigint": "-9223372036854775808",
    "float": "0.5",
    "double": "1e22",
    "decimal(10,2)": "-12.50",
    "datetime": "'2026-11-21 12:00:00'",
    "datetime(3)": "'2026-11-21 12:00:00.123'",
    "datetime(6)": "'1969-12-31 23:59:59.999999'",
    "timestamp": "'2026-11-21 12:00:00'",
    "timestamp(3)": "'2026-11-21 12:00:00.120'",
    "timestamp(6)": "'2026-11-21 12:00:00.5'",
    "date": "'1969-12-30'",
    "time": "'23:59:59'",
    "time(3)": "'01:02:03.004'",
    "time(6)": "'01:02:00.5'",
    "year": "2026",
    "char(5)": "'ab'",
    "varchar(20)": "'text '",
    "tinytext": None,
    "enum('a','b')": "'b'",
    "set('a','b')": "'a,b'",
    "varbinary(4)": "x'00ff'",
    "longblob": None,
}
DEFAULTED = {"d0": "varchar(20) default 'x'", "d1": "int default -7", "d2": "tinyint(1) default 1", "d3": "text"}
"""Columns that are NULL; a header of each is the column's default."""
MODES: tuple[dict[str, str], ...] = (
    {},
    {"time.precision.mode": "connect", "decimal.handling.mode": "string", "binary.handling.mode": "hex"},
)


@pytest.mark.parametrize("modes", MODES)
def test_a_live_row_is_previewed_as_it_will_arrive(
    stack: Stack, server: MySql, name: str, kit: Kit, written: Callable[..., None], modes: dict[str, str]
) -> None:
    columns = [*(f"c{number}" for number in range(len(TYPED))), *DEFAULTED]
    placed = ",".join(["type:header:eventType", *(f"{column}:header" for column in columns)])
    written("", {"column.exclude.list": "", "transforms.outbox.table.fields.additional.placement": placed, **modes})
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    for number, (kind, value) in enumerate(TYPED.items()):
        default = f"not null default {value}" if value else "null"
        server.ask(f"alter table {name}.outbox add c{number} {kind} {default}")
    for column, kind in DEFAULTED.items():
        server.ask(f"alter table {name}.outbox add {column} {kind}")
    kit("deploy-connector", "--yes", "--stable-for", "0")
    insert(server, name, 1)
    nothing, nulls = str(uuid.uuid4()), ", ".join(["null"] * len(DEFAULTED))
    server.ask(
        f"insert into {name}.outbox ({COLUMNS}, {', '.join(DEFAULTED)}) "
        f"values ('{nothing}', 'Order', '0', 'OrderPlaced', '1', {nulls})"
    )
    for (event_id,) in server.ask(f"select id from {name}.outbox"):
        _expect_as_previewed(stack, name, kit, event_id)
    assert "not found in" in kit("preview", "--row", str(uuid.uuid4()), code=2).stderr
    kit("remove", "--reset-offsets", "--allow-destructive")


def _expect_as_previewed(stack: Stack, name: str, kit: Kit, event_id: str) -> None:
    arrived = as_previewed(consumed(stack, f"{name}.Order", [event_id])[event_id])
    shown = json.loads(kit("preview", "--row", event_id, "--format", "json").stdout)["messages"][0]
    assert named(shown.pop("headers")) == named(arrived.pop("headers"))
    assert {k: v for k, v in shown.items() if k not in ("row", "timestamp")} == arrived


@pytest.mark.usefixtures("soon_quiet")
def test_what_does_not_arrive_is_found(
    stack: Stack,
    server: MySql,
    name: str,
    kit: Kit,
    written: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written("cloudevents: {}\n")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    insert(server, name, 20)
    kit("deploy-connector", "--yes", "--probe", "--stable-for", "0")
    assert kit("plan").stdout.startswith("NO CHANGES")
    healthy = json.loads(kit("doctor", "--format", "json").stdout)
    assert {finding["severity"] for finding in healthy["findings"]} <= {"warning", "info"}
    assert "DOC-BINLOG-04" in healthy["passed"] and not healthy["not_checked_because"].keys() & {"no --connect"}
    kit("status")
    lost = str(uuid.uuid4())
    with server.unlogged(name) as cursor:
        cursor.execute(LOST, (lost,))
    report = json.loads(kit("verify", "--format", "json", "--catch-up-timeout", "3", code=1).stdout)
    assert [one["id"] for one in report["findings"]] == ["LOS-01"]
    assert lost in json.dumps(report["findings"])
    assert "the PROCESS privilege" in kit("verify", "follow", "--windows", "1", code=4, user="nobody").stderr
    monkeypatch.setattr(ledger, "CLOCKS_MS", 0)  # it is one machine
    monkeypatch.setattr(ledger, "STATEMENT_MS", 500)
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    dsn, place = f"mysql://boss@127.0.0.1:{server.port}/{name}", tmp_path / "state"
    outbox, begin = read(Path("outbox.yaml")).outbox(), Window(Bound(back=0))
    request = request_of(
        outbox,
        Cluster(stack.bootstrap),
        dsn,
        timeout=60,
        settle=0,
        catch_up=3,
        fence="canary",
        window=begin,
    )
    with state.locked(place):
        follows(server, name, Follower(request, place, 20, lambda _: None, lambda _: "", lambda _: None))
    assert "no replication slots" in kit("remove", "--drop-slot", "--allow-destructive", code=2).stderr
    kit("remove", "--reset-offsets", "--allow-destructive")


def follows(server: MySql, name: str, follower: Follower) -> None:
    """What is wrong is told once, and a transaction is judged when it has committed, however long it was open."""

    def told(wanted: set[str]) -> dict[str, int]:
        """What windows find until all that is written by now has been compared, and those are found that are wanted."""
        found, deadline = Counter[str](), time.monotonic() + 120
        ((now,),) = server.ask("select floor(unix_timestamp(current_timestamp(6)) * 1000)")
        while not wanted <= found.keys() or mark_time(follower.state.compared.mark) < now + 1500:
            assert time.monotonic() < deadline, found
            fresh = follower.window().fresh
            found += Counter({f.id: f.count for f in fresh if f.severity is not Severity.info})
        return dict(found)

    with server.unlogged(name) as cursor:
        cursor.execute("begin")
        cursor.execute(LOST, (str(uuid.uuid4()),))
        insert(server, name, 20)
        assert told(set()) == {}
        cursor.execute("commit")
    assert told({"LOS-01"}) == {"LOS-01": 1}
    event_id = str(uuid.uuid4())
    server.ask(LOST, event_id, database=name)
    server.ask("delete from outbox where id = %s", event_id, database=name)
    assert told({"LOS-03"}) == {"LOS-03": 1}
    assert told(set()) == {}
    assert follower.state.totals.events[f"{name}.Order"] == 21


def test_a_table_with_an_owner_is_captured_beside_its_publisher_and_left_to_it(
    stack: Stack, server: MySql, name: str, kit: Kit
) -> None:
    """CAP's, whose name has a dot, and whose ids are numbers."""
    server.ask(
        f"create table {name}.`cap.published` (Id bigint primary key, Version varchar(20), Name varchar(200) not null, "
        "Content longtext, Retries int, Added datetime not null, ExpiresAt datetime, StatusName varchar(40) not null)"
    )
    Path("outbox.yaml").write_text(
        f"""
service: {name}
database: {{dialect: {server.dialect}, host: 127.0.0.1, port: {server.port}}}
table: {{preset: cap}}
events: [{{type: {name}-orders, aggregate: Order}}]
connect: {{bootstrap: "{stack.bootstrap}", heartbeat_ms: 500, debezium: "{RELEASES[server.dialect]}"}}
"""
    )

    def publish(*numbers: int) -> None:
        values = f"'v1', '{name}-orders', '{{}}', 0, now(), null, 'Scheduled'"
        for number in numbers:
            server.ask(f"insert into {name}.`cap.published` values ({number}, {values})")

    publish(7001, 7002)
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    assert kit("gen-ddl", "--apply").stdout == ""
    kit("deploy-connector", "--yes", "--stable-for", "0")
    publish(7003)
    server.ask(f"update {name}.`cap.published` set StatusName = 'Succeeded' where Id < 7003")
    server.ask(f"delete from {name}.`cap.published` where Id = 7001")
    publish(7004)
    report = json.loads(kit("verify", "--format", "json").stdout)
    assert (report["verdict"], report["counts"]["distinct"], report["counts"]["outbox_rows"]) == ("pass", 4, 3)
    kit("remove", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.ask(f"select count(*) from {name}.`cap.published`") == [(3,)]


@pytest.mark.usefixtures("soon_quiet")
def test_the_offset_is_rewound_and_rows_are_sent_again(
    stack: Stack, server: MySql, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written("table: {payload: json}\n")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--yes", "--stable-for", "0")
    ((file, pos, *_),) = server.ask("show binary log status" if server.dialect == "mysql" else "show master status")
    insert(server, name, 4)
    settled(stack, name, 4, lambda: server.ask(BEAT, database=name))
    before = server.ask(f"select * from {name}.outbox order by sequence")

    for position, problem in (
        ("0/16B3748", "expected FILE:POSITION"),
        (f"{file}:{pos + 9}", "no transaction begins at"),
        ("binlog.999999:4", "does not exist"),
        (f"{file}:999999999", "ends at"),
    ):
        assert problem in kit("offsets", "rewind", "--to", position, "--yes", code=2).stderr
    shown = json.loads(kit("offsets", "rewind", "--to", f"{file}:{pos}", "--dry-run", "--format", "json").stdout)
    assert [step["name"] for step in shown["steps"]] == [
        "stop-connector",
        "save-offsets",
        "set-offsets",
        "resume-connector",
    ]
    assert "1 inserts into the table" in shown["consequences"][0]
    kit("offsets", "rewind", "--to", f"{file}:{pos}", "--yes")
    until(lambda: arrived(stack, name) >= 8)

    ids = [str(one) for (one,) in server.ask(f"select id from {name}.outbox order by sequence")]
    assert "1 newer event of 1 key" in kit("resend", "--id", ids[0], "--dry-run").stdout
    kit("resend", "--from-id", ids[0], "--to-id", ids[1], "--yes")
    until(lambda: arrived(stack, name) >= 10)
    assert server.ask(f"select * from {name}.outbox order by sequence") == before
    report = json.loads(kit("verify", "--format", "json").stdout)
    counted = {one["id"]: one["count"] for one in report["findings"]}
    assert report["verdict"] == "pass" and counted.keys() <= {"DUP-01", "DUP-02"} and counted
    kit("remove", "--reset-offsets", "--allow-destructive")


def test_a_renamed_connector_continues_in_the_binary_log(
    stack: Stack, server: MySql, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    """The schema history is of the topic prefix, so the new name reads that of the former."""
    written()
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--yes", "--stable-for", "0")
    insert(server, name, 4)
    settled(stack, name, 4)
    connect, path, old, new = Connect(stack.connect_url), Path("outbox.yaml"), f"{name}-outbox", f"{name}-renamed"
    path.write_text(path.read_text().replace("heartbeat_ms: 500", f"heartbeat_ms: 500\n  connector: {new}"))
    ((file, *_),) = server.ask("show binary log status" if server.dialect == "mysql" else "show master status")
    with repeated(lambda: insert(server, name, 2), 0.05):
        kit("rename", "--from", old)
    assert connect.config(old) is None and connector_status(connect.status(new)).running
    (stored,) = [entry["offset"] for entry in connect.offsets(new)]
    assert stored["file"] == file and not stored.get("snapshot")
    count = server.ask(f"select count(*) from {name}.outbox")[0][0]
    until(lambda: arrived(stack, name) >= count)
    report = json.loads(kit("verify", "--format", "json").stdout)
    assert report["verdict"] == "pass" and not report["findings"], report["findings"]
    assert arrived(stack, name) == count > 4
    kit("remove", "--reset-offsets", "--allow-destructive")


def test_the_binary_log_expires_and_is_lost_and_the_chapter_repairs_it(
    stack: Stack, server: MySql, name: str, kit: Kit, written: Callable[..., None], tmp_path: Path
) -> None:
    """The drill of the alerts OutboxLogExpires and OutboxOffsetNotInLog; the local stack has no such server."""
    written(f"monitoring: {json.dumps({'scrape_seconds': 2})}\n")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--yes", "--stable-for", "0")
    insert(server, name, 4)
    settled(stack, name, 4)
    connect, connector = Connect(stack.connect_url), f"{name}-outbox"
    ((keep,),) = server.ask("select @@global.binlog_expire_logs_seconds")
    tmp_path.joinpath("programs").mkdir()
    shell = Shell(tmp_path, stack.environment("postgres") | server.environment(name), tmp_path / "programs")
    with watched(shell) as watch:
        until(lambda: not watch.firing(), "no alert fires")
        connect.stop(connector)
        until(lambda: connector_status(connect.status(connector)).connector == "STOPPED", "the connector stops")
        insert(server, name, 6)
        try:
            server.ask("set global binlog_expire_logs_seconds = 4")
            until(lambda: "OutboxLogExpires" in watch.firing(), "half of the retention has passed")
        finally:
            server.ask(f"set global binlog_expire_logs_seconds = {keep}")
        server.ask("flush binary logs")
        until(lambda: purged(server), "the server deletes what is behind its checkpoint")
        until(lambda: "OutboxOffsetNotInLog" in watch.firing(), "the log at the offset is gone")
        assert 0 in executed(shell, "binlog-lost", (2, 3)).values()
        until(lambda: not {"OutboxLogExpires", "OutboxOffsetNotInLog"} & watch.firing(), "the alerts end")
    assert json.loads(kit("verify", "--format", "json").stdout)["verdict"] == "pass"
    assert arrived(stack, name) == 4 + 10  # the snapshot repeats what was published
    kit("remove", "--reset-offsets", "--allow-destructive")


def purged(server: MySql) -> bool:
    """Delete the binary logs but the newest. Whether none is left: MariaDB keeps those that its engine still needs."""
    *_, (newest, *_) = server.ask("show binary logs")
    server.ask(f"purge binary logs to '{newest}'")
    return len(server.ask("show binary logs")) == 1


@pytest.mark.random
def test_hand_overs_to_a_relay_and_back_lose_nothing(
    stack: Stack,
    server: MySql,
    name: str,
    kit: Kit,
    written: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    """Also transactions that are open while a side stops, and a hand-over that is interrupted."""
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    written("delivery: {by: connector}")
    Path("connector.yaml").write_text(text := Path("outbox.yaml").read_text())
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    Path("outbox.yaml").write_text(text.replace("by: connector", "by: relay"))
    kit("gen-ddl", "--apply")
    kit("deploy-connector", "--yes", "--stable-for", "0", "-f", "connector.yaml")
    environment = {**stack.environment("postgres"), **server.environment(name)}
    committed, report = Committed(lambda: server.connection("boss", name)), Reported({})
    with committed.written(pytestconfig.getoption("--case-seed")):
        to_relay = operation(environment, "outbox.yaml", report)
        with committed.late("open while the connector stops") as commit:
            taken(to_relay, 2)
            assert taken(to_relay) == ["resume-connector", "delete-published", "stop-connector", "reset-offset"]
            commit()
        assert taken(to_relay) == []
        members = f"select count(*) from {name}.outbox_member"
        with (
            relay(environment, lambda: server.ask(members) != [(0,)]) as process,
            committed.late("open while the relay stops") as commit,
        ):
            Timer(1, process.terminate).start()
            to_connector = operation(environment, "connector.yaml", Reported({"no relay runs": commit}))
            assert taken(to_connector) == ["await-relay", "resume-connector"]
    assert committed.duplicates(stack, f"{name}.Order") <= doubled(report.lines)
    kit("remove", "--reset-offsets", "--allow-destructive", "-f", "connector.yaml")


def test_a_consumer_has_each_effect_once(
    stack: Stack, server: MySql, name: str, written: Callable[..., None], kit: Kit
) -> None:
    """Duplicates of the producer, errors of the handler, a killed session and a reset of the offsets."""
    written()
    kit("gen-ddl", "--inbox", "--apply")
    server.ask("create table effect (n int)", database=name)
    admin = AdminClient({"bootstrap.servers": stack.bootstrap})
    create_topics(admin, name, partitions=1)
    failed: set[int] = set()

    def connect() -> Any:
        place: Any = {"host": "127.0.0.1", "port": server.port, "user": "boss", "password": PASSWORD}
        return pymysql.connect(**place, database=name, autocommit=True, ssl_disabled=True)

    def handle(connection: Any, message: InboxMessage) -> None:
        number = int(message.value or b"0")
        with connection.cursor() as cursor:
            cursor.execute("insert into effect values (%s)", (number,))
        if number % 50 == 0 and number not in failed:
            failed.add(number)
            if number == 100:
                server.ask(f"kill {connection.thread_id()}")
                connection.ping(reconnect=False)
            raise RuntimeError("an error of the handler")

    produce(stack, name, range(200), copies=2)
    settings = {"bootstrap.servers": stack.bootstrap, "group.id": name}
    counts = []
    for _ in range(2):
        inbox = Inbox("billing", dialect=server.dialect)
        consumer = Consumer(settings, [name], inbox, connect, handle)
        with consuming(stack, name, consumer):
            pass
        counts.append((consumer.counts.processed, consumer.counts.duplicates))
        reset(stack, name, partitions=1)
    assert counts == [(200, 200), (0, 400)]
    assert server.ask("select count(*), count(distinct n) from effect", database=name) == [(200, 200)]
    admin.delete_topics([name])[name].result()
