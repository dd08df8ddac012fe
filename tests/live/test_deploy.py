"""Deploying on the real Kafka Connect: what it says when all is well, and when it is not."""

import json
import uuid
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.errors import OutboxKitError
from outbox_kit.kafka import read
from outbox_kit.stack import Stack
from outbox_kit.stack.processes import free_ports
from tests.live.conftest import CONNECT, Database, Kit
from tests.support.waiting import until

INSERT = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, %s, %s, %s, %s)"


def change(text: str, into: str) -> None:
    path = Path("outbox.yaml")
    assert text in path.read_text()
    path.write_text(path.read_text().replace(text, into))


def test_deploying_twice_changes_nothing(kit: Kit, outbox: str) -> None:
    plan = json.loads(kit("plan", "--format", "json").stdout)
    assert (plan["plans"][0]["action"], plan["plans"][0]["changes"], plan["plans"][0]["neutral"]) == ("none", [], [])
    (again,) = json.loads(kit("deploy-connector", "--format", "json").stdout)["deployments"]
    assert (again["action"], again["changes"]) == ("none", [])
    assert again["status"]["tasks"] == ["RUNNING"]


def test_a_plan_is_carried_out_as_it_was_reviewed_or_not_at_all(stack: Stack, kit: Kit, outbox: str) -> None:
    connect, name = Connect(stack.connect_url), f"{outbox}-outbox"
    before = connect.config(name) or {}
    change("heartbeat_ms: 500", "heartbeat_ms: 700")
    result = kit("plan", code=1)
    assert "~ heartbeat.interval.ms = 500 -> 700" in result.stdout
    assert connect.config(name) == before
    digest = json.loads(kit("plan", "--format", "json", code=1).stdout)["digest"]
    assert f"outbox-kit deploy-connector --plan {digest}" in result.stderr
    refused = kit("deploy-connector", code=2).stderr
    assert "not confirmed: update" in refused and "--yes" in refused and connect.config(name) == before

    connect.put_config(name, {**before, "max.batch.size": "77", "poll.interval.ms": "500"})
    stale = kit("deploy-connector", "--plan", digest, code=1).stderr
    assert "is not what would be done now; nothing was changed" in stale and "~ max.batch.size = 77 -> 4096" in stale
    assert (connect.config(name) or {})["max.batch.size"] == "77"
    digest = json.loads(kit("plan", "--format", "json", code=1).stdout)["digest"]
    kit("deploy-connector", "--plan", digest, "--stable-for", "0")
    kit("plan", "--check")
    connect.put_config(name, {**(connect.config(name) or {}), "errors.retry.timeout": "0"})
    neutral = kit("plan").stdout
    assert "= errors.retry.timeout = 0 of the registered connector is what holds already" in neutral


def test_several_environments_are_planned_in_one_report_with_a_digest_each(stack: Stack, kit: Kit, outbox: str) -> None:
    for env, overlay in {"same": "lint: {}\n", "other": f"connect: {{connector: {outbox}-other}}\n"}.items():
        Path(f"outbox.{env}.yaml").write_text(overlay)
    both = ("plan", "--env", "same", "--env", "other")
    plan = json.loads(kit(*both, "--format", "json", code=1).stdout)
    plans = [(each["environment"], each["connector"], each["action"]) for each in plan["plans"]]
    assert plans == [("same", f"{outbox}-outbox", "none"), ("other", f"{outbox}-other", "create")]
    digests = {each["environment"]: each["digest"] for each in plan["digests"]}
    assert plan["digest"] is None and {finding["scope"] for finding in plan["findings"]} == {f"{outbox} (other)"}
    url = stack.connect_url
    text = kit(*both, "--env-connect", f"other={url}/", code=1)
    assert f"deploy-connector --plan {digests['other']} --env other --connect {url}/" in text.stderr
    assert f"leave '{outbox}-outbox' in same; create '{outbox}-other' in other" in text.stdout
    gone = kit(*both, "--check", "--env-connect", f"same=http://127.0.0.1:{free_ports(1)[0]}", code=4)
    assert f"no plan for '{outbox}-outbox (same)'" in gone.stdout and "create" in gone.stdout
    Path("outbox.other.yaml").write_text("lint: {}\n")
    assert "two environments have the connector" in kit(*both, code=2).stderr
    repeated = kit("deploy-connector", "--env", "same", "--env", "other", "--yes", code=2).stderr
    assert "takes one environment" in repeated


def test_a_connector_that_reads_another_database_is_not_taken_over(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    connect, name = Connect(stack.connect_url), f"{outbox}-outbox"
    own = connect.config(name) or {}
    change(f"name: {database.name}", "name: postgres")
    assert "PLN-02" in kit("plan", code=1).stdout
    environment = {**stack.environment("postgres"), "OUTBOX_KIT_DSN": None}
    words = ("deploy-connector", "--yes", "--allow-destructive")
    refused = CliRunner(env=environment).invoke(app, words)
    assert refused.exit_code == 2 and "is not the connector of this outbox; nothing was changed" in refused.stderr
    assert f"database.dbname is '{database.name}', expected 'postgres'" in refused.stderr
    assert connect.config(name) == own
    change("name: postgres", f"name: {database.name}")


def test_a_change_that_loses_the_position_is_refused_until_allowed(stack: Stack, kit: Kit, outbox: str) -> None:
    change("heartbeat_ms: 500", "heartbeat_ms: 500, slot: another_slot")
    result = kit("deploy-connector", "--yes", code=2)
    assert "slot.name" in result.stderr and "--allow-destructive" in result.stderr
    assert (Connect(stack.connect_url).config(f"{outbox}-outbox") or {})["slot.name"] == f"{outbox}_outbox"


def test_a_connector_without_its_publication_is_not_even_registered(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    kit("remove")
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(f"alter publication {outbox}_outbox drop table outbox")
    result = kit("deploy-connector", "--yes", code=4)
    assert "does not contain public.outbox" in result.stderr
    assert "gen-ddl --apply" in result.stderr
    assert Connect(stack.connect_url).config(f"{outbox}-outbox") is None
    kit("gen-ddl", "--apply")
    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe")


def test_a_wrong_password_is_explained_and_never_shown(stack: Stack, database: Database, kit: Kit, outbox: str) -> None:
    kit("remove")
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(f"alter role {outbox}_outbox password 'something else'")
    result = kit("deploy-connector", "--yes", code=4)
    assert "rejects the password" in result.stderr
    assert stack.connector_password not in result.stdout + result.stderr
    assert Connect(stack.connect_url).config(f"{outbox}-outbox") is None
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--yes", "--stable-for", "0")


def test_a_config_that_the_worker_refuses_is_named_by_its_key(kit: Kit, outbox: str) -> None:
    change("config: {", "config: {snapshot.mode: sometimes, max.batch.size: many, ")
    result = kit("deploy-connector", "--yes", "--allow-destructive", code=2)
    assert "snapshot.mode" in result.stderr and "max.batch.size" in result.stderr
    assert "nothing was changed" in result.stderr


def test_a_task_that_fails_on_a_row_is_explained_and_healed_by_deploying_again(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    connect, name = Connect(stack.connect_url), f"{outbox}-outbox"
    option, value = "transforms.outbox.table.fields.additional.placement", "type:header:eventType,nonsense:header:x"
    change("config: {", f'config: {{{option}: "{value}", ')
    change_it = ("deploy-connector", "--yes", "--probe", "--allow-destructive")
    result = kit(*change_it, code=4)
    assert "names a column that the captured row does not have" in result.stderr
    assert "nonsense is not a valid field name" in result.stderr
    assert f"the previous configuration of '{name}' was restored: connector RUNNING, task 0 RUNNING" in result.stderr
    assert option in kit("plan", code=1).stdout and "nonsense" not in str(connect.config(name))
    assert "was not restored" in kit(*change_it, "--no-restore", code=4).stderr
    shown = kit("status", code=1)
    assert "FAILED" in shown.stdout and "does not have" in shown.stderr

    path = Path("outbox.yaml")
    path.write_text("\n".join(line for line in path.read_text().splitlines() if "nonsense" not in line) + "\n")
    path.write_text(path.read_text() + CONNECT)
    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe", "--allow-destructive")
    assert connector_status(connect.status(name)).running


def test_an_unchanged_deployment_restarts_a_failed_task(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    connect, name = Connect(stack.connect_url), f"{outbox}-outbox"
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(f"drop publication {outbox}_outbox")
    connect.stop(name)
    until(lambda: not connector_status(connect.status(name)).tasks, "the task is gone")
    connect._call("PUT", "connectors", name, "resume")
    until(lambda: connector_status(connect.status(name)).failed, "the task fails")
    assert "The publication does not exist" in kit("status", code=1).stderr
    kit("gen-ddl", "--apply")
    result = kit("deploy-connector", "--yes", "--stable-for", "0")
    assert "restarted the failed parts" in result.stderr


@pytest.mark.parametrize("request_", ["pause", "stop"])
def test_a_paused_or_stopped_connector_is_named_at_once_and_resumed_on_request(
    stack: Stack, kit: Kit, outbox: str, request_: str
) -> None:
    connect, name, state = (
        Connect(stack.connect_url),
        f"{outbox}-outbox",
        {"pause": "PAUSED", "stop": "STOPPED"}[request_],
    )
    connect._call("PUT", "connectors", name, request_)
    until(lambda: connector_status(connect.status(name)).connector == state, f"the connector is {state}")
    refused = kit("deploy-connector", "--yes", "--timeout", "3600", code=4)
    assert f"'{name}' is {state}" in refused.stderr
    shown = kit("status", code=1)
    assert f"connector '{name}' is {state}" in shown.stdout
    for told in (refused.stderr, shown.stdout):
        assert "outbox-kit resume" in told
    assert f"resumed '{name}'" in kit("deploy-connector", "--yes", "--stable-for", "0", "--resume", "--probe").stderr
    kit("status")


def test_status_names_what_is_missing_and_gen_ddl_creates_it_again(database: Database, kit: Kit, outbox: str) -> None:
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("dialect: postgres", f"dialect: postgres\n  writers: [{outbox}_app]"))
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(f"create role {outbox}_app")
        kit("gen-ddl", "--apply")
        assert "problem" not in kit("status").stdout
        for statement in (
            "alter table outbox drop constraint outbox_payload_fits",
            f"revoke insert on outbox from {outbox}_app",
            f"revoke select on outbox from {outbox}_outbox",
            f"drop publication {outbox}_outbox",
            "drop table outbox_heartbeat",
        ):
            connection.execute(statement.encode())
    shown = kit("status", code=1).stdout
    for problem in (
        "CHECK outbox_payload_fits of public.outbox does not exist",
        f"role {outbox}_app has no INSERT privilege on public.outbox",
        f"role {outbox}_outbox has no SELECT privilege on public.outbox",
        f"publication '{outbox}_outbox' does not exist in database",
        "table public.outbox_heartbeat does not exist",
    ):
        assert problem in shown
    assert shown.count("outbox-kit gen-ddl --apply") >= 5
    kit("gen-ddl", "--apply")
    shown = kit("status", code=None).stdout
    assert "does not exist" not in shown and "privilege" not in shown


def test_a_config_that_was_changed_by_hand_is_named(stack: Stack, kit: Kit, outbox: str) -> None:
    connect, name = Connect(stack.connect_url), f"{outbox}-outbox"
    connect.put_config(name, {**(connect.config(name) or {}), "errors.tolerance": "all"})
    shown = kit("status", code=1).stdout
    assert "the connector's configuration differs from the schema file: errors.tolerance" in shown
    kit("deploy-connector", "--yes", "--stable-for", "0")
    assert "matches the schema file" in kit("status", code=None).stdout


def test_a_slot_that_another_connector_reads_is_named(stack: Stack, kit: Kit, outbox: str) -> None:
    change("heartbeat_ms: 500", "heartbeat_ms: 500, connector: thief, topic_prefix: thief")
    try:
        result = kit("deploy-connector", "--yes", "--timeout", "15", code=4)
        assert f"'{outbox}_outbox' is read by another connector" in result.stderr
    finally:
        Connect(stack.connect_url).delete("thief")
        change("connector: thief, topic_prefix: thief", "snapshot: initial")


def test_removing_keeps_the_slot_and_says_so_loudly(
    stack: Stack, database: Database, kit: Kit, outbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(f"create role {outbox}_nobody login password 'nobody'")
        connection.execute(f"grant select on all tables in schema public to {outbox}_nobody")
    address = f"postgresql://{outbox}_nobody@{stack.postgres_host}:{stack.postgres_port}/{outbox}"
    with monkeypatch.context() as patch:
        patch.setenv("PGPASSWORD", "nobody")
        refused = kit("remove", "--drop-slot", "--allow-destructive", "--dsn", address, code=4).stderr
    assert "may not drop replication slot" in refused and "nothing was changed" in refused
    assert connector_status(Connect(stack.connect_url).status(f"{outbox}-outbox")).running
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(f"drop owned by {outbox}_nobody; drop role {outbox}_nobody")

    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe")
    left = json.loads(kit("remove", "--dry-run", "--format", "json").stdout)["left"]
    kinds = {each["kind"] for each in left}
    assert kinds == {"slot", "publication", "table", "role", "stored-offset", "topic"}
    result = kit("remove")
    assert f"stays      publication '{outbox}_outbox'" in result.stdout
    assert f"replication slot '{outbox}_outbox' was not dropped and retains WAL" in result.stderr
    assert "does not exist" not in kit("remove").stderr
    assert "--allow-destructive" in kit("remove", "--drop-slot", code=2).stderr


def test_a_position_that_outlived_its_slot_is_explained_and_can_be_reset(kit: Kit, outbox: str) -> None:
    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe")  # it waits until a position is stored
    kit("remove")
    removed = kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive").stderr
    assert "the stored offset was not deleted" in removed and "deleted its stored offset" not in removed
    assert f"dropped replication slot '{outbox}_outbox'" in removed

    failed = kit("deploy-connector", "--yes", code=4).stderr
    assert "The stored offset is older than" in failed and "remove --reset-offsets" in failed
    assert "deleted its stored offset" in kit("remove", "--reset-offsets", "--allow-destructive").stderr
    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["deploy-connector", "--yes", "--connect", "http://127.0.0.1:1"], 4, "Kafka Connect does not answer"),
        (["status", "--connect", "http://127.0.0.1:1"], 4, "Kafka Connect does not answer"),
        (["verify", "--no-table", "--bootstrap", "127.0.0.1:1"], 4, "no Kafka broker answers"),
        (["verify"], 4, "gen-ddl --apply"),
        (["verify", "--dsn", "postgresql://127.0.0.1:1/x"], 4, "no connection to the database"),
        (["gen-ddl", "--apply", "--dsn", "postgresql://127.0.0.1:1/x"], 4, "no connection to the database"),
        (["deploy-connector", "--yes", "--dsn", "postgresql://127.0.0.1:1/x"], 4, "no connection to the database"),
        (["verify", "--dsn", "postgresql://me:secret@127.0.0.1:1/x"], 2, "visible to every user"),
        (["verify", "--report", "pdf=x"], 2, "invalid --report"),
        (["gen-ddl", "--check"], 2, "--check needs a file"),
        (["gen-ddl", "--down", "--apply"], 2, "drops the outbox table and all events in it"),
        (["gen-ddl", "-f", "nowhere.yaml"], 2, "no file 'nowhere.yaml'"),
        (["gen-ddl", "--service", "nobody"], 2, "service 'nobody' not found"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_message(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.setattr(read, "REQUEST_SECONDS", 2.0)  # for the broker that does not answer
    kit("init", "--service", "orders", "-e", "OrderPlaced:Order")
    result = kit(*arguments, code=code)
    assert said in result.stderr
    assert "Traceback" not in result.stderr and "secret" not in result.stderr


def test_the_ddl_says_what_it_changed_and_a_second_time_nothing(database: Database, kit: Kit) -> None:
    kit("init", "--service", database.name, "-e", "OrderPlaced:Order")
    assert "+ table outbox" in kit("gen-ddl", "--apply").stdout
    assert kit("gen-ddl", "--apply").stdout == ""
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        good = [uuid.uuid4(), "Order", "1", "OrderPlaced", "{}"]
        connection.execute(INSERT, good)
        for column, bad in (
            (1, "Odrer"),
            (2, ""),
            (2, None),
            (3, "OrderPaid"),
            (4, None),
            (4, '"' + "x" * 900_001 + '"'),
        ):
            row = [uuid.uuid4(), *good[1:]]
            row[column] = bad
            with pytest.raises(psycopg.IntegrityError):
                connection.execute(INSERT, row)
        connection.execute("alter table outbox drop column created_at")
    assert "'created_at' is missing" in kit("gen-ddl", "--apply", code=2).stderr
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    with psycopg.connect(database.dsn) as connection:
        left = "select 1 from pg_class where relname like 'outbox%%' union select 1 from pg_roles where rolname = %s"
        assert connection.execute(left, (f"{database.name}_outbox",)).fetchone() is None


def test_the_partitioned_table_is_made_written_published_and_removed(
    stack: Stack, database: Database, kit: Kit
) -> None:
    address = ("--host", stack.postgres_host, "--port", str(stack.postgres_port))
    kit("init", "--service", database.name, *address, "-e", "OrderPlaced:Order")
    path = Path("outbox.yaml")
    path.write_text(
        path.read_text()
        + 'table: {retention: partition, payload: text}\nrouting: {topic: "{service}.{aggregate}"}\n'
        + CONNECT
    )
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    assert kit("gen-ddl", "--apply").stdout == ""
    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe")
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(INSERT, (uuid.uuid4(), "Order", "1", "OrderPlaced", "{}"))
    assert json.loads(kit("verify", "--format", "json").stdout)["verdict"] == "pass"
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def test_every_error_of_ours_has_a_message_of_its_own() -> None:
    assert OutboxKitError("it broke", where="here", fix="mend it").lines() == [
        "error: it broke",
        "  at    here",
        "  fix   mend it",
    ]
