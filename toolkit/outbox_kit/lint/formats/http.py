"""Request files of editors (`.http`, `.rest`): connectors in the bodies."""

import re
from collections.abc import Iterator

from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.words import names_connector

REQUEST = re.compile(r"^(POST|PUT|PATCH)[ \t]+\S+", re.MULTILINE)
SEPARATOR = re.compile(r"^###.*$", re.MULTILINE)
BODY = re.compile(r"\n(?:[ \t]*\r?\n)?(?=[ \t]*[\[{](?!\{))")
HANDLER = re.compile(r"^[<>][ \t].*", re.MULTILINE | re.DOTALL)


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a file of requests."""
    ends = [*(match.start() for match in SEPARATOR.finditer(excerpt.text)), len(excerpt.text)]
    for start, end in zip([0, *ends], ends, strict=False):
        body = BODY.search(excerpt.text, start, end)
        if body and REQUEST.search(excerpt.text, start, body.start() + 1):
            handler = HANDLER.search(excerpt.text, body.end(), end)
            part = excerpt.part(body.end(), handler.start() if handler else end)
            if names_connector(part.text):
                yield from nested(part, ".json")


FORMAT = TextFormat(
    rank=10,
    title="HTTP requests",
    suffixes=(".http", ".rest"),
    recognises=lambda text: REQUEST.search(text) is not None and BODY.search(text) is not None,
    read=read,
    expected="a POST or PUT request with a connector as its body",
    keeps_suffix=True,
)
