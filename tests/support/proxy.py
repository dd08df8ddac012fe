"""A proxy of HTTP before a real service, which loses requests or answers on demand."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

LENGTH = re.compile(rb"(?i)content-length: (\d+)")


@dataclass
class Proxy:
    """What is lost: the beginnings of requests, such as `PUT /connectors/`, each once.

    halves: these requests reach the service half. answers: the answers to these do not reach the client.
    """

    target: tuple[str, int]
    halves: list[bytes] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)
    lost: list[bytes] = field(default_factory=list)
    url: str = ""

    def serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            request = _whole(client).replace(b"Connection: keep-alive", b"Connection: close")
            with socket.create_connection(self.target, timeout=30) as service:
                if _taken(self.halves, request, self.lost):
                    service.sendall(request[: request.index(b"\r\n\r\n") + 20])
                    return
                service.sendall(request)
                answer = b""
                while piece := service.recv(65536):
                    answer += piece
            if not _taken(self.answers, request, self.lost):
                client.sendall(answer)


def _whole(client: socket.socket) -> bytes:
    request = b""
    while b"\r\n\r\n" not in request or len(request) < request.index(b"\r\n\r\n") + 4 + _length(request):
        piece = client.recv(65536)
        if not piece:
            raise ConnectionError
        request += piece
    return request


def _length(request: bytes) -> int:
    match = LENGTH.search(request[: request.index(b"\r\n\r\n")])
    return int(match[1]) if match else 0


def _taken(beginnings: list[bytes], request: bytes, lost: list[bytes]) -> bool:
    for beginning in beginnings:
        if request.startswith(beginning):
            beginnings.remove(beginning)
            lost.append(request.split(b" HTTP")[0])
            return True
    return False


@contextmanager
def before(host: str, port: int) -> Iterator[Proxy]:
    """The proxy on a free port of loopback, for the length of a block."""
    proxy = Proxy((host, port))
    with socket.create_server(("127.0.0.1", 0)) as server:
        proxy.url = f"http://127.0.0.1:{server.getsockname()[1]}"

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=proxy.serve, args=(server.accept()[0],), daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield proxy
        server.shutdown(socket.SHUT_RDWR)
    thread.join()
