"""The request that sends a connector to Kafka Connect, as a script or a file of requests shows it. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.excerpt import Spot
from outbox_kit.lint.placeholders import PLACEHOLDER

PATH = lazy_pattern(r"/connectors(?:/[^?#\s\"']*)?(?=[?#\"']|$)")
CURL = lazy_pattern(r"\bcurl\b(?:[^\n`|;&\\]|\\\n|\\.)*")
"""A command, with its continuations."""
CONTENT_TYPE = lazy_pattern(r"content-type\s*:\s*([\w.+/-]+)", re.IGNORECASE)
SHORT = lazy_pattern(r"-[a-zA-Z#]*X([A-Z]*)")
LONG = lazy_pattern(r"--request(?:=(\w+))?")
DATA = lazy_pattern(r"(?:-[a-zA-Z#]*d|--data(?:-\w+)?|--json)(?:=.*)?", re.DOTALL)
JSON_OPTION = lazy_pattern(r"--json(?:=.*)?", re.DOTALL)
OPEN_ARGUMENT = lazy_pattern(rf"(?:{PLACEHOLDER.pattern})(?:\[[@*]\])?|@.*|-K|--config")
"""A word of a command line that may be or name any option."""


UNSENT = "curl takes it for an address: no option such as --data precedes it"


@dataclass(frozen=True)
class Body:
    """The JSON value that a connector was read from, if that is the whole text: it may be the body of a request."""

    wrapped: bool = False
    """Whether the options stand under `config`."""
    listed: bool = False
    """Whether it is a list with the connector."""
    others: Mapping[str, str] = field(default_factory=dict)
    """The members beside `name` and `config`; those that are no texts are empty."""
    spots: Mapping[str, Spot] = field(default_factory=dict)
    """Where all members stand."""


@dataclass(frozen=True)
class ConnectRequest:
    """What a command or a file of requests says of the request."""

    method: str
    path: str = ""
    """From `/connectors` on, without a slash at its end; empty if it is not said."""
    content_type: str | None = None
    """As it is declared; empty if nothing declares it, None if it is not known."""
    unsent: str = ""
    """Why its body is not sent; empty if it is."""

    @property
    def creates(self) -> bool:
        """Whether it is the request for a new connector."""
        return self.method == "POST" and self.path == "/connectors"

    @property
    def updates(self) -> bool:
        """Whether it is the request for the config of a connector."""
        return self.method == "PUT" and self.is_of_config

    @property
    def is_of_config(self) -> bool:
        """Whether its address is that of a connector's config."""
        return len(parts := self.path.split("/")) == 4 and parts[3] == "config"

    @property
    def connector(self) -> str:
        """The name of the connector in its address; empty if there is none."""
        return [*self.path.split("/"), "", ""][2]


def path_of(address: str) -> str:
    """The path of Kafka Connect's API in an address; empty if there is none."""
    match = PATH.search(address)
    return match[0].rstrip("/") if match else ""


def curl(words: Sequence[str]) -> ConnectRequest | None:
    """The request that a command makes; None if it does not call curl, or several times."""
    begins = [number for number, word in enumerate(words) if word == "curl" or word.endswith("/curl")]
    if len(begins) != 1:
        return None
    arguments = words[begins[0] + 1 :]
    has_body = any(DATA.fullmatch(word) for word in arguments)
    is_open = any(OPEN_ARGUMENT.fullmatch(word) for word in arguments)
    is_address = not has_body and not is_open and any(word.lstrip().startswith("{") for word in arguments)
    method = next(_methods(arguments), "POST" if has_body else "GET" if is_address else "")
    paths = {path for word in arguments if "\n" not in word and (path := path_of(word))}
    if not method:
        return None
    return ConnectRequest(
        method, paths.pop() if len(paths) == 1 else "", _content_type(arguments), UNSENT if is_address else ""
    )


def _methods(arguments: Sequence[str]) -> Iterator[str]:
    for word, following in pairwise([*arguments, ""]):
        if match := SHORT.fullmatch(word) or LONG.fullmatch(word):
            yield match[1] or following


def _content_type(arguments: Sequence[str]) -> str | None:
    declared = [match[1].lower() for word in arguments if "\n" not in word and (match := CONTENT_TYPE.match(word))]
    if declared:
        return declared[-1]
    if any(JSON_OPTION.fullmatch(word) for word in arguments):
        return "application/json"
    unknown = any(OPEN_ARGUMENT.fullmatch(word) for word in arguments if word != "@-")
    return None if unknown else ""
