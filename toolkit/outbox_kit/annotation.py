"""A GitHub workflow command: a remark that is shown beside a line of a file."""

from outbox_kit.finding import Severity
from outbox_kit.printable import printable

WORDS = {Severity.error: "error", Severity.inconclusive: "error", Severity.warning: "warning", Severity.info: "notice"}


def annotation(severity: Severity, file: str, place: tuple[int, int], title: str, text: str) -> str:
    """One command on a line of its own. place: line and column, from 1."""
    line, column = place
    where = f"file={_property(file)},line={line},col={column},title={_property(title)}"
    safe = _data(printable(text, keep="\n"))
    return f"::{WORDS[severity]} {where}::{safe}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
