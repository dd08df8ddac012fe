"""An operation of the HTTP interface: its path, its documents and its function. Values only.

The server and the OpenAPI document are made of the same values.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.coordinator.allowed import AllowedAddress
from outbox_kit.databases.two_phase import MessageStore
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class OperationRequest:
    """What an operation is given."""

    outbox: Outbox
    store: MessageStore
    """Of this thread."""
    new_id: Callable[[], str]
    """Makes the id of an event or a message."""
    message_id: str = ""
    """Of the path."""
    query: Mapping[str, str] = field(default_factory=dict)
    """The parameters of the query; of several values of one, the last."""
    body: bytes = b""
    allowed: Sequence[AllowedAddress] = ()
    """The addresses that check-backs may call; any without one."""


@dataclass(frozen=True)
class OperationAnswer:
    """An answer."""

    document: Any
    """As JSON."""
    status: int = 200


@dataclass(frozen=True)
class HttpOperation:
    """An operation."""

    name: str
    """Its id, a label of the metrics too."""
    method: str
    path: str
    """With `{message_id}` for a message's id."""
    summary: str
    run: Callable[[OperationRequest], OperationAnswer]
    """Raises InvalidRequest, Contradiction, UnknownMessage, RefusedMessage, and what the store raises."""
    answers: Mapping[int, str]
    """The statuses and what they mean."""
    takes: str = ""
    """The name of the body's schema; empty without a body."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The parameters of the query and what they mean."""
    returns: str = "Message"
    """The name of the schema of the answer with status 200."""
    of_dtm: bool = False
    """Whether errors are written as DTM's server writes them."""

    def pattern(self) -> re.Pattern[str]:
        """The paths of this operation."""
        return re.compile(re.escape(self.path).replace(r"\{message_id\}", "(?P<message_id>[^/]+)"))
