"""A GitHub workflow command: a remark that is shown beside a line of a file."""

from outbox_kit.findings.finding import FileLocation
from outbox_kit.findings.rule import Severity
from outbox_kit.printable import printable

COMMANDS = {
    Severity.error: "error",
    Severity.inconclusive: "error",
    Severity.warning: "warning",
    Severity.info: "notice",
}


def annotation(severity: Severity, location: FileLocation | None, title: str, text: str) -> str:
    """One command on a line of its own. location: None where no file is concerned."""
    properties = {"title": title}
    if location:
        position = {"file": location.file, "line": str(location.line), "col": str(location.column)}
        properties = position | properties
    joined = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    safe = _data(printable(text, keep="\n"))
    return f"::{COMMANDS[severity]} {joined}::{safe}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
