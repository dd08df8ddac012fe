"""The inbox table that gen-ddl makes for a consumer, in a real PostgreSQL."""

import psycopg
import pytest

from tests.live.conftest import Database, Kit


def test_the_inbox_remembers_by_its_role_s_rights_alone_and_goes_without_a_trace(database: Database, kit: Kit) -> None:
    role = f"{database.name}_inbox"
    kit("init", "--service", database.name, "-e", "OrderPlaced:Order")
    assert "+ table inbox" in kit("gen-ddl", "--inbox", "--apply").stdout
    assert "nothing to change" in kit("gen-ddl", "--inbox", "--apply").stderr
    assert "cannot log in" in kit("gen-ddl", "--inbox", "--apply", "--password-env", "HOME", code=2).stderr
    with psycopg.connect(database.dsn, autocommit=True) as consumer:
        consumer.execute(f"set role {role}")
        once = "insert into inbox (consumer, message_id) values ('me', %s) on conflict do nothing"
        message = "00000000-0000-4000-8000-000000000001"
        assert [consumer.execute(once, (message,)).rowcount for _ in range(2)] == [1, 0]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            consumer.execute("insert into inbox values ('me', gen_random_uuid(), '2000-01-01')")
        script = kit("gen-ddl", "--inbox").stdout.splitlines()
        advice = "".join(line.removeprefix("--") for line in script if line.startswith("--   "))
        consumer.execute(advice.replace("14 days", "-1 days").encode())
        assert consumer.execute(once, (message,)).rowcount == 1
    refused = kit("gen-ddl", "--inbox", "--down", "--apply", code=2).stderr
    assert "drops the inbox" in refused
    assert "- table inbox" in kit("gen-ddl", "--inbox", "--down", "--apply", "--allow-destructive").stdout
    with psycopg.connect(database.dsn) as admin:
        assert admin.execute("select 1 from pg_roles where rolname = %s", (role,)).fetchone() is None
