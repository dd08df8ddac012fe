"""A Kafka Connect worker, or a registry, that misbehaves on demand, as the real one only does now and then."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Answer:
    """One answer: a status and a body; cut: how many bytes of the body are really sent, then the line is closed."""

    status: int = 200
    body: object = None
    cut: int | None = None

    def bytes(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


@dataclass
class Worker:
    """Answers from a script, first come first served for each `METHOD path`; the last one stays."""

    script: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: list[Message] = field(default_factory=list)
    url: str = ""

    def answer(self, request: str, headers: Message) -> Answer:
        self.asked.append(request)
        self.headers.append(headers)
        waiting = self.script.get(request, [Answer(404, {"error_code": 404, "message": "not in the script"})])
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]


@contextmanager
def running(script: dict[str, list[Answer]]) -> Iterator[Worker]:
    """The worker on a free port of loopback, for the length of a block."""
    worker = Worker(script)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(worker.answer))
    worker.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(answer: Callable[[str, Message], Answer]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            self.rfile.read(length)
            found = answer(f"{self.command} {self.path}", self.headers)
            body = found.bytes() if found.body is not None else b""
            self.send_response(found.status)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body[: found.cut])
            self.close_connection = True

        do_GET = do_PUT = do_POST = do_DELETE = handle_one

        def log_message(self, *_: object) -> None:
            """Quiet."""

    return Handler
