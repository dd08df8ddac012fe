"""The request with which a command sends a file whose text is also shown. Pure."""

import re
import shlex

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.request import ConnectRequest, curl
from outbox_kit.lint.subject import Subject

COMMAND = lazy_pattern(r"\bcurl\b(?:[^\n`|;&\\]|\\\n|\\.)*")
"""A command, with its continuations."""
BODY = lazy_pattern(r"@[\"']?(?:[\w./${}-]*/)?(?P<file>[\w.-]+\.json)\b")
FILE = lazy_pattern(r"(?<![\w.@-])(?:[\w./${}-]*/)?([\w.-]+\.json)\b")
OF_ANSWER = {"tasks", "type"}
"""Members with which Kafka Connect answers."""
ABOVE = 8
"""How many lines above its first option a text is named."""


def request_of(subject: Subject) -> ConnectRequest | None:
    """The request that sends a connector: of its own command, or of the one that sends the file with its text.

    None if there is none, or several of the file.
    """
    document = subject.document
    if document.request or document.body is None or document.body.others.keys() >= OF_ANSWER:
        return document.request
    name = _file_name(subject.text, document.start[0])
    commands = [match[0] for match in matches(subject.text, COMMAND) if BODY.search(match[0])] if name else []
    sending = {text for text in commands if {match["file"] for match in BODY.finditer(text)} == {name}}
    requests = {request for text in sending if (request := _request(text)) and request.path}
    return requests.pop() if len(requests) == 1 and len(sending) == 1 else None


def _file_name(text: str, line: int) -> str:
    """The name of the file whose text begins a few lines above a line; empty if it has none."""
    for above in reversed(text.splitlines()[max(0, line - 1 - ABOVE) : line - 1]):
        if names := FILE.findall(above):
            return names[0] if len(set(names)) == 1 else ""
    return ""


def _request(command: str) -> ConnectRequest | None:
    try:
        words = shlex.split(re.sub(r"\\\r?\n", " ", command))
    except ValueError:  # a quote that is open, such as in a text about a command
        return None
    return curl(words)
