"""No name or text of a schema file ends a quotation, a body, a comment or a line of a generated script.

What servers and parsers make of the same scripts: tests/live/test_hostile.py, and the hostile cases of
tests/conformance/test_oracle_sql.py and tests/code/test_mongosh.py.
"""

import re
from collections.abc import Iterator

import pytest

from outbox_kit import databases
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.render import ddl, migration, text
from outbox_kit.schema.model import Outbox
from tests.support import hostile
from tests.unit.render.tsql import complaints, put_together

# what a statement is made of, where it is nothing but quoted
QUOTED = {
    "postgres": r"E'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"",
    "mysql": r"'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`",
    "sqlserver": r"'(?:[^']|'')*'|\[(?:[^]]|\]\])*\]",
    "oracle": r"'(?:[^']|'')*'|\"[^\"]*\"",
    "mongodb": r'"(?:[^"\\]|\\.)*"',
}
QUOTED["mariadb"] = QUOTED["mysql"]


def scripts(dialect: str) -> Iterator[tuple[str, str]]:
    """All that is generated for a database: both ways, the inbox, and a migration; each with what its names hold."""
    for what, outbox in hostile.outboxes(dialect):
        for script in (ddl.OUTBOX, ddl.INBOX, ddl.BARRIER, ddl.COORDINATOR):
            if not script.fits(outbox.dialect):
                continue
            yield what, ddl.up(outbox, script)
            yield what, ddl.down(outbox, script)
    for retention in ({}, {"retention": "partition"} if "partition" in databases.get(dialect).retentions else {}):
        for what, old, new in hostile.pairs(dialect, **retention):
            yield what, migration.script(old, new, destructive=True)
            yield what, ddl.up(new)


def outbox_of(dialect: str, what: str) -> Outbox:
    return dict(hostile.outboxes(dialect))[what]


@pytest.mark.parametrize("dialect", databases.ALL)
def test_nothing_of_a_text_stands_outside_of_quotes(dialect: str) -> None:
    mark = re.escape(databases.get(dialect).ddl.comment_prefix)
    for what, script in scripts(dialect):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", script), what
        # what is in a remark may have half a pair of quotes; of what begins in a text it is no remark
        bare = re.sub(rf"({QUOTED[dialect]})|^\s*{mark}.*$|{mark} .*$", "", script, flags=re.MULTILINE)
        for word in ("pwned", "7*7", "%I", ":var", "☃", "mmmm", "onerror"):
            assert word not in bare, (what, word, bare[max(bare.index(word) - 200, 0) :][:400])


def outside(script: str) -> str:
    """What PostgreSQL reads as code: a body is looked into on its own, from its first mark to the next one."""
    read = re.compile(rf"(\$\w*\$)(.*?)\1|{QUOTED['postgres']}|--[^\n]*", re.DOTALL)
    bodies = [found[2] for found in read.finditer(script) if found[1]]
    return "\n".join([read.sub("", script), *map(outside, bodies)])


def test_no_body_ends_within_a_text() -> None:
    for what, script in scripts("postgres"):
        read = outside(script)
        assert "$" not in read and "pwned" not in read, what


def test_marks_are_chosen_anew_until_they_are_free() -> None:
    given = hostile.file("postgres", "$block$ $block_$")
    script = ddl.up(Outbox.model_validate(given))
    assert "do $block__$\n" in script and "\n$block__$;\n" in script
    assert "do $block$\n" in ddl.up(Outbox.model_validate(hostile.file("postgres", "x")))


def test_a_backslash_is_itself_whatever_the_server_takes_one_for() -> None:
    assert POSTGRES.quote_literal("a\\'b") == r"E'a\\''b'"
    assert POSTGRES.quote_literal("a'b") == "'a''b'"


def test_what_ends_a_line_in_javascript_is_written_as_an_escape() -> None:
    mongodb = databases.get("mongodb")
    given = text.sql(
        "ddl/steps.js.j2",
        mongodb,
        steps=[{"why": "a\u2028b", "database": "x\u2028", "command": {"\u2029": 1}, "passes": []}],
    )
    assert "\u2028" not in given and "\u2029" not in given and '"x\\u2028"' in given and '"\\u2029"' in given


@pytest.mark.parametrize("what", ["bracket", "two quotes"])
def test_a_parser_of_sql_server_s_language_takes_every_script(what: str) -> None:
    outbox = outbox_of("sqlserver", what)
    for script in (ddl.up(outbox), ddl.down(outbox)):
        assert complaints(script) == []
        assert [found for made in put_together(script) for found in complaints(made)] == []
