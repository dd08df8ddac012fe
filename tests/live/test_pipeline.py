"""The whole way on the real stack: from the schema file to the verdict."""

import json
import uuid
from pathlib import Path

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.demo import shop
from outbox_kit.stack import Stack
from outbox_kit.verify.table import circumstances
from tests.live.conftest import CONNECT, Database, Kit
from tests.live.consumed import ids_on
from tests.support.waiting import until

INSERT = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, %s, %s)"


def test_committed_events_arrive_once_in_order_and_rolled_back_ones_never(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    kept, gone = str(uuid.uuid4()), str(uuid.uuid4())
    with psycopg.connect(database.dsn) as connection:
        connection.execute(INSERT, (kept, "1", "OrderPlaced", '{"n": 1}'))
        connection.commit()
        connection.execute(INSERT, (gone, "1", "OrderPaid", '{"n": 2}'))
        connection.rollback()

    verdict = json.loads(kit("verify", "--format", "json").stdout)

    assert verdict["verdict"] == "pass"
    assert verdict["counts"] == {"events": 1, "distinct": 1, "copies": 0, "keys": 1, "outbox_rows": 1}
    assert ids_on(stack, f"{outbox}.Order", 1) == [kept]


def test_a_row_that_is_on_no_topic_is_named_lost(stack: Stack, database: Database, kit: Kit, outbox: str) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPlaced", "{}"))
        kit("verify")
        # what a lost slot does to an event: it is in the table, and no stream has it
        connection.execute(f"alter publication {outbox}_outbox drop table outbox")
        lost = str(uuid.uuid4())
        connection.execute(INSERT, (lost, "1", "OrderPaid", "{}"))
        connection.execute(f"alter publication {outbox}_outbox add table outbox")
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPaid", "{}"))

    report = json.loads(kit("verify", "--format", "json", code=1).stdout)
    found = report["findings"]

    assert [finding["id"] for finding in found] == ["LOS-01"]
    assert lost in found[0]["samples"][0]["expected"]
    assert [note.partition(" 2")[0] for note in report["notes"]] == ["LOS-01: the rows were written at"]  # no cause


def test_of_a_topic_that_was_deleted_it_is_said_that_the_rows_are_older(
    stack: Stack, database: Database, kit: Kit, outbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circumstances, "CLOCKS_MS", 0)  # one machine, one clock
    admin, topic = AdminClient({"bootstrap.servers": stack.bootstrap}), f"{outbox}.Order"
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(INSERT, (first := str(uuid.uuid4()), "1", "OrderPlaced", "{}"))
        kit("verify")
        admin.delete_topics([topic])[topic].result()
        until(lambda: topic not in admin.list_topics(timeout=60).topics)
        gone = json.loads(kit("verify", "--format", "json", "--connect", "", code=1).stdout)
        kit("remove")  # a worker makes a topic only for a connector that has not written to it yet
        kit("deploy-connector", "--yes", "--stable-for", "0")
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPaid", "{}"))
        assert len(ids_on(stack, topic, 1)) == 1
    anew = json.loads(kit("verify", "--format", "json", code=1).stdout)

    for report, said in ((gone, f"the topic '{topic}' does not exist"), (anew, "older than the first message on")):
        (found,) = [one for one in report["findings"] if one["id"] == "LOS-01"]
        assert first in found["samples"][0]["expected"]
        assert any(said in note for note in report["notes"]), report["notes"]


def test_of_a_routing_that_was_changed_it_is_said_that_the_connector_has_another(
    database: Database, kit: Kit, outbox: str
) -> None:
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("{service}.{aggregate}", "{service}.new.{aggregate}"))
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPlaced", "{}"))
    report = json.loads(kit("verify", "--format", "json", code=1).stdout)
    assert {"LOS-01", "CFG-01"} <= {one["id"] for one in report["findings"]}
    assert "LOS-01: the running connector has another configuration than the schema file: see CFG-01" in report["notes"]
    assert any(f"LOS-01: the topic '{outbox}.new.Order' does not exist" in note for note in report["notes"])


def test_an_address_of_another_database_with_such_a_table_is_refused_by_every_command(
    stack: Stack, database: Database, kit: Kit, outbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = f"{database.name}_other"
    dsn, _, password = stack.environment(other)["OUTBOX_KIT_DSN"].partition(" password=")
    monkeypatch.setenv("PGPASSWORD", password)
    with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
        admin.execute(f"create database {other}")
    try:
        with psycopg.connect(dsn, autocommit=True) as there, psycopg.connect(database.dsn) as here:
            there.execute("create table outbox (like pg_class)")
            here.execute(INSERT, (uuid.uuid4(), "1", "OrderPlaced", "{}"))
        assert len(ids_on(stack, f"{outbox}.Order", 1)) == 1
        for command in (
            ("verify",),
            ("verify", "follow", "--windows", "1"),
            ("status",),
            ("gen-ddl", "--apply"),
            ("deploy-connector", "--yes", "--probe"),
            ("preview", "--row", str(uuid.uuid4())),
            ("remove",),
        ):
            told = kit(*command, "--dsn", dsn, code=2).stderr
            assert f"about database '{database.name}'" in told and f"connected to '{other}'" in told, command
        kit("verify")
    finally:
        with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
            admin.execute(f"drop database {other} with (force)")


def test_a_row_sent_after_the_others_shows_that_they_have_all_been_sent(
    database: Database, kit: Kit, outbox: str, tmp_path: Path
) -> None:
    record = tmp_path / "published.ndjson"
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(INSERT, (first := uuid.uuid4(), "1", "OrderPlaced", "{}"))
        record.write_text(f'{{"id": "{first}"}}\n{{"id": "{uuid.UUID(int=7)}"}}\n')

        verify = ("verify", "--format", "json", "--catch-up-method", "canary", "--published-log", str(record))
        report = json.loads(kit(*verify, code=1).stdout)

        assert [(finding["id"], finding["count"]) for finding in report["findings"]] == [("LOS-01", 1)]
        assert str(uuid.UUID(int=7)) in report["findings"][0]["samples"][0]["expected"]
        assert all(note.startswith("LOS-01: ") for note in report["notes"])
        assert report["run"]["drained_seconds"] is not None
        # the canary has left no row, and its topic is none of the outbox's
        assert connection.execute("select count(*) from outbox").fetchone() == (1,)
        assert kit("verify", "--catch-up-method", "canary", "--no-table", code=2).stdout == ""


def test_a_table_in_which_no_row_stays_proves_no_loss_and_says_so(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    with psycopg.connect(database.dsn) as connection:  # as many do it: written and deleted in one transaction
        event_id = uuid.uuid4()
        connection.execute(INSERT, (event_id, "1", "OrderPlaced", "{}"))
        connection.execute("delete from outbox where id = %s", (event_id,))
    assert ids_on(stack, f"{outbox}.Order", 1) == [str(event_id)]

    report = json.loads(kit("verify", "--format", "json", code=3).stdout)

    assert [finding["id"] for finding in report["findings"]] == ["RUN-15"]
    assert (
        report["findings"][0]["samples"][0]["actual"] == "0 rows, and 1 event on the topics: is it the right database?"
    )
    assert "LOS-01" in report["not_checked"] and report["headline"].endswith("not checked: loss")
    kit("verify", "--no-table")


def test_a_connector_that_has_not_caught_up_is_no_loss_and_no_pass(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPlaced", "{}"))
        kit("verify")
        kit("remove")
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPaid", "{}"))

    known = json.loads(kit("verify", "--format", "json", "--catch-up-timeout", "1", code=1).stdout)
    assert [finding["id"] for finding in known["findings"]] == ["CFG-03", "RUN-10"]
    # and where nobody asks Connect, which would have said why
    verdict = json.loads(kit("verify", "--format", "json", "--catch-up-timeout", "1", "--connect", "", code=3).stdout)

    assert [finding["id"] for finding in verdict["findings"]] == ["RUN-10"]
    assert "did not catch up with the newest event" in verdict["notes"][0]
    kit("deploy-connector", "--yes", "--stable-for", "0")
    kit("verify")


def test_a_row_deleted_by_hand_makes_its_event_a_phantom(database: Database, kit: Kit, outbox: str) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        for number in range(3):
            connection.execute(INSERT, (uuid.uuid4(), str(number), "OrderPlaced", "{}"))
        kit("verify")
        connection.execute("delete from outbox where aggregateid = '1'")

    found = json.loads(kit("verify", "--format", "json", code=1).stdout)["findings"]

    assert [finding["id"] for finding in found] == ["LOS-03"]


def test_the_shop_of_the_demonstration_passes_with_every_report(
    stack: Stack, database: Database, kit: Kit, tmp_path: Path
) -> None:
    events = [word for event, aggregate in shop.EVENTS.items() for word in ("-e", f"{event}:{aggregate}")]
    address = ("--host", stack.postgres_host, "--port", str(stack.postgres_port))
    kit("init", "--service", database.name, *address, *events)
    path = tmp_path / "outbox.yaml"
    path.write_text(path.read_text() + 'routing: {topic: "{service}.{type}"}\n' + CONNECT)
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--yes", "--stable-for", "0")
    sales = shop.trade(database.dsn, orders=60)

    reports = [word for kind in ("html", "json", "junit", "text") for word in ("--report", f"{kind}=report.{kind}")]
    kit("verify", *reports)

    assert json.loads((tmp_path / "report.json").read_text())["counts"]["distinct"] == sales.committed_events
    assert '<h1 class="pass">' in (tmp_path / "report.html").read_text()
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def test_an_outbox_with_every_choice_and_odd_names_works_too(stack: Stack, database: Database, kit: Kit) -> None:
    example = (Path(__file__).parents[1] / "examples" / "every-choice.yaml").read_text().split("---")[0]
    changes = {
        "service: every-choice": f"service: {database.name}",
        '"Odd Name"': database.name,
        '"the reader"': f'"{database.name} reader"',
        "port: 6543": f"port: {stack.postgres_port}\n  host: {stack.postgres_host}",
        "${file:/run/secrets/db:password}": "${env:OUTBOX_DB_PASSWORD}",
        "delivery_guarantee: exactly-once\n": "",  # the worker would have to be set up for it
        "snapshot: no_data": "heartbeat_ms: 500",
    }
    for text, into in changes.items():
        assert text in example
        example = example.replace(text, into)
    Path("outbox.yaml").write_text(example)
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    assert kit("gen-ddl", "--apply").stdout == ""
    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe")
    insert = """insert into "we""ird"."select"
        ("order", "group", "user", "table", "where", version, destination, slot)
        values (%s, 'Order', %s, 'It''s placed', '{}', 1, %s, 3)"""
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        for user, destination in (("1", "near"), ("2", "far")):
            connection.execute(insert, (uuid.uuid4(), user, destination))

    verdict = json.loads(kit("verify", "--format", "json").stdout)

    assert verdict["verdict"] == "pass"
    assert [topic["name"] for topic in verdict["topics"]] == [f"{database.name}.far", f"{database.name}.near"]
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
