"""HTTP as a sink: each message is posted to a URL, as a CloudEvent in binary mode.

2xx is delivered. What only says that the destination takes nothing now (429, Retry-After, no connection) brings
everything back and pauses. What may be said of the destination or of one message (redirects, 401, 404 and the like,
5xx, no answer in time) pauses too; if the message gets such an answer again although others were delivered in between,
it is refused. Every other 4xx refuses the message. One message of a lane is posted at a time, several lanes at once.
"""

import os
import queue
import random
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from outbox_kit import address
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import sinks
from outbox_kit.relay.interface import SendResult, SendStatus
from outbox_kit.relay.poster import Poster, Reply
from outbox_kit.relay.turns import Turns, lane_of
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.secret import Secret, hidden
from outbox_kit.wire.http_headers import HttpHeaders
from outbox_kit.wire.shape import Config

FORM = "https://user:${PASSWORD}@host/path"
TOKEN = "OUTBOX_KIT_SINK_TOKEN"  # noqa: S105 - the variable's name
MOST_PENDING, MOST_BYTES = 1_000, 64 << 20
MOST_AT_ONCE = 16
MOST_HANGING = 64
"""Requests without an answer that were given up and may still run; while there are so many, none is begun."""
ANSWER_SECONDS = 30.0  # for all of an answer
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 4.0  # after what the destination does not take, if it does not say how long
LONGEST_RETRY_AFTER = 3600.0
MOST_SUSPECTS = 10_000
UNCLEAR = {401, 402, 403, 404, 405, 407, 408, 410, 421, 425, 426}
"""Answers of 4xx that mostly say something of the address or its credentials, and not of the message."""
TOO_MANY = 429


def sink(outbox: Outbox, config: Config, cluster: Cluster) -> "Http":  # noqa: ARG001 - as every sink's
    """The sink of an outbox. Raises UsageProblem."""
    return Http(sinks.address(FORM), os.environ.get(TOKEN, ""), HttpHeaders(outbox))


@dataclass(slots=True, eq=False)
class _Sent:
    """A message that was taken and has no answer yet."""

    receipt: Any
    message: Message
    headers: dict[str, str]
    poster: Poster | None = None
    """What posts it now."""
    until: float = 0.0
    """When that is given up, by time.monotonic()."""
    delivered_before: int = 0
    """How many messages were delivered when its post began."""

    @property
    def identity(self) -> int:
        """What it is known by when it comes again."""
        message = self.message
        return hash((message.topic, message.key, message.value, message.headers))


class Http:
    """See `Sink`."""

    def __init__(self, url: str, token: str, headers: HttpHeaders, seconds: float = ANSWER_SECONDS) -> None:
        """url: with user and password, if any, which are shown nowhere. token: for `Authorization: Bearer`, or empty.

        seconds: for all of an answer. Raises UsageProblem.
        """
        self._url, self._where = _checked(url)
        self._token, self._headers, self._seconds = Secret(token), headers, seconds
        self._turns: Turns[_Sent] = Turns()
        self._hanging: list[Poster] = []
        self._suspects: dict[int, int] = {}  # how many messages were delivered at an unclear answer, by identity
        self._delivered = 0
        self._begin()

    def _begin(self) -> None:
        """Begin without messages, threads and pauses."""
        self._ready: deque[_Sent] = deque()
        self._posting: list[_Sent] = []
        self._idle: list[Poster] = []
        self._answers: queue.SimpleQueue[tuple[Poster, Reply]] = queue.SimpleQueue()
        self._results: list[SendResult] = []
        self._taken: set[_Sent] = set()
        self._bytes = 0
        self._holds_back = False
        self._pause, self._paused_until = FIRST_PAUSE, 0.0
        self._complaint = ""
        self._turns.clear()

    def send(self, message: Message, receipt: Any) -> bool:
        """See `Sink`."""
        full = len(self._taken) >= MOST_PENDING or self._bytes >= MOST_BYTES
        if self._holds_back or full or time.monotonic() < self._paused_until:
            return False
        try:
            sent = _Sent(receipt, message, dict(self._headers.of(message)))
        except ValueError as cause:
            self._results.append(SendResult(receipt, SendStatus.refused, str(cause)))
            self._holds_back = True  # none follows it before its answer was seen
            return True
        self._taken.add(sent)
        self._bytes += len(message.value or b"")
        if self._turns.begin(lane_of(message), sent):
            self._ready.append(sent)
            self._post()
        return True

    def results(self, seconds: float) -> Sequence[SendResult]:
        """See `Sink`."""
        self._holds_back = False
        until = time.monotonic() + (0.0 if self._results else seconds)
        while True:
            self._wait(until)
            self._give_up()
            self._post()
            if self._results or time.monotonic() >= until:
                break
        results, self._results = self._results, []
        return results

    @property
    def problem(self) -> str:
        """See `Sink`."""
        return f"{self._where}: {self._complaint}" if self._complaint else ""

    def refusal(self) -> None:
        """None: it is not distinguished from an outage."""

    def close(self) -> None:
        """See `Sink`."""
        posters = [sent.poster for sent in self._posting if sent.poster is not None]
        for poster in [*self._idle, *posters]:
            poster.end()
        self._hanging += posters
        self._begin()

    def _post(self) -> None:
        """Post what is ready, as far as there are threads for it."""
        while self._ready and len(self._posting) < MOST_AT_ONCE:
            if not self._idle:
                self._hanging = [poster for poster in self._hanging if poster.is_alive()]
                if len(self._hanging) >= MOST_HANGING:
                    self._complaint = f"{len(self._hanging)} requests have no answer"
                    return
                self._idle.append(Poster(self._url, self._token, self._answers))
            sent = self._ready.popleft()
            sent.poster, sent.until = self._idle.pop(), time.monotonic() + self._seconds
            sent.delivered_before = self._delivered
            self._posting.append(sent)
            sent.poster.post(sent.headers, sent.message.value or b"")

    def _wait(self, until: float) -> None:
        """Wait for the first answer, and take all that have come."""
        ends = [until, *(sent.until for sent in self._posting)]
        seconds = max(0.0, min(ends) - time.monotonic())
        try:
            poster, answer = self._answers.get(timeout=seconds) if seconds else self._answers.get_nowait()
            while True:
                self._answered(poster, answer)
                poster, answer = self._answers.get_nowait()
        except queue.Empty:
            return

    def _answered(self, poster: Poster, answer: Reply) -> None:
        sent = next((each for each in self._posting if each.poster is poster), None)
        if sent is None:  # it was given up
            return
        self._idle.append(poster)
        self._settle(sent, answer)

    def _give_up(self) -> None:
        """Take back what has no answer in time. Its thread ends when its request does."""
        now = time.monotonic()
        for sent in [sent for sent in self._posting if sent.until <= now]:
            if (poster := sent.poster) is not None:
                poster.end()
                self._hanging.append(poster)
                late = f"no answer within {self._seconds:.0f} s"
                self._settle(sent, Reply(poster.status, cause="" if poster.status else late))

    def _settle(self, sent: _Sent, answer: Reply) -> None:
        """What an answer means."""
        self._posting.remove(sent)
        if answer.status // 100 == 2:
            self._accepted(sent)
        elif self._of_message(sent, answer):
            self._settled(SendStatus.refused, sent, answer.text)
        else:
            self._pause_for(answer)
            self._settled(SendStatus.unsent, sent, answer.text)

    def _accepted(self, sent: _Sent) -> None:
        self._delivered += 1
        self._suspects.pop(sent.identity, None)
        self._pause, self._complaint = FIRST_PAUSE, ""
        self._finish(sent, SendStatus.delivered)
        following = self._turns.accepted(lane_of(sent.message))
        if following is not None:
            self._ready.append(following)

    def _settled(self, status: SendStatus, sent: _Sent, cause: str) -> None:
        """A message was not accepted: what waits behind it comes back."""
        self._finish(sent, status, hidden(cause))
        for waiting in self._turns.refused(lane_of(sent.message)):
            self._finish(waiting, SendStatus.unsent, "an earlier message of its key was not accepted")

    def _of_message(self, sent: _Sent, answer: Reply) -> bool:
        """Whether an answer refuses this message, and says nothing of the destination."""
        if answer.status == TOO_MANY or answer.retry_after is not None or answer.is_unreachable:
            return False
        if answer.status // 100 == 4 and answer.status not in UNCLEAR:
            self._complaint = ""
            return True
        before = self._suspects.get(sent.identity)
        if len(self._suspects) >= MOST_SUSPECTS:
            self._suspects.clear()
        self._suspects[sent.identity] = self._delivered
        return before is not None and before < sent.delivered_before

    def _pause_for(self, answer: Reply) -> None:
        """Send nothing for a while; what was not posted yet comes back. What is being posted then goes on."""
        self._complaint, now = hidden(answer.text), time.monotonic()
        if answer.retry_after is not None:
            seconds = min(answer.retry_after, LONGEST_RETRY_AFTER)
            self._paused_until = max(self._paused_until, now + seconds)
        elif now >= self._paused_until:
            self._paused_until = now + self._pause * random.uniform(0.8, 1.2)  # noqa: S311 - as all relays'
            self._pause = min(LONGEST_PAUSE, self._pause * 2)
        for waiting in self._turns.withdraw():
            self._finish(waiting, SendStatus.unsent, self._complaint)
        while self._ready:
            sent = self._ready.popleft()
            self._turns.refused(lane_of(sent.message))
            self._finish(sent, SendStatus.unsent, self._complaint)

    def _finish(self, sent: _Sent, status: SendStatus, cause: str = "") -> None:
        self._taken.remove(sent)
        self._bytes -= len(sent.message.value or b"")
        self._results.append(SendResult(sent.receipt, status, cause))


def _checked(url: str) -> tuple[Secret, str]:
    """The URL, and what is shown of it. Raises UsageProblem, which does not show it."""
    why = address.flaw(url)
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True) and not parts.fragment
    except ValueError:
        usable = False
    if why or not usable or not url.isprintable() or " " in url:
        raise sinks.malformed(FORM, why)
    return Secret(url), urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
