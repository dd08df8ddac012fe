"""The request with which a command sends a file whose text is also shown. Pure."""

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.request import CURL, ConnectRequest, curl
from outbox_kit.lint.subject import Subject

BODY = lazy_pattern(r"@[\"']?(?P<path>(?:[\w./${}-]*/)?(?P<file>[\w.-]+\.json))\b")
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
    requests = _requests(subject.text)
    return requests.get(_file_name(_lines(subject.text), document.start[0])) if requests else None


@lru_cache(maxsize=4)
def sent_both_ways(text: str) -> str:
    """The path of a file that one command creates a connector with, and another one updates a config with; or empty."""
    for path, commands in _senders(text, "path").items():
        requests = [request for command in sorted(commands) if (request := _request(command))]
        if any(each.creates for each in requests) and any(each.updates for each in requests):
            return path
    return ""


@lru_cache(maxsize=4)
def _requests(text: str) -> Mapping[str, ConnectRequest]:
    """The requests by the files that one command sends, and no other one."""
    requests = {file: _request(*commands) for file, commands in _senders(text, "file").items() if len(commands) == 1}
    return {file: request for file, request in requests.items() if request and request.path}


def _senders(text: str, name: str) -> Mapping[str, set[str]]:
    """The commands by the file that they send, under a name that BODY has for it."""
    senders: dict[str, set[str]] = {}
    for command in (match[0] for match in matches(text, CURL)):
        files = {match[name] for match in BODY.finditer(command)}
        if len(files) == 1:
            senders.setdefault(files.pop(), set()).add(command)
    return senders


@lru_cache(maxsize=4)
def _lines(text: str) -> Sequence[str]:
    return text.splitlines()


def _file_name(lines: Sequence[str], line: int) -> str:
    """The name of the file whose text begins a few lines above a line; empty if it has none."""
    for above in reversed(lines[max(0, line - 1 - ABOVE) : line - 1]):
        if names := FILE.findall(above):
            return names[0] if len(set(names)) == 1 else ""
    return ""


def _request(command: str) -> ConnectRequest | None:
    try:
        words = shlex.split(re.sub(r"\\\r?\n", " ", command))
    except ValueError:  # a quote that is open, such as in a text about a command
        return None
    return curl(words)
