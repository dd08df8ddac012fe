"""What a sink of Debezium Server consists of. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

EMPTY = "${EMPTY_VALUE:}"
"""An empty value: the server reads an option without a value as one that is not set."""


@dataclass(frozen=True)
class ServerSink:
    """A sink of Debezium Server. Its options are those of release 3.6.

    An address or a password is a variable of the server's environment: `${NAME}`, or `${NAME:default}`.
    """

    type: str
    """The value of `debezium.sink.type`, which also begins the names of its options."""
    options: Mapping[str, str]
    """Its options below `debezium.sink.<type>.`."""
    key_as_header: bool = True
    """Whether the key is sent as a header of its own: by a sink that sends no key, and takes every text in a header."""
    sends_tombstones: bool = True
    """Whether it sends a message without a value; if not, it drops it and reports nothing."""
