"""The runbook's commands, as they are typed: every query runs. The drills of `chaos` execute its procedures."""

import re
import shlex

import psycopg
import requests

from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit


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


def test_the_last_chapter_removes_everything(stack: Stack, kit: Kit, tables: str, rows: psycopg.Connection) -> None:
    kit("deploy-connector", "--yes", "--stable-for", "0")
    rows.execute("insert into outbox values (gen_random_uuid(), 'Order', '1', 'OrderPlaced', '{}')")
    _, _, chapter = kit("gen-runbook").stdout.partition('<a id="removal"></a>')
    for words in map(shlex.split, shell_lines(chapter)):
        if words[1] != "drill":  # which has a stack of its own
            kit(*words[1:])
    connector = requests.get(f"{stack.connect_url}/connectors/{tables}-outbox", timeout=120)
    assert connector.status_code == 404
