"""A collector of traces: it takes OTLP over HTTP, and may let a request wait."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collector:
    """What was exported."""

    address: str
    answers: threading.Event = field(default_factory=threading.Event)
    """Whether requests are answered."""
    asked: threading.Event = field(default_factory=threading.Event)
    """Whether a request has come."""
    bodies: list[bytes] = field(default_factory=list)

    @property
    def spans(self) -> list[Any]:
        """All spans, in the order in which they came."""
        return [span for scope in self._scopes() for span in scope.spans]

    @property
    def services(self) -> set[str]:
        """The names of the services."""
        found = set()
        for body in self.bodies:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                found |= {a.value.string_value for a in resource.resource.attributes if a.key == "service.name"}
        return found

    def _scopes(self) -> Iterator[Any]:
        for body in [*self.bodies]:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                yield from resource.scope_spans


def attributes(span: Any) -> dict[str, Any]:
    """A span's attributes by name."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}


@contextmanager
def collecting(*, answers: bool = True) -> Iterator[Collector]:
    """A collector for the length of a block. answers: whether it answers requests at once."""

    class Requests(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.asked.set()
            collector.answers.wait(60)
            collector.bodies.append(gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Requests)
    server.daemon_threads = True
    collector = Collector(f"http://127.0.0.1:{server.server_port}")
    if answers:
        collector.answers.set()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield collector
    finally:
        collector.answers.set()
        server.shutdown()
        server.server_close()
        thread.join()
