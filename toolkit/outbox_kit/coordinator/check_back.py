"""Asks a service for the outcome of its business transaction: one GET, no redirection, a limit for time and bytes."""

import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from threading import Event
from urllib.parse import quote, urlencode, urlsplit

from outbox_kit import __version__, deadline
from outbox_kit.coordinator.allowed import OPTION, AllowedAddress, origin, permits
from outbox_kit.coordinator.outcomes import AnswerFinding, CheckBackAnswer
from outbox_kit.databases.two_phase import CheckBackProtocol, DueMessage

MOST_BYTES = 64 << 10
PIECE_BYTES = 4 << 10
SAFE = "!$%&'()*+,/:;=?@[]~"  # in a path or a query that may be written with or without escapes


@dataclass(frozen=True)
class CheckBack:
    """Asks for outcomes."""

    seconds: float
    """The most time from the connection to the end of the answer."""
    allowed: Sequence[AllowedAddress] = ()
    """The addresses that may be called; any without one."""

    def ask(self, message: DueMessage) -> CheckBackAnswer:
        """The answer of the service that has prepared a message. Raises nothing."""
        if not permits(self.allowed, message.check_back):  # prepared through a coordinator with other addresses
            cause = f"this coordinator may not call {origin(message.check_back)}, or not this path of it: {OPTION}"
            return CheckBackAnswer(finding=AnswerFinding.not_allowed, cause=cause)
        parts = urlsplit(message.check_back)
        query = "&".join(filter(None, [quote(parts.query, safe=SAFE), urlencode(parameters(message))]))
        target = f"{quote(parts.path, safe=SAFE) or '/'}?{query}"
        late = Event()
        connection = self._connection(parts.scheme, parts.hostname or "", parts.port)
        try:
            with _hung_up(connection, self.seconds, late):
                connection.request("GET", target, headers={"User-Agent": f"outbox-kit/{__version__}"})
                return _read(connection.getresponse())
        except TimeoutError:
            return self._late()
        except (HTTPException, OSError, ValueError) as cause:
            if late.is_set():
                return self._late()
            if isinstance(cause, IncompleteRead):
                return _incomplete()
            text = str(cause) or type(cause).__name__
            return CheckBackAnswer(finding=AnswerFinding.no_answer, cause=f"no answer: {text}")
        finally:
            connection.close()

    def _connection(self, scheme: str, host: str, port: int | None) -> HTTPConnection:
        if scheme == "https":
            return HTTPSConnection(host, port, timeout=self.seconds, context=ssl.create_default_context())
        return HTTPConnection(host, port, timeout=self.seconds)

    def _late(self) -> CheckBackAnswer:
        return CheckBackAnswer(finding=AnswerFinding.late, cause=f"no whole answer within {self.seconds:g} s")


def parameters(message: DueMessage) -> dict[str, str]:
    """The parameters that name the message in the query."""
    if message.protocol is CheckBackProtocol.dtm:
        return {"gid": message.message_id, "trans_type": "msg", "branch_id": "00", "op": "msg"}
    return {"message_id": message.message_id}


def server_of(message: DueMessage) -> str:
    """Host and port that a check-back asks."""
    return urlsplit(message.check_back).netloc.lower()


def _read(response: HTTPResponse) -> CheckBackAnswer:
    body = bytearray()
    while piece := response.read(PIECE_BYTES):
        body += piece
        if len(body) > MOST_BYTES:
            return CheckBackAnswer(
                finding=AnswerFinding.too_long, cause=f"the answer has more than {MOST_BYTES:,} bytes, and is not read"
            )
    if response.length:  # http.client reports no error for what is missing of a body that is read in pieces
        return _incomplete()
    return CheckBackAnswer(response.status, response.getheader("Content-Type") or "", bytes(body))


def _incomplete() -> CheckBackAnswer:
    return CheckBackAnswer(finding=AnswerFinding.incomplete, cause="the connection ended within the answer")


@contextmanager
def _hung_up(connection: HTTPConnection, seconds: float, late: Event) -> Iterator[None]:
    """Hang up after so long: the timeout of a socket begins again with every byte of an answer that never ends."""

    def hang_up() -> None:
        late.set()
        line = connection.sock
        if line is not None:
            with suppress(OSError):  # it has ended in the meantime
                line.shutdown(socket.SHUT_RDWR)

    with deadline.overrun(seconds, hang_up):
        yield
        if late.is_set():
            raise TimeoutError
