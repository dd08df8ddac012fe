"""The runbook of hostile names: they are code in Markdown, words in a shell, and nothing else."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from outbox_kit import databases
from outbox_kit.render.runbook import html, runbook
from outbox_kit.render.text import code_cell, code_span
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.routes import Routes
from tests.support import hostile

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
LIVE = {"html_inline", "html_block", "link_open", "image", "em_open", "s_open"}
ANCHOR = re.compile(r'<a id="[a-z0-9-]+">|</a>')  # of a chapter
OF_MARKDOWN = ("backtick", "markup", "markdown", "shell", "comment", "last backslash")
OF_A_SHELL = ("backtick", "shell", "quote", "double quote", "last backslash", "variables", "format")
PLAIN = {"PATH": "/usr/bin:/bin"}
CLIENTS = {"outbox-kit", "sqlplus", "curl", "date"} | {
    dialect.runbook.client.split()[0] for dialect in databases.ALL.values()
}


@pytest.mark.parametrize("dialect", databases.ALL)
def test_no_name_is_markdown_or_html(dialect: str) -> None:
    usual = _shape(MARKDOWN.parse(_page(Outbox.model_validate(hostile.file(dialect, "x")))))
    for what, outbox in hostile.outboxes(dialect, among=OF_MARKDOWN):
        tokens = MARKDOWN.parse(_page(outbox))
        every = [*tokens, *(child for token in tokens for child in token.children or ())]
        assert [token for token in every if token.type in LIVE and not _is_of_a_chapter(token)] == [], what
        assert not any("pwned" in token.content for token in every if token.type == "text"), what
        assert _shape(tokens) == usual, what


def _is_of_a_chapter(token: Token) -> bool:
    """Whether it is a chapter's anchor, or a link to one."""
    return bool(ANCHOR.fullmatch(token.content) or re.fullmatch("#[a-z0-9-]+", str(token.attrGet("href"))))


@pytest.mark.parametrize("dialect", databases.ALL)
def test_no_name_is_html(dialect: str) -> None:
    usual = _tags(Outbox.model_validate(hostile.file(dialect, "x")))
    assert usual >= {"html", "table", "pre", "a"} and not {"script", "img", "em", "s"} & usual
    for what, outbox in hostile.outboxes(dialect, among=OF_MARKDOWN):
        assert _tags(outbox) == usual, what


def _tags(outbox: Outbox) -> set[str]:
    """The elements of the page in HTML."""
    tags = Tags()
    tags.feed(html(Routes(outbox)))
    return tags.names


class Tags(HTMLParser):
    """Reads a page, and keeps the names of its elements."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - as HTMLParser's
        self.names.add(tag)


def _page(outbox: Outbox) -> str:
    return runbook(Routes(outbox))


def _shape(tokens: Sequence[Token]) -> list[str]:
    """The page's blocks, without their words: a name that is taken for markup makes others."""
    return [token.type for token in tokens]


@pytest.mark.parametrize("dialect", databases.ALL)
def test_no_name_is_a_command(dialect: str, tmp_path: Path) -> None:
    stubs = "ORACLE_PASSWORD=x EVENT_ID=x KEY=x LOST_SINCE=x LOST_UNTIL=x\n" + "".join(
        f"{name}() {{ printf '%s\\n' \"$@\"; cat < /dev/null; }}\n" for name in CLIENTS
    )
    for what, outbox in hostile.outboxes(dialect, among=OF_A_SHELL):
        page = _page(outbox)
        blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
        assert len(blocks) > 5
        script = "\n".join([stubs, *blocks, f"echo {dialect} is through"])
        bash = shutil.which("bash") or "bash"
        done = subprocess.run([bash, "-u", "-c", script], cwd=tmp_path, capture_output=True, text=True, env=PLAIN)
        assert f"{dialect} is through" in done.stdout and done.stderr == "", (what, done.stderr)
        assert {path.name for path in tmp_path.iterdir()} <= {"outbox.cnf", "outbox.sql", "outbox.js"}, what


def test_code_holds_backticks_and_bars() -> None:
    assert code_span("plain") == "`plain`"
    assert code_span("a`b") == "``a`b``" and code_span("`") == "`` ` ``"
    assert code_cell("a|b") == "`a\\|b`"
    rendered = MARKDOWN.render(f"| a | b |\n|---|---|\n| {code_cell('x|y<b>')} | z |\n")
    assert "<code>x|y&lt;b&gt;</code>" in rendered and rendered.count("<td>") == 2
