"""Every known outbox in one database, with ordinary tables around it: each is found, and what is in its way."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import conninfo

from outbox_kit.contracts.yaml import written
from tests.database.conftest import Kit
from tests.support.servers import PASSWORD
from tests.support.servers.postgres import Postgres

pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
TABLES = Path(__file__).with_name("outboxes.sql")
IN_THE_WAY = {
    "public.outbox": ("debezium", {"payload-normalized", "payload-nullable"}),
    "public.outbox_events": ("polling-postgres", {"other-publisher", "payload-normalized", "timestamp-with-time-zone"}),
    "public.outbox_messages": (
        "postgres-minimal",
        {"other-publisher", "no-key", "payload-normalized", "timestamp-with-time-zone"},
    ),
    "messaging.OutboxMessage": ("sqlserver-outbox", {"other-publisher", "no-key", "name-requires-quotes"}),
    "billing.outbox_messages": (
        "nhibernate-outbox",
        {"no-key", "rows-deleted", "type-invalid-in-topic"},
    ),
    "public.OutboxMessage": (
        "masstransit",
        {"no-key", "id-not-unique", "type-invalid-in-topic", "timestamp-with-time-zone", "name-requires-quotes"},
    ),
    "public.Sales_OutboxData": ("nservicebus", {"multiple-events-per-row", "other-publisher", "name-requires-quotes"}),
    "cap.published": (
        "cap",
        {"other-publisher", "no-key", "id-is-numeric", "payload-nullable", "name-requires-quotes"},
    ),
    "public.event_publication": ("spring-modulith", {"other-publisher", "no-key", "timestamp-with-time-zone"}),
    "public.barrier": ("barrier", {"no-id", "no-payload", "no-type", "timestamp-with-time-zone"}),
    "public.outbox_view": ("postgres-minimal", {"unsupported-table-kind"}),
}


@dataclass(frozen=True)
class Database:
    """A database of a test's own. dsn: the superuser's."""

    name: str
    dsn: str


@pytest.fixture
def database(server: Postgres, name: str) -> Database:
    return Database(name, server.dsn(name))


def run(database: Database, statements: str) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as admin:
        admin.execute(statements.encode())
        admin.execute("select pg_stat_force_next_flush()")


def candidates(kit: Kit, *arguments: str, code: int | None = None) -> dict[str, Any]:
    listed = json.loads(kit("adopt", "--format", "json", *arguments, code=code).stdout)["candidates"]
    return {one["table"]: one for one in listed}


def adopted(kit: Kit, files: list[dict[str, Any]]) -> None:
    """The proposed files are read back, have no error, and fit the tables that are there."""
    own = [{**file, "service": f"{file['service']}-{number}"} for number, file in enumerate(files)]
    Path("all.yaml").write_text("---\n".join(map(written, own)))
    kit("check", "all.yaml")
    for file in own:
        outbox = ("-f", "all.yaml", "--service", file["service"], "--apply")
        kit("gen-ddl", *outbox)
        kit("gen-ddl", *outbox, "--down", "--allow-destructive")


def test_each_known_table_is_found_among_the_others_with_what_is_in_its_way(database: Database, kit: Kit) -> None:
    run(database, TABLES.read_text())
    found = candidates(kit, code=0)
    assert {name: one["preset"] for name, one in found.items()} == {name: one for name, (one, _) in IN_THE_WAY.items()}
    for name, (_, rules) in IN_THE_WAY.items():
        met = set(found[name]["findings"]) - {"library-table"}
        assert met == rules, name
    assert list(found)[-1] == "public.outbox_view"
    events = found["public.OutboxMessage"]["proposed"]["events"]
    assert [one["aggregate"] for one in events] == ["Order"]

    adopted(kit, [one["proposed"] for one in found.values() if one["proposed"]])

    Path("made").mkdir()
    shown = kit("adopt", "--table", "public.outbox_messages", "--out", "made/outbox.yaml")
    assert "hunter2" not in shown.output and "OrderId" in shown.stdout  # a member's name, and nobody's value
    assert Path("made/outbox.yaml").read_text() in shown.stdout
    assert "already exists" in kit("adopt", "--out", "made/outbox.yaml", code=2).stderr
    kit("adopt", "--out", "made/outbox.yaml", "--force")
    assert "unsupported-table-kind" in kit("adopt", "--table", "outbox_view", code=1).stdout
    assert "did you mean 'public.outbox_view'" in kit("adopt", "--table", "public.outbox_views", code=2).stderr

    every = json.loads(kit("adopt", "--format", "json").stdout)["findings"]
    sql = next(one["sql"] for one in every if one["subject"] == "public.outbox_messages" and one["sql"])
    for _ in range(2):  # it may be run again
        run(database, sql)
    insert = (
        "insert into outbox_messages (id, type, content, occurred_on_utc) values (gen_random_uuid(), 'T', '{}', now())"
    )
    run(database, insert.replace("{}", '{"OrderId": "7"}'))
    run(database, insert)  # a payload without it
    with psycopg.connect(database.dsn) as admin:
        keys = admin.execute("select aggregate_id from outbox_messages where type = 'T' order by 1").fetchall()
    assert keys == [("7",), (None,)]
    after = candidates(kit, "--table", "public.outbox_messages", code=1)["public.outbox_messages"]
    assert after["mapping"]["aggregate_id"] == "aggregate_id"
    assert "key-nullable" in after["findings"]


SHAPES = """
create table root (id uuid not null, aggregate_type text not null, aggregate_id text not null, event_type text not null,
    payload text not null, created_at timestamp not null, primary key (id, created_at)) partition by range (created_at);
create table root_1 partition of root for values from ('2020-01-01') to ('2040-01-01');
create unlogged table fast_outbox (id uuid primary key, event_type text, aggregate_id text, payload text);
create table computed_outbox (id uuid primary key, aggregate_type text not null, event_type text not null,
    aggregate_id text generated always as (payload::json ->> 'id') stored, payload text not null);
create table loud_outbox (id uuid, event_type text not null, payload bytea not null);
alter table loud_outbox replica identity full;
create publication theirs for table loud_outbox;
create function nothing() returns trigger language plpgsql as 'begin return new; end';
create trigger theirs before insert on loud_outbox for each row execute function nothing();
insert into root select gen_random_uuid(), 'Order', '7', 'OrderPlaced', '{}', now() from generate_series(1, 5);
insert into loud_outbox select '00000000-0000-4000-8000-000000000000', 'A', '\\x1f8b08' from generate_series(1, 5);
"""


def test_what_only_the_catalogue_and_the_rows_tell(database: Database, kit: Kit) -> None:
    run(database, SHAPES)
    found = candidates(kit, "--rows", "3")
    rules = {name: set(said["findings"]) for name, said in found.items()}
    assert "public.root_1" not in found and "partitioned" in rules["public.root"]
    assert found["public.root"]["rows"] == 5
    assert rules["public.fast_outbox"] == {"unsupported-table-kind"}
    assert "generated-column" in rules["public.computed_outbox"]
    assert rules["public.loud_outbox"] >= {
        "full-row-logging", "already-published", "has-triggers", "no-primary-key", "payload-compressed", "no-key",
        "id-not-unique", "id-nullable",
    }  # fmt: skip
    assert found["public.loud_outbox"]["sampled"] == 3
    adopted(kit, [found[name]["proposed"] for name in ("public.root", "public.loud_outbox")])


def test_a_user_without_rights_is_told_the_columns_and_no_events(
    database: Database, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(database, TABLES.read_text())
    reached = conninfo.conninfo_to_dict(database.dsn)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    dsn = f"host={reached['host']} port={reached['port']} dbname={database.name} user=nobody"
    shown = kit("adopt", "--dsn", dsn, "--table", "outbox_events").stdout
    assert "permission denied for table outbox_events" in shown and "type: Example" in shown
    assert "-> key" in shown


def test_a_locked_table_does_not_hold_it_and_an_empty_database_is_told_of(database: Database, kit: Kit) -> None:
    told = kit("adopt", code=1)
    assert (
        "FAIL: no outbox table found; examined: no tables of the database" in told.stdout
        and "outbox-kit init" in told.stderr
    )
    assert candidates(kit, code=1) == {}
    run(database, "create table outbox (id uuid, aggregatetype text, aggregateid text, type text, payload text)")
    with psycopg.connect(database.dsn) as other:
        other.execute("lock table outbox in access exclusive mode")
        found = candidates(kit)["public.outbox"]
    assert "rows-not-sampled" in found["findings"]


@pytest.mark.parametrize(
    ("dsn", "said"),
    [
        ("host=127.0.0.1 port=1 dbname=shop", "no connection to the database"),
        ("mysql://me@127.0.0.1:1/shop", "no connection to the database"),
        ("mongo://x", "malformed"),
    ],
)
def test_a_database_that_is_not_there_is_one_message(dsn: str, said: str, kit: Kit) -> None:
    told = kit("adopt", "--dsn", dsn, code=None)
    assert told.exit_code in (2, 4) and told.stderr.startswith("error: ") and said in told.stderr
