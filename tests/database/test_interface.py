"""What a database's `SERVER` promises, asked of the server itself."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from outbox_kit import databases
from outbox_kit.databases import canary, servers, whereabouts
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, SlotInUse, WrongDatabase
from outbox_kit.render.constraints import constraints
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.wire.copies import copies
from tests.database.conftest import Kit, Written
from tests.support import questions
from tests.support.servers import PASSWORD, Server

SECONDS = 60.0


@pytest.fixture
def outbox(server: Server, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outbox]:
    """An outbox that is there, and empty; the password is in the environment."""
    for variable, value in server.environment(name).items():
        monkeypatch.setenv(variable, value)
    written()
    kit("gen-ddl", "--apply")
    yield read(Path("outbox.yaml")).outbox()
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def dsn() -> str:
    return os.environ["OUTBOX_KIT_DSN"]


def test_an_address_says_where_it_leads_and_never_its_password(server: Server, name: str, outbox: Outbox) -> None:
    asked = servers.get(server.dialect)
    assert asked.endpoint(dsn()) == ("127.0.0.1", server.port, name)
    assert asked.database_names(dsn(), outbox) == (name,)
    whereabouts.expect(dsn(), outbox)
    other = outbox.model_copy(update={"database": outbox.database.model_copy(update={"name": "elsewhere"})})
    with pytest.raises(WrongDatabase):
        whereabouts.expect(dsn(), other)


def test_a_heartbeat_moves_the_log_and_is_young(server: Server, outbox: Outbox) -> None:
    probe = servers.get(server.dialect).probe
    assert probe.heartbeat_age(dsn(), outbox) is None
    before = probe.log_position(dsn(), outbox)
    probe.write_heartbeat(dsn(), outbox)
    probe.write_heartbeat(dsn(), outbox)
    age, after = probe.heartbeat_age(dsn(), outbox), probe.log_position(dsn(), outbox)
    assert age is not None and 0 <= age < SECONDS
    assert before is not None and after is not None and before < after
    assert probe.missing_from_publication(dsn(), outbox) == []


def test_what_is_missing_of_an_outbox_is_named_and_created_again(server: Server, outbox: Outbox, kit: Kit) -> None:
    examine = servers.get(server.dialect).defects
    checks = {constraint.name: constraint.digest for constraint in constraints(outbox, outbox.dialect)}
    assert examine is not None and checks and examine(dsn(), outbox, checks) == []
    check = next(row[0] for row in server.checks(outbox.names.database) if row[0].startswith("outbox_payload_fits"))
    server.ask(f"alter table outbox drop constraint {check}", database=outbox.names.database)
    server.ask(f"drop table {outbox.names.heartbeat_table}", database=outbox.names.database)
    missing = " ".join(examine(dsn(), outbox, checks))
    assert "CHECK outbox_" in missing and f"{outbox.names.heartbeat_table} does not exist" in missing
    kit("gen-ddl", "--apply")
    assert examine(dsn(), outbox, checks) == []
    server.ask("drop table outbox", database=outbox.names.database)
    assert any("outbox does not exist" in sentence for sentence in examine(dsn(), outbox, checks))
    kit("gen-ddl", "--apply")


def test_a_canary_is_no_event_and_goes_again(server: Server, name: str, outbox: Outbox) -> None:
    asked, event_id = servers.get(server.dialect), uuid.uuid4()
    asked.probe.write_canary(dsn(), outbox, event_id)
    assert len(server.ask("select id from outbox", database=name)) == 1
    ledger = asked.ledger(dsn(), outbox)
    questions.every(ledger, outbox, str(event_id))
    asked.probe.remove_canary(dsn(), outbox, event_id)
    assert server.ask("select id from outbox", database=name) == []


def test_no_canary_is_inserted_by_a_user_who_may_not_delete_it(server: Server, name: str, outbox: Outbox) -> None:
    server.ask("grant select, insert on outbox to application", database=name)
    inserts_only = server.environment(name, "application")["OUTBOX_KIT_DSN"]
    probe = servers.get(server.dialect).probe
    with pytest.raises(DatabaseRefused), canary.inserted(probe, inserts_only, outbox, uuid.uuid4()):
        pytest.fail("the block was entered")
    assert server.ask("select id from outbox", database=name) == []
    with canary.inserted(probe, dsn(), outbox, uuid.uuid4()):
        assert len(server.ask("select id from outbox", database=name)) == 1
    assert server.ask("select id from outbox", database=name) == []


def test_rows_are_counted_read_and_found_by_id(server: Server, name: str, outbox: Outbox) -> None:
    ids = sorted(str(uuid.uuid4()) for _ in range(20))
    columns = "id, aggregatetype, aggregateid, type, payload"
    for n, one in enumerate(ids):
        server.ask(
            f"insert into outbox ({columns}) values (%s, 'Order', %s, 'OrderPlaced', '{{\"n\": 1.0 }}')",
            *(one, str(n % 3)),
            database=name,
        )
    asked = servers.get(server.dialect)
    ledger = asked.ledger(dsn(), outbox)
    held = ledger.comparable_parts(copies(outbox), SECONDS)
    snapshot = ledger.snapshot(held.digested, SECONDS)
    assert snapshot.rows == 20 == sum(count for count, _ in snapshot.buckets.values())
    read_back = [row for batch in ledger.read(held.digested, None, SECONDS) for row in batch]
    assert sorted(row.event_id for row in read_back) == ids
    some = sorted(snapshot.buckets)[:5]
    by_bucket = [row for batch in ledger.read(held.digested, some, SECONDS) for row in batch]
    assert len(by_bucket) == sum(snapshot.buckets[bucket][0] for bucket in some)
    assert set(ledger.rows_of([*ids[:2], str(uuid.uuid4())], SECONDS)) == set(ids[:2])
    assert ledger.oldest(SECONDS) == snapshot.oldest and ledger.lowest(0, SECONDS) == 1
    assert ledger.outcomes([]) == {}
    if asked.read_row:
        cells = {cell.name: cell.value for cell in asked.read_row(dsn(), outbox, ids[0])}
        assert cells["payload"] == '{"n": 1.0 }' and cells["id"] == ids[0]
        assert asked.read_row(dsn(), outbox, str(uuid.uuid4())) == []


def test_rows_between_two_marks_are_those_that_were_committed_between_them(
    server: Server, name: str, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked = servers.get(server.dialect).marked_ledger
    assert marked is not None  # on every server that is started here
    ledger = marked(dsn(), outbox)
    first = ledger.mark(SECONDS)
    second = ledger.mark(SECONDS, first)
    assert ledger.is_same_database(first, second) and ledger.is_same_database(first, first)
    assert ledger.limited(first, second).snapshot((), SECONDS).rows == 0


def test_the_catalogue_has_the_outbox_and_a_sample_its_rows(server: Server, name: str, outbox: Outbox) -> None:
    reader = servers.get(server.dialect).catalogue
    catalogue = reader.read(dsn())
    assert (catalogue.dialect, catalogue.database) == (server.dialect, name)
    tables = {table.name: table for table in catalogue.tables}
    assert {"outbox", "outbox_heartbeat"} <= set(tables)
    types = databases.get(server.dialect).types
    assert tables["outbox"].column("aggregateid").type.startswith(types["text"].partition("(")[0])
    server.ask(
        "insert into outbox (id, aggregatetype, aggregateid, type, payload) "
        "values (%s, 'Order', '7', 'OrderPlaced', '{}')",
        str(uuid.uuid4()),
        database=name,
    )
    sample = reader.sample(dsn(), tables["outbox"], None, rows=5, seconds=SECONDS)
    assert [row["aggregateid"] for row in sample.rows] == ["7"]


@pytest.mark.parametrize("user", ["nobody", "ghost"])
def test_a_user_who_may_not_is_refused_without_his_password(
    server: Server, name: str, outbox: Outbox, user: str
) -> None:
    refused = server.environment(name, user)["OUTBOX_KIT_DSN"]
    with pytest.raises((DatabaseRefused, DatabaseUnreachable)) as told:
        servers.get(server.dialect).probe.write_canary(refused, outbox, uuid.uuid4())
    assert PASSWORD not in "\n".join(told.value.lines())


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
def test_a_connector_is_refused_while_relays_read_the_table(
    server: Server, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The schema file says `by: connector` now, with the other keys of `delivery` or without them."""
    for variable, value in server.environment(name).items():
        monkeypatch.setenv(variable, value)
    written()
    of_connector = read(Path("outbox.yaml")).outbox()
    proof.refuse_relay(Debezium(of_connector, dsn=dsn()))
    written("delivery: {by: relay, source: table, record: mark}")
    kit("gen-ddl", "--apply")
    outbox = read(Path("outbox.yaml")).outbox()
    polled = servers.get(server.dialect).polled
    assert polled is not None
    relay = polled(dsn(), outbox)
    changed = outbox.model_copy(update={"delivery": outbox.delivery.model_copy(update={"by": "connector"})})
    deliveries = [Debezium(each, dsn=dsn()) for each in (of_connector, changed)]
    relay.open(SECONDS)
    for each in deliveries:
        with pytest.raises(SlotInUse, match=r"relays read table 'outbox'.*nothing was changed") as refused:
            proof.refuse_relay(each)
        assert str(os.getpid()) in refused.value.why and "outbox-kit hand-over" in refused.value.fix
    relay.close()
    for each in deliveries:
        proof.refuse_relay(each)
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
