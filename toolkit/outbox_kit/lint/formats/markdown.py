"""Markdown: connectors in blocks of any of the other formats, and objects in its text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import fragment, server
from outbox_kit.lint.completed import is_excerpt
from outbox_kit.lint.document import Document, Entry, document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.formats import text
from outbox_kit.lint.formats.sql import STATEMENT
from outbox_kit.lint.request import ConnectRequest, path_of
from outbox_kit.lint.words import names_connector

FENCE = lazy_pattern(r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[^`\n]*$", re.MULTILINE)
INDENTED = lazy_pattern(r"(?<=\n\n)(?:(?: {4}|\t)[^\n]*\n|[ \t]*\n)+")
INDENTATION = lazy_pattern(r"^(?: {4}|\t)", re.MULTILINE)
LANGUAGES = {
    **{word: ".json" for word in ("json", "json5", "jsonc")},
    **{word: ".js" for word in ("javascript", "js", "typescript", "ts", "jsx", "tsx")},
    **{
        word: f".{word}" for word in ("java", "go", "scala", "groovy", "php", "py", "cs", "kt", "rs", "rb", "ex", "clj")
    },
    **{"python": ".py", "kotlin": ".kt", "rust": ".rs", "ruby": ".rb", "csharp": ".cs", "elixir": ".ex"},
    **{word: ".clj" for word in ("clojure", "edn")},
    **{word: "dockerfile" for word in ("dockerfile", "docker")},
    **{word: ".mk" for word in ("make", "makefile")},
    **{word: ".ps1" for word in ("powershell", "pwsh", "ps1", "ps")},
    **{word: ".sh" for word in ("sh", "bash", "shell", "console", "zsh", "terminal", "shell-session")},
    **{word: ".yaml" for word in ("yaml", "yml")},
    **{word: ".properties" for word in ("properties", "ini", "conf", "env", "dotenv")},
    **{word: ".tf" for word in ("hcl", "terraform", "tf")},
    **{word: ".http" for word in ("http", "rest")},
}
PROGRAMS = frozenset(
    suffix for suffix in LANGUAGES.values() if suffix not in (".json", ".sh", ".yaml", ".properties", ".tf", ".http")
)
"""The suffixes of languages in which an object with a connector need not be JSON."""
LINE = lazy_pattern(
    r'^[ \t>*-]*"(?P<key>[\w.$-]+)"[ \t]*:[ \t]*"(?P<value>[^"\n]*)"[ \t]*,?(?:<br ?/?>|[^"\n]*)$', re.MULTILINE
)
"""An option on a line of its own, in the words of JSON, perhaps with a remark behind it."""
ROW = lazy_pattern(r"^[ \t]*\|[ \t]*`(?P<key>[\w.$-]+)`[ \t]*\|[ \t]*`(?P<value>[^`|\n]*)`[ \t]*\|", re.MULTILINE)
"""An option in a row of a table, with its value in the next column."""
HOSTNAME = "database.hostname"
"""An option that the text of a page says is set elsewhere, if a block lacks it."""
VARIABLE = lazy_pattern(
    r"^[ \t]*\|[ \t]*`(DEBEZIUM_[A-Z0-9_]+)`[ \t]*\|(?:[^|\n]*\|)*?[ \t]*`?([^`|\n]*?)`?[ \t]*\|[ \t]*$",
    re.MULTILINE,
)
"""A variable of Debezium Server in a row of a table, with its value in the last column."""
OUTLINED = lazy_pattern(r"^[ \t]*(?:#|//)[ \t]*(?:\.{3}|…)", re.MULTILINE)
"""A comment in place of options that a block leaves out."""
OUTLINES = ("...", "…")
"""What a block has that leaves parts out."""
ANSWERED = ('"tasks":[', '"type":"')
"""What Kafka Connect's answer has: a page may show it with what a terminal printed before it."""
REQUEST = lazy_pattern(r"(?<![\w/])(POST|PUT)[ \t`*]+(\S*/connectors(?:/[^\s`*]*)?)")
"""The request whose body a block is, in the line before it."""
SETTING = lazy_pattern(r"^(?:debezium\.source\.)?connector\.class[ \t]*=", re.MULTILINE)
LISTED = lazy_pattern(r"(?:[ \t]*(?:[\w.-]+[ \t]*=[^\n]*|#[^\n]*)?(?:\n|\Z))+")
"""Lines of properties alone."""
TYPED = lazy_pattern(r"^[$>#][ \t]+\S.*$", re.MULTILINE)
"""A command in a block that shows what it prints."""
REMARK = lazy_pattern(r"(?<![ \t])[ \t]+(?:<-+|\u2190|\u2b05)[^\n]*$", re.MULTILINE)
"""What an author says of a line behind it, with an arrow."""
YAML_REMARK = lazy_pattern(r"(?<=[\w\"'])[ \t]+//[ \t][^\n]*$", re.MULTILINE)
MORE = "expected the end of the text"
"""Why an object is refused that others, or sentences, follow."""
PROMPT = lazy_pattern(r"^[$>#][ \t]+(?=\S)", re.MULTILINE)


@dataclass(frozen=True)
class _Block:
    """A block of a page."""

    excerpt: Excerpt
    """Its text, without its indentation."""
    language: str = ""
    request: ConnectRequest | None = None
    """The request whose body it is, if the line before it says so."""

    @property
    def text(self) -> str:
        return self.excerpt.text


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read the blocks of a page, or its text if no block has a connector. Outlines of a config are left out."""
    blocks = list(_blocks(excerpt))
    in_text = excerpt.text.count(HOSTNAME) > sum(block.text.count(HOSTNAME) for block in blocks)
    if not any(names_connector(block.text) for block in blocks):
        documents = [each for each in text.read(excerpt, nested) if not each.fault]
        yield from documents
        if not documents:
            yield from _described(excerpt)
    for shown in blocks:
        block = shown.excerpt
        if not names_connector(block.text):
            continue
        suffix = _suffix(shown)
        if fragment.MEMBERS.match(block.text):
            yield from fragment.read(block, nested)
            continue
        if not suffix and TYPED.match(block.text.lstrip()) and "{" in block.text:
            yield from text.read(block, nested)
            continue
        outlined = any(mark in block.text for mark in OUTLINES)
        block = _without_remarks(block, suffix)
        documents = list(nested(block.replaced(PROMPT, lambda _: "") if suffix == ".sh" else block, suffix))
        is_answer = all(mark in block.text for mark in ANSWERED) or suffix in PROGRAMS
        if any(each.fault.endswith(MORE) for each in documents) and not is_answer:
            documents = [each for each in text.read(block, nested) if not each.fault] or documents
        for each in documents or list(_printed(block, nested)) or text.read(block, nested):
            if not (each.fault and (outlined or is_answer)):
                set_elsewhere = in_text and HOSTNAME not in block.text and "connector.class" in each.config
                left_out = OUTLINED.search(block.text) is not None
                partial = each.partial or set_elsewhere or left_out
                added = each.supplemented or is_excerpt(each)
                request = each.request or shown.request
                yield replace(each, partial=partial, supplemented=added, request=request)


def _suffix(block: _Block) -> str:
    """The suffix of a file with the text of a block; empty if the block does not say what it is."""
    if STATEMENT.search(block.text):
        return ".sql"
    suffix = LANGUAGES.get(block.language.lower(), "")
    are_settings = suffix == ".sh" and SETTING.search(block.text) and LISTED.fullmatch(block.text)
    return ".properties" if are_settings else suffix


def _without_remarks(block: Excerpt, suffix: str) -> Excerpt:
    """A block without what its format does not have: commands, and what an author says behind a line."""
    patterns = list[re.Pattern[str]]()
    if not suffix and SETTING.search(block.text):
        patterns.append(TYPED)
    if suffix not in (*PROGRAMS, ".sh"):
        patterns.append(REMARK)
    if suffix == ".yaml":
        patterns.append(YAML_REMARK)
    for pattern in patterns:
        block = block.replaced(pattern, lambda _: "")
    return block


def _printed(block: Excerpt, nested: Nested) -> Iterator[Document]:
    """The connectors in what commands print, as a terminal shows it."""
    prompts = list(TYPED.finditer(block.text))
    ends = [*(prompt.start() for prompt in prompts[1:]), len(block.text)]
    for prompt, end in zip(prompts, ends, strict=False):
        output = block.part(prompt.end(), end)
        if names_connector(output.text):
            yield from (each for each in nested(output, ".yaml") if not each.fault)


def _described(excerpt: Excerpt) -> Iterator[Document]:
    """A connector whose options the page shows one by one: each on a line, or in a row of a table."""
    for pattern in (LINE, ROW):
        entries = [Entry(match["key"], match["value"], match.start("key")) for match in pattern.finditer(excerpt.text)]
        if [entry.key for entry in entries].count("connector.class") == 1:
            yield replace(document("json", None, entries, excerpt), partial=True, verbatim=False)
            return
    variables = [Entry(match[1], match[2], match.start(1)) for match in VARIABLE.finditer(excerpt.text)]
    if server.runs(entry.key for entry in variables):
        yield replace(server.document(variables, excerpt), partial=True, verbatim=False)


def _blocks(excerpt: Excerpt) -> Iterator[_Block]:
    at = 0
    while opening := FENCE.search(excerpt.text, at):
        yield from _indented(excerpt, at, opening.start())
        start = opening.end() + 1
        fence, indent = opening["fence"], len(opening["indent"])
        closing = re.compile(rf"^[ \t>]*{re.escape(fence)}[`~]*[ \t]*$", re.MULTILINE).search(excerpt.text, start)
        end = closing.start() if closing else len(excerpt.text)
        block = excerpt.part(min(start, end), end)
        if indent:
            block = block.replaced(re.compile(rf"^[ \t>]{{1,{indent}}}", re.MULTILINE), lambda _: "")
        line = excerpt.text[at : opening.start()].rstrip().rpartition("\n")[2]
        request = REQUEST.search(line)
        yield _Block(block, opening["language"], request and ConnectRequest(request[1], path_of(request[2])))
        at = closing.end() if closing else len(excerpt.text)
    yield from _indented(excerpt, at, len(excerpt.text))


def _indented(excerpt: Excerpt, start: int, end: int) -> Iterator[_Block]:
    """The blocks between two positions that are indented and have no fences."""
    for block in INDENTED.finditer(excerpt.text, start, end):
        yield _Block(excerpt.part(*block.span()).replaced(INDENTATION, lambda _: ""))


FORMAT = TextFormat(
    rank=15,
    title="Markdown",
    suffixes=(".md", ".markdown", ".mdx", ".qmd", ".rmd"),
    recognises=lambda text: FENCE.search(text) is not None and not text.lstrip().startswith(("#!", "{")),
    read=read,
    expected="a fenced block with a connector",
    keeps_suffix=True,
)
