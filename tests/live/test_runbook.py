"""The runbook's commands, as they are typed: every query runs, every command exists, and the procedures work."""

import re
import shlex

import psycopg
import requests
import typer.main
from confluent_kafka.admin import AdminClient

from outbox_kit.cli import app
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.support.waiting import until

IS_IDLE = "select 1 from pg_replication_slots where slot_name = %s and not active"
ROW = "(id, aggregatetype, aggregateid, type, payload) values (gen_random_uuid(), 'Order', '1', 'OrderPlaced', '{}')"


def shell_lines(text: str) -> list[str]:
    """The commands of blocks and sentences, in the order of the page."""
    found = re.findall(r"```sh\n(.*?)```|`(outbox-kit [^`]+)`", text, re.DOTALL)
    return [line.strip() for parts in found for part in parts for line in part.splitlines() if line.strip()]


def test_every_query_of_the_runbook_runs(database: Database, kit: Kit, tables: str) -> None:
    queries = [
        words[place + 1]
        for line in shell_lines(kit("gen-runbook").stdout)
        if line.startswith("psql")
        for words in [shlex.split(line.split(" | ")[0])]
        for place, word in enumerate(words)
        if word in ("-c", "-tAc")
    ]
    assert len(queries) >= 6
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        for query in queries:
            if not query.startswith("alter system"):  # that one is for a server of one's own
                connection.execute(query)


def test_every_outbox_kit_command_of_the_runbook_is_one(kit: Kit, tables: str) -> None:
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    lines = [line for line in shell_lines(kit("gen-runbook").stdout) if line.startswith("outbox-kit")]
    assert len(lines) >= 10
    for line in lines:
        command, *arguments = shlex.split(line)[1:]
        options = {name for parameter in known[command].params for name in parameter.opts}
        flags = {word for word in arguments if word.startswith("-")}
        assert flags <= options, line


def test_the_procedures_of_the_runbook_end_in_a_pass(stack: Stack, database: Database, kit: Kit, tables: str) -> None:
    chapters = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", kit("gen-runbook").stdout, re.DOTALL | re.MULTILINE))
    connector, slot = f"{stack.connect_url}/connectors/{tables}-outbox", f"{tables}_outbox"
    admin, topic = AdminClient({"bootstrap.servers": stack.bootstrap}), f"{tables}.Order"

    def follow(title: str) -> None:
        for line in shell_lines(chapters[title]):
            if line.startswith("outbox-kit"):
                kit(*shlex.split(line)[1:], code=None if "status" in line else 0)

    kit("deploy-connector", "--yes", "--stable-for", "0", "--probe")
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(f"insert into outbox {ROW}")
        requests.put(f"{connector}/pause", timeout=30).raise_for_status()
        until(lambda: requests.get(f"{connector}/status", timeout=30).json()["connector"]["state"] == "PAUSED")
        follow("The connector is PAUSED or STOPPED")

        kit("remove")
        until(lambda: connection.execute(IS_IDLE, [slot]).fetchone())
        connection.execute("select pg_drop_replication_slot(%s)", [slot])
        connection.execute(f"insert into outbox {ROW}")
        assert "no longer available on the server" in kit("deploy-connector", "--yes", code=4).stderr
        follow("The replication slot is lost")

        admin.delete_topics([topic])[topic].result()
        until(lambda: topic not in admin.list_topics(timeout=10).topics)
        follow("A topic was deleted")
    follow("The task is FAILED")
    follow("Remove the outbox")
    assert requests.get(connector, timeout=30).status_code == 404
