"""Report formats: one module each, one function `render(report) -> str`."""

from collections.abc import Callable

from outbox_kit.verify.report import html, json, junit, text
from outbox_kit.verify.run import Report

FORMATS: dict[str, Callable[[Report], str]] = {
    "text": text.render,
    "json": json.render,
    "junit": junit.render,
    "html": html.render,
}
