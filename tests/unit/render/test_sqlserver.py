"""SQL Server's scripts: a parser of its language takes every statement, also those that are put together on the way."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlfluff.core import FluffConfig, Linter

from outbox_kit.dialects.sqlserver import SQLSERVER
from outbox_kit.render import ddl
from outbox_kit.render.captures import LONGEST, captures
from outbox_kit.render.code import statement, targets
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read

OUTBOXES = read(Path(__file__).parents[2] / "examples" / "sqlserver.yaml").outboxes
PARSER = Linter(config=FluffConfig(overrides={"dialect": "tsql", "large_file_skip_byte_limit": 0}))
# what the parser does not know: a bracket in brackets, and what else can be done with a login than make one
UNKNOWN = {"]]": "_", "drop login": "drop user", r"alter login \[[^]]*\] disable": "select 1"}
TEXT = r"N'((?:[^']|'')*)'"
MADE = {  # statements that the script puts together, and what stands for the server's part of each
    rf"exec \({TEXT}\)": r"\1",
    rf"{TEXT} \+ quotename\(name\)": r"\1[x]",
    rf"{TEXT} \+ convert\(.*\)\n *\+ {TEXT}": r"\g<1>00\2",
}


def complaints(script: str) -> list[str]:
    for unknown, known in UNKNOWN.items():
        script = re.sub(unknown if "\\" in unknown else re.escape(unknown), known, script)
    return [str(found.desc()) for found in PARSER.parse_string(script).violations]


def put_together(script: str) -> list[str]:
    found = [match.expand(whole) for made, whole in MADE.items() for match in re.finditer(made, script)]
    return [text.replace("''", "'") for text in found]


@pytest.mark.parametrize("outbox", OUTBOXES, ids=lambda outbox: outbox.service)
@pytest.mark.parametrize(
    "script",
    [ddl.up, ddl.down, lambda one: ddl.up(one, ddl.INBOX), lambda one: ddl.down(one, ddl.INBOX)],
    ids=["up", "down", "inbox", "inbox-down"],
)
def test_the_scripts_are_in_the_server_s_language(outbox: Outbox, script: Callable[[Outbox], str]) -> None:
    assert complaints(script(outbox)) == []
    assert [found for text in put_together(script(outbox)) for found in complaints(text)] == []


@pytest.mark.parametrize("outbox", OUTBOXES, ids=lambda outbox: outbox.service)
def test_so_are_the_statements_that_an_application_runs(outbox: Outbox) -> None:
    code, target = SQLSERVER.code, targets.named("go-sql")
    assert code is not None
    for written in (statement.insert, statement.once):
        assert complaints("\n".join(written(outbox, target, SQLSERVER, code))) == []


def test_the_statements_within_are_all_looked_at() -> None:
    found = {" ".join(text.split()[:2]) for text in put_together(ddl.up(OUTBOXES[1]))}
    assert found == {"create schema", "create login", "alter table"}


def test_a_capture_s_name_is_its_columns_and_short_enough() -> None:
    outbox, other = OUTBOXES
    more = outbox.model_copy(update={"ordering": other.ordering})
    assert captures(outbox)[0].name != captures(more)[0].name and captures(outbox)[1] == captures(more)[1]
    wide = outbox.model_copy(update={"table": outbox.table.model_copy(update={"name": "ü[x]" * 23})})
    assert all(len(one.name) <= LONGEST for one in captures(wide))
