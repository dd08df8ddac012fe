"""Report formats: one module each, one function `render(report) -> str`, given a report whose texts are safe for it."""

from collections.abc import Callable

from outbox_kit.printable import encodable, printable
from outbox_kit.verify.report import ctrf, github, html, json, junit, markdown, ndjson, text
from outbox_kit.verify.report.safe import Clean, safe
from outbox_kit.verify.result import Report

Render = Callable[[Report], str]


def _safely(render: Render, clean: Clean) -> Render:
    return lambda report: render(safe(report, clean))


# JSON escapes what is not printable by itself; a half of a surrogate pair is no text to many of its readers
FORMATS: dict[str, Render] = {
    "text": _safely(text.render, printable),
    "json": _safely(json.render, encodable),
    "junit": _safely(junit.render, printable),
    "html": _safely(html.render, printable),
    "ndjson": _safely(ndjson.render, encodable),
    "ctrf": _safely(ctrf.render, encodable),
    "markdown": _safely(markdown.render, printable),
    "github": _safely(github.render, printable),
}
