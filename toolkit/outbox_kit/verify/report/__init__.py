"""Report formats: one module each, one function `render(report) -> str`."""

from collections.abc import Callable

from outbox_kit.verify.report import ctrf, github, html, json, junit, markdown, ndjson, text
from outbox_kit.verify.result import Report

FORMATS: dict[str, Callable[[Report], str]] = {
    "text": text.render,
    "json": json.render,
    "junit": junit.render,
    "html": html.render,
    "ndjson": ndjson.render,
    "ctrf": ctrf.render,
    "markdown": markdown.render,
    "github": github.render,
}
