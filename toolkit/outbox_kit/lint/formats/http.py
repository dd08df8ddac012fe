"""Request files of editors (`.http`, `.rest`): connectors in the bodies."""

import re
from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.request import CONTENT_TYPE, ConnectRequest, path_of
from outbox_kit.lint.words import names_connector

REQUEST = lazy_pattern(r"^(POST|PUT|PATCH)[ \t]+(\S+)", re.MULTILINE)
SEPARATOR = lazy_pattern(
    r"^###.*$|(?<=\n)(?=(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)[ \t]+(?:https?:|\{\{|/)\S*)", re.MULTILINE
)
"""What stands between two requests: a mark, or the line of the next one."""
UNSENT = "no empty line precedes it"
EMPTY = lazy_pattern(r"\n[ \t]*\r?\n\Z")
BODY = lazy_pattern(r"\n(?:[ \t]*\r?\n)?(?=[ \t]*[\[{](?!\{))")
HANDLER = lazy_pattern(r"^[<>][ \t].*", re.MULTILINE | re.DOTALL)


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read a file of requests."""
    if REQUEST.search(excerpt.text) is None:  # commands, which editors take too
        yield from nested(excerpt, ".sh")
        return
    ends = [*(match.start() for match in SEPARATOR.finditer(excerpt.text)), len(excerpt.text)]
    for start, end in zip([0, *ends], ends, strict=False):
        body = BODY.search(excerpt.text, start, end)
        line = REQUEST.search(excerpt.text, start, body.start() + 1) if body else None
        if body and line:
            handler = HANDLER.search(excerpt.text, body.end(), end)
            part = excerpt.part(body.end(), handler.start() if handler else end)
            if names_connector(part.text):
                declared = CONTENT_TYPE.search(excerpt.text, line.end(), body.start() + 1)
                content_type = declared[1].lower() if declared else None
                unsent = "" if EMPTY.search(excerpt.text, line.end(), body.end()) else UNSENT
                request = ConnectRequest(line[1], path_of(line[2]), content_type, unsent)
                yield from (replace(document, request=request) for document in nested(part, ".json"))


FORMAT = TextFormat(
    rank=10,
    title="HTTP requests",
    suffixes=(".http", ".rest"),
    recognises=lambda text: REQUEST.search(text) is not None and BODY.search(text) is not None,
    read=read,
    expected="a POST or PUT request with a connector as its body",
    keeps_suffix=True,
)
