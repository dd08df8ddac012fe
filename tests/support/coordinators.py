"""Coordinators of a test: their processes, requests to them, and services that are checked back."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from urllib.request import urlopen

from tests.support.cli import invoke
from tests.support.servers import PASSWORD, Server

EVENT = {"aggregate": "Order", "aggregate_id": "7", "type": "OrderPlaced", "payload": {"amount": 30}}


@dataclass(frozen=True)
class Coordinator:
    """A process of `coordinator serve`."""

    process: "subprocess.Popen[str]"
    port: int
    lines: list[str]
    """Of its log."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pages_port(self) -> int:
        """Of its health and metrics."""
        (line,) = [line for line in self.lines if "health and metrics" in line]
        return int(line.rsplit(":", 1)[1].split("/")[0])

    def gauge(self, name: str) -> float | None:
        """The value of a metric without further labels; None if it is missing now."""
        with urlopen(f"http://127.0.0.1:{self.pages_port}/metrics", timeout=30) as answer:
            text = answer.read().decode()
        line = re.search(rf"^outbox_kit_coordinator_{name}{{[^}}]*}} (\S+)$", text, re.MULTILINE)
        return float(line[1]) if line else None

    def call(self, method: str, path: str, document: Any = None, seconds: float = 30) -> tuple[int, Any]:
        """The status and the document of an answer. document: bytes as they are, other values as JSON."""
        body = document if isinstance(document, bytes) or document is None else json.dumps(document).encode()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        finally:
            connection.close()

    def message(self, name: str, operation: str = "", document: Any = None) -> tuple[int, Any]:
        """An operation on a message; the query without one."""
        path = f"/v1/messages/{name}{'/' if operation else ''}{operation}"
        return self.call("POST" if operation else "GET", path, document)

    def kill(self) -> None:
        """End it as a power failure does."""
        self.process.kill()
        self.process.wait(30)


@contextmanager
def coordinator(shop: "Shop", *arguments: str) -> Iterator[Coordinator]:
    """A coordinator of a database."""
    command = [sys.executable, "-m", "outbox_kit", "coordinator", "serve", "-f", str(shop.file), "--address", "0"]
    environment = {**os.environ, **shop.environment}
    process = subprocess.Popen([*command, *arguments], env=environment, stderr=subprocess.PIPE, text=True)
    lines: list[str] = []
    reader: threading.Thread | None = None
    assert process.stderr is not None
    try:
        for line in process.stderr:
            lines.append(line)
            if address := re.search(r"coordinator: http://127\.0\.0\.1:(\d+)", line):
                break
        else:
            raise AssertionError("".join(lines))
        reader = threading.Thread(target=lines.extend, args=(process.stderr,), daemon=True)
        reader.start()
        yield Coordinator(process, int(address[1]), lines)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)
        if reader is not None:
            reader.join(30)
        process.stderr.close()


@dataclass(frozen=True)
class Shop:
    """A database with an outbox and the table of a coordinator."""

    server: Server
    name: str
    file: Path
    environment: dict[str, str]
    """Of a coordinator, whose user may do nothing but what `gen-ddl` grants."""

    def rows(self, prefix: str = "") -> list[str]:
        """The aggregate ids of the events in the outbox that begin so."""
        query = "select aggregateid from outbox where left(aggregateid, %s) = %s order by aggregateid"
        return [row[0] for row in self.server.ask(query, len(prefix), prefix, database=self.name)]


@contextmanager
def shop_of(server: Server, folder: Path) -> Iterator[Shop]:
    name = f"t{uuid.uuid4().hex[:8]}"
    server.create(name)
    shop = Shop(server, name, folder / "outbox.yaml", server.environment(name, "application"))
    shop.file.write_text(
        f"service: {name}\n"
        f"database: {{dialect: {server.dialect}, port: {server.port}, writers: [application]}}\n"
        "events: [{type: OrderPlaced, aggregate: Order}]\n"
    )
    boss = {**server.environment(name), "OUTBOX_DB_PASSWORD": PASSWORD}
    for script in ([], ["--coordinator"]):
        invoke("gen-ddl", str(shop.file), "--apply", *script, environment=boss)
    yield shop
    server.drop(name)


@dataclass
class CheckedService:
    """A server that answers check-backs with bytes, by the id of the message."""

    answers: dict[str, bytes | Callable[[socket.socket], None]] = field(default_factory=dict)
    """The whole answers; a function writes one itself."""
    asked: list[str] = field(default_factory=list)
    """The ids, in the order of the check-backs."""
    targets: list[str] = field(default_factory=list)
    """What was asked, as paths with their queries."""
    default: bytes = b""
    """For other ids."""
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/outcome"

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(line,), daemon=True).start()

    def _answer(self, line: socket.socket) -> None:
        with line, suppress(OSError):
            line.settimeout(60)
            head = b""
            while b"\r\n\r\n" not in head:
                piece = line.recv(4096)
                if not piece:
                    return
                head += piece
            target = head.split(b" ")[1].decode()
            query = dict(parse_qsl(urlsplit(target).query))
            name = query.get("message_id") or query.get("gid", "")
            self.asked.append(name)
            self.targets.append(target)
            answer = self.answers.get(name, self.default)
            if callable(answer):
                answer(line)
            else:
                line.sendall(answer)


def http(status: int, body: str | bytes, kind: str = "application/json", length: int | None = None) -> bytes:
    """An answer of HTTP. length: as its header says, if it is another one than the body's."""
    content = body.encode() if isinstance(body, str) else body
    size = len(content) if length is None else length
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\nConnection: close\r\n"
    return head.encode() + b"\r\n" + content


def outcome(word: str, reason: str = "") -> bytes:
    """The answer of a service that knows its outcome."""
    return http(200, json.dumps({"outcome": word, "reason": reason}))


@contextmanager
def checked_service() -> Iterator[CheckedService]:
    """A service that a coordinator can check back with."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        service = CheckedService(port=listener.getsockname()[1])
        thread = threading.Thread(target=service.serve, args=(listener,), daemon=True)
        thread.start()
        try:
            yield service
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def document(service: CheckedService, aggregate_id: str, **more: Any) -> dict[str, Any]:
    """Of a message with one event, as `prepare` takes it."""
    return {"check_back": service.url, "events": [{**EVENT, "aggregate_id": aggregate_id}], **more}
