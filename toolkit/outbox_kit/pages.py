"""Pages over HTTP: metrics, and the health of a process."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from outbox_kit.errors import EnvironmentProblem

REQUEST_SECONDS = 10.0
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Page = Callable[[], tuple[HTTPStatus, bytes, str]]
"""Makes the status, the content and the media type of an answer."""


def of_process(
    metrics: Callable[[], bytes],
    is_healthy: Callable[[], bool],
    is_ready: Callable[[], bool],
    state: Callable[[], Mapping[str, Any]],
) -> Mapping[str, Page]:
    """The pages of a process that runs on: `/metrics`, `/health` and `/ready`.

    is_ready: whether a healthy process does its work. state: the document of `/health` and `/ready`.
    """

    def page(good: bool) -> tuple[HTTPStatus, bytes, str]:
        status = HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE
        return status, json.dumps(state()).encode() + b"\n", "application/json"

    return {
        "/metrics": lambda: (HTTPStatus.OK, metrics(), METRICS_TYPE),
        "/health": lambda: page(is_healthy()),
        "/ready": lambda: page(is_healthy() and is_ready()),
    }


@contextmanager
def served(
    pages: Mapping[str, Page], address: tuple[str, int], what: str, report: Callable[[str], None]
) -> Iterator[int]:
    """Serve pages by their paths for the length of a block, which gets the port.

    address: host and port, 0 for a free one. what: the content in words. Raises EnvironmentProblem if the port is not
    available.
    """
    host, port = address
    try:
        server = ThreadingHTTPServer((host, port), _requests(pages))
    except (OSError, OverflowError) as cause:
        fix = "use another port: --listen PORT"
        raise EnvironmentProblem(f"cannot serve {what}", where=f"{host}:{port}", why=str(cause), fix=fix) from cause
    thread = threading.Thread(target=server.serve_forever, name="pages", daemon=True)
    thread.start()
    report(f"{what}: http://{host}:{server.server_port}/metrics")
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _requests(pages: Mapping[str, Page]) -> type[BaseHTTPRequestHandler]:
    """What answers requests with some pages."""

    class Pages(BaseHTTPRequestHandler):
        """The pages."""

        timeout = REQUEST_SECONDS

        def do_GET(self) -> None:
            """Answer a request."""
            page = pages.get(self.path.partition("?")[0])
            status, content, kind = page() if page else (HTTPStatus.NOT_FOUND, b"not found\n", "text/plain")
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Requests are not logged."""

    return Pages
