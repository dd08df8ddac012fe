"""A server that takes connections and never answers."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silent() -> Iterator[int]:
    """The port of one, on loopback."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]
