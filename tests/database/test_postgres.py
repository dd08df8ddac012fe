"""What only PostgreSQL has: an outbox in its log, and privileges of each kind of object."""

import uuid
from pathlib import Path

import pytest

from tests.database.conftest import Kit, Written
from tests.support.servers import Server

DOWN = ("gen-ddl", "--down", "--apply", "--allow-destructive")
pytestmark = pytest.mark.parametrize("server", ["postgres-18", "postgres-16"], indirect=True)


def test_an_outbox_in_the_log_is_written_by_the_named_application_alone(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written("table: {storage: log}")
    kit("gen-ddl", "--apply")
    assert "nothing to change" in kit("gen-ddl", "--apply").stderr
    call = "call outbox_write(%s, 'Order', '1', 'OrderPlaced', '{}')"
    with server.session("application", name) as application:
        application(call, uuid.uuid4())
    with server.session("nobody", name) as nobody, server.denied():
        nobody(call, uuid.uuid4())
    kit(*DOWN)


def test_an_inbox_needs_less_than_an_outbox(server: Server, name: str, kit: Kit, written: Written) -> None:
    written()
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("writers:", f"schema: {name}, writers:"))
    inbox = kit("gen-ddl", "--inbox", "--apply", code=4, user="nobody").stderr
    lacking = [line.strip() for line in inbox.splitlines() if "has no" in line]
    assert lacking == [f"nobody has no CREATE on database {name}", "nobody has no CREATEROLE"]
    assert server.ask("select 1 from pg_namespace where nspname = %s", name, database=name) == []


def test_the_reported_privileges_are_enough_and_ownership_of_what_exists_is_needed(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written()
    owner = f"{name}_owner"
    server.ask(f"create role {owner} login createrole replication password 'of-a-test'")
    try:
        server.ask(f"grant connect, temporary on database {name} to {owner} with grant option")
        server.ask(f"grant create on database {name} to {owner}")
        told = kit("gen-ddl", "--apply", code=4, user=owner).stderr
        assert "has no CREATE on schema public" in told
        server.ask(f"grant create on schema public to {owner}", database=name)
        if "SUPERUSER" in told:  # before PostgreSQL 16 only a superuser may make a role that replicates
            server.ask(f"alter role {owner} superuser")
        kit("gen-ddl", "--apply", user=owner)
        assert "nothing to change" in kit("gen-ddl", "--apply", user=owner).stderr
        kit(*DOWN, user=owner)
        kit("gen-ddl", "--inbox", "--apply", user=owner)
        assert "nothing to change" in kit("gen-ddl", "--inbox", "--apply", user=owner).stderr
        kit("gen-ddl", "--inbox", "--down", "--apply", "--allow-destructive", user=owner)
        server.ask(f"alter role {owner} nosuperuser")
        kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
        for more in ((), ("--down", "--allow-destructive")):
            told = kit("gen-ddl", "--apply", *more, code=4, user=owner).stderr
            for what in ("table outbox", "table outbox_heartbeat", f"publication {name}_outbox"):
                assert f"has no ownership of {what}" in told
        told = kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD", code=4, user=owner).stderr
        assert f"has no ADMIN option on role {name}_outbox" in told
        kit(*DOWN)
    finally:
        server.ask(f"drop owned by {owner} cascade", database=name)
        server.ask(f"drop role {owner}")


def test_an_outbox_whose_table_a_relay_reads_needs_no_replication(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written("delivery: {by: relay, source: table}")
    owner = f"{name}_owner"
    server.ask(f"create role {owner} login createrole password 'of-a-test'")
    try:
        server.ask(f"grant connect, temporary on database {name} to {owner} with grant option")
        server.ask(f"grant create on schema public to {owner}; grant usage on schema public to {owner}", database=name)
        kit("gen-ddl", "--apply", user=owner)
        assert "nothing to change" in kit("gen-ddl", "--apply", user=owner).stderr
        replicates = server.ask("select rolreplication from pg_roles where rolname = %s", f"{name}_outbox")
        assert [row[0] for row in replicates] == [False]
        kit(*DOWN, user=owner)
    finally:
        server.ask(f"drop owned by {owner} cascade", database=name)
        server.ask(f"drop role {owner}")


def test_the_role_of_relays_that_read_the_table_gets_replication_for_a_connector(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    """Not if it is a member of the role with which a managed server gives the right."""
    role = f"{name}_outbox"
    written("delivery: {by: relay, source: table}")
    kit("gen-ddl", "--apply")
    written()
    lacking = kit("gen-ddl", "--apply", code=4, user="nobody").stderr
    assert "nobody has no REPLICATION" in lacking or "SUPERUSER, which making or changing a role" in lacking
    assert f"+ role {role} login replication" in kit("gen-ddl", "--apply").stdout
    assert "nothing to change" in kit("gen-ddl", "--apply").stderr
    server.ask(f"alter role {role} noreplication; create role rds_replication; grant rds_replication to {role}")
    try:
        assert "nothing to change" in kit("gen-ddl", "--apply").stderr
        assert "nobody has no REPLICATION" not in kit("gen-ddl", "--apply", code=4, user="nobody").stderr
    finally:
        server.ask("drop role rds_replication")
        server.ask(f"drop owned by {role}", database=name)
        server.ask(f"drop role {role}")


def test_a_view_in_the_table_s_place_is_refused(server: Server, name: str, kit: Kit, written: Written) -> None:
    written()
    server.ask("create view outbox as select 1 as id", database=name)
    assert "exists with other columns" in kit("gen-ddl", "--apply", code=2).stderr


def test_a_dry_run_names_what_apply_would_change_and_changes_nothing(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written()
    first = kit("gen-ddl", "--dry-run", code=1)
    assert "+ table" in first.stdout and "nothing was changed" in first.stderr
    assert server.tables(name) == []
    applied = kit("gen-ddl", "--apply")
    assert applied.stdout == first.stdout and f"in database '{name}' on " in applied.stderr
    same = kit("gen-ddl", "--dry-run")
    assert same.stdout == "" and f"nothing to change: database '{name}' on " in same.stderr
    (constraint,) = server.ask(
        "select conname from pg_constraint where conrelid = 'outbox'::regclass and contype = 'c' order by 1 limit 1",
        database=name,
    )[0]
    server.ask(f'alter table outbox drop constraint "{constraint}"', database=name)
    server.ask("revoke insert on outbox from application", database=name)
    missing = kit("gen-ddl", "--dry-run", code=1)
    assert constraint.rpartition("_")[0] in missing.stdout and "application" in missing.stdout
    assert missing.stdout == kit("gen-ddl", "--dry-run", code=1).stdout == kit("gen-ddl", "--apply").stdout
    kit("gen-ddl", "--dry-run")
    kit(*DOWN)
