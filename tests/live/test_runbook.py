"""The runbook's commands, as they are typed: every query runs, and every outbox-kit command exists."""

import re
import shlex

import psycopg
import typer.main

from outbox_kit.cli import app
from tests.live.conftest import Database, Kit


def shell_lines(text: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    inline = re.findall(r"`(outbox-kit [^`]+)`", text)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()] + inline


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
