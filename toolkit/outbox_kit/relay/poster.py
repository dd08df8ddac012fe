"""A thread that posts one message after the other to a URL."""

import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPException
from urllib.parse import unquote, urlsplit, urlunsplit

import requests

from outbox_kit import __version__
from outbox_kit.secret import Secret, remember_basic

CONNECT_SECONDS, READ_SECONDS = 5.0, 30.0
LONGEST_BYTES = 64 << 10  # of an answer that is read to its end, which keeps the connection
PIECE_BYTES = 4 << 10
LONGEST_WORDS = 300  # characters of an answer that are a cause


@dataclass(frozen=True)
class Reply:
    """What became of a post."""

    status: int = 0
    """Of HTTP; 0 without an answer."""
    words: str = ""
    """The begin of the answer's body."""
    cause: str = ""
    """Why there is no answer."""
    retry_after: float | None = None
    """In seconds, if the answer has Retry-After."""
    is_unreachable: bool = False
    """Whether no connection was made, so that nothing was posted."""

    @property
    def text(self) -> str:
        """The answer in words."""
        if not self.status:
            return self.cause
        phrase = HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else ""
        return ": ".join(filter(None, [f"{self.status} {phrase}".strip(), self.words]))


class Poster(threading.Thread):
    """One thread and its connection."""

    def __init__(self, url: Secret, token: Secret, answers: "queue.SimpleQueue[tuple[Poster, Reply]]") -> None:
        super().__init__(name="poster", daemon=True)
        self.status = 0
        """Of the answer whose body is not read to its end yet; 0 before."""
        self._url, self._token, self._answers = url, token, answers
        self._posts: queue.SimpleQueue[tuple[Mapping[str, str], bytes] | None] = queue.SimpleQueue()
        self.start()

    def post(self, headers: Mapping[str, str], body: bytes) -> None:
        """Post a message; the answer comes to the queue."""
        self.status = 0
        self._posts.put((headers, body))

    def end(self) -> None:
        """End when what is being posted has an answer."""
        self._posts.put(None)

    def run(self) -> None:
        """Post until it is to end."""
        with requests.Session() as session:
            url = self._prepare(session)
            while (post := self._posts.get()) is not None:
                self._answers.put((self, self._posted(session, url, *post)))

    def _prepare(self, session: requests.Session) -> str:
        """Give the session its credentials; the URL without them."""
        parts = urlsplit(self._url.reveal())
        if self._token:
            session.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        elif parts.username:
            user, password = unquote(parts.username), unquote(parts.password or "")
            remember_basic(user, password)
            session.auth = requests.auth.HTTPBasicAuth(user.encode(), password.encode())
        session.headers["User-Agent"] = f"outbox-kit/{__version__}"
        session.headers["Accept-Encoding"] = "identity"
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    def _posted(self, session: requests.Session, url: str, headers: Mapping[str, str], body: bytes) -> Reply:
        limits = CONNECT_SECONDS, READ_SECONDS
        try:
            with session.post(
                url, data=body, headers=dict(headers), timeout=limits, allow_redirects=False, stream=True
            ) as response:
                self.status = response.status_code
                words = _begin(response)
                return Reply(response.status_code, words, retry_after=_seconds(response.headers.get("Retry-After")))
        except (requests.exceptions.ConnectTimeout, requests.exceptions.ProxyError) as cause:
            return Reply(cause=_root(cause), is_unreachable=True)
        except (requests.RequestException, HTTPException, OSError, ValueError) as cause:
            return Reply(self.status, cause=_root(cause), is_unreachable=_is_unreachable(cause))


def _begin(response: requests.Response) -> str:
    """The begin of an answer's body as a line. It is read to its end if it is short, so that the connection is kept."""
    content = bytearray()
    for piece in response.iter_content(PIECE_BYTES):
        content += piece
        if len(content) > LONGEST_BYTES:
            break
    return " ".join(content[: LONGEST_WORDS * 4].decode(errors="replace").split())[:LONGEST_WORDS]


def _seconds(retry_after: str | None) -> float | None:
    """The header's seconds, or those until its date; None without it, or if it is neither."""
    if retry_after is None:
        return None
    if retry_after.strip().isascii() and retry_after.strip().isdigit():
        return float(retry_after[:10])
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, OverflowError, TypeError):
        return None


def _root(error: BaseException) -> str:
    """The innermost reason of a chain of exceptions."""
    while inner := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        error = inner
    return str(error) or type(error).__name__


def _is_unreachable(error: BaseException | None) -> bool:
    """Whether a chain of exceptions has one that comes before anything is sent: no address, no listener, no TLS."""
    while error is not None:
        if type(error).__name__ in ("NewConnectionError", "NameResolutionError", "ConnectionRefusedError", "SSLError"):
            return True
        error = error.__cause__ or error.__context__
    return False
