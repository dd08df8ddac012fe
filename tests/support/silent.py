"""A server that takes connections and never answers."""

import gc
import socket
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

JOIN_SECONDS = 30.0


@contextmanager
def silent() -> Iterator[int]:
    """The port of one, on loopback.

    A driver that was given up waits in a thread, and ends when the server does. Its unclosed socket is collected here,
    so that it is no warning in a later test.
    """
    earlier = set(threading.enumerate())
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    try:
        yield server.getsockname()[1]
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # before the server ends: drivers end at once
            server.close()
            for thread in set(threading.enumerate()) - earlier:
                thread.join(JOIN_SECONDS)
            gc.collect()
