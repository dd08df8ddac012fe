"""A Kafka Connect worker, or a registry, that misbehaves on demand, as the real one only does now and then."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.certificates import Issued


@dataclass
class Answer:
    """One answer: a status and a body; cut: how many bytes of the body are really sent, then the line is closed.

    headers: beside the usual ones. silent: nothing is said at all, until the asker goes. endless: the body is sent
    again and again. pause: seconds before each piece of the answer, a byte; `slow_head`: of its head, not its body.
    """

    status: int = 200
    body: object = None
    cut: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    silent: bool = False
    endless: bool = False
    pause: float = 0.0
    slow_head: bool = False

    def bytes(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (
            self.body.encode(errors="surrogatepass") if isinstance(self.body, str) else json.dumps(self.body).encode()
        )


@dataclass
class Worker:
    """Answers from a script, first come first served for each `METHOD path`; the last one stays.

    every: gives the answer to each request in place of the script. sent: bytes of bodies so far.
    """

    script: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: list[Message] = field(default_factory=list)
    url: str = ""
    every: Callable[[str], Answer] | None = None
    closed: threading.Event = field(default_factory=threading.Event)
    sent: int = 0

    def answer(self, request: str, headers: Message) -> Answer:
        self.asked.append(request)
        self.headers.append(headers)
        if self.every is not None:
            return self.every(request)
        waiting = self.script.get(request, [Answer(404, {"error_code": 404, "message": "not in the script"})])
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]


@contextmanager
def running(script: dict[str, list[Answer]], issued: Issued | None = None) -> Iterator[Worker]:
    """The worker on a free port of loopback, for the length of a block. issued: what it presents, with TLS."""
    worker = Worker(script)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(worker))
    worker.url = f"http://127.0.0.1:{server.server_port}"
    if issued is not None:
        tls_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls_context.load_cert_chain(issued.certificate, issued.key)
        server.socket = tls_context.wrap_socket(server.socket, server_side=True)
        worker.url = worker.url.replace("http:", "https:")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        worker.closed.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(worker: Worker) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        own = worker

    return Handler


class _Handler(BaseHTTPRequestHandler):
    own: Worker

    def handle_one(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        found = self.own.answer(f"{self.command} {self.path}", self.headers)
        self.close_connection = True
        with suppress(OSError):  # the asker has gone
            if found.silent:
                self.own.closed.wait()
            else:
                self.say(found)

    def say(self, found: Answer) -> None:
        body = found.bytes() if found.body is not None else b""
        if found.slow_head:
            self.drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000, found.pause)
        self.send_response(found.status)
        if not found.endless:
            self.send_header("Content-Length", str(len(body)))
        for name, value in found.headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        if found.pause:
            self.drip(body * (1000 if found.endless else 1), found.pause)
        else:
            self.pour(body[: found.cut], again=found.endless)

    def pour(self, body: bytes, *, again: bool) -> None:
        while not self.own.closed.is_set():
            self.wfile.write(body)
            self.own.sent += len(body)
            if not again:
                return

    def drip(self, text: bytes, pause: float) -> None:
        for n in range(len(text)):
            if self.own.closed.wait(pause):
                return
            self.wfile.write(text[n : n + 1])

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = handle_one

    def log_message(self, *_: object) -> None:
        """Quiet."""
