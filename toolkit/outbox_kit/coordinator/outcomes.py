"""What the answer to a check-back means: committed, rolled back, or unknown with its reason. Pure.

Only a whole and exact answer is an outcome. A text that merely contains a word is none: a proxy's error page may
contain any word.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from outbox_kit.databases.two_phase import CheckBackProtocol
from outbox_kit.printable import printable

LONGEST_REASON = 300


class TransactionOutcome(StrEnum):
    """The outcome of a business transaction."""

    committed = "committed"
    rolled_back = "rolled_back"
    unknown = "unknown"
    """Nobody knows it yet; the reason says why."""


class AnswerFinding(StrEnum):
    """Why an answer is no outcome. The names are labels of a metric."""

    no_answer = "no_answer"
    """No connection, or it ended without an answer."""
    late = "late"
    """No whole answer within the time."""
    redirected = "redirected"
    """A status of a redirection, which is not followed."""
    status = "status"
    """Another status than expected."""
    incomplete = "incomplete"
    """The connection ended within the answer."""
    too_long = "too_long"
    """More bytes than are read."""
    not_json = "not_json"
    """Not JSON, such as HTML of a proxy."""
    no_outcome = "no_outcome"
    """JSON without a known outcome."""
    service = "service"
    """The service has answered that it does not know."""
    not_allowed = "not_allowed"
    """Not asked: the coordinator may not call the address."""
    quiet = "quiet"
    """Not asked: another check-back of the same server had no answer a moment ago."""


@dataclass(frozen=True)
class CheckBackAnswer:
    """What has come back from a service."""

    status: int = 0
    """Of HTTP; 0 without an answer."""
    kind: str = ""
    """The media type."""
    body: bytes = b""
    finding: AnswerFinding | None = None
    """Why the answer is not whole; None if it is."""
    cause: str = ""
    """The same in words."""


@dataclass(frozen=True)
class CheckBackResult:
    """What an answer means."""

    outcome: TransactionOutcome
    reason: str = ""
    """Why it is unknown, or what the service says; one line."""
    finding: AnswerFinding | None = None
    """Why it is unknown; None for an outcome."""


DTM_WORDS: Mapping[str, TransactionOutcome] = {
    "SUCCESS": TransactionOutcome.committed,
    "FAILURE": TransactionOutcome.rolled_back,
    "ONGOING": TransactionOutcome.unknown,
}
"""The values of `dtm_result`."""
EXPECTED = {
    CheckBackProtocol.v1: 'expected {"outcome": "committed"}, "rolled_back" or "unknown" with a "reason"',
    CheckBackProtocol.dtm: 'expected null, or {"dtm_result": "SUCCESS"}, "FAILURE" or "ONGOING"',
}


def result(protocol: CheckBackProtocol, answer: CheckBackAnswer) -> CheckBackResult:
    """What an answer means. protocol: of the client that has prepared the message."""
    if answer.finding is not None:
        return unknown(answer.finding, answer.cause)
    if 300 <= answer.status < 400:
        return unknown(
            AnswerFinding.redirected,
            f"the check-back was redirected with status {answer.status}, which is not followed; "
            "prepare messages with the final address",
        )
    if protocol is CheckBackProtocol.dtm and answer.status in (409, 425):
        return _of_dtm_status(answer)
    if answer.status != 200:
        words = _begin(answer.body)
        return unknown(AnswerFinding.status, f"status {answer.status}{': ' if words else ''}{words}; expected 200")
    try:
        document = json.loads(answer.body.decode())
    except (ValueError, RecursionError):
        kind = answer.kind.partition(";")[0].strip().lower() or "no media type"
        what = f"not JSON but {kind}" if answer.body.strip() else "empty"
        words = _begin(answer.body)
        text = f"the answer is {what}{': ' if words else ''}{words}; {EXPECTED[protocol]}"
        return unknown(AnswerFinding.not_json, text)
    return _of_document(protocol, document)


def unknown(finding: AnswerFinding, reason: str) -> CheckBackResult:
    """An unknown outcome, with its reason on one line."""
    return CheckBackResult(TransactionOutcome.unknown, _line(reason), finding)


def _of_document(protocol: CheckBackProtocol, document: Any) -> CheckBackResult:
    fields: Mapping[str, Any] = document if isinstance(document, dict) else {}
    value = fields.get("outcome")
    reason = _line(str(fields.get("reason") or ""))
    if isinstance(value, str) and value in set(TransactionOutcome):
        outcome = TransactionOutcome(value)
    elif protocol is CheckBackProtocol.dtm and document is None:
        outcome = TransactionOutcome.committed  # what DTM's handlers for Go write if there is no error
    elif protocol is CheckBackProtocol.dtm and isinstance(word := fields.get("dtm_result"), str) and word in DTM_WORDS:
        outcome = DTM_WORDS[word]
    else:
        text = f"the answer has no outcome: {json.dumps(document)}; {EXPECTED[protocol]}"
        return unknown(AnswerFinding.no_outcome, text)
    if outcome is TransactionOutcome.unknown:
        return unknown(AnswerFinding.service, reason or "the service does not know the outcome, and gives no reason")
    return CheckBackResult(outcome, reason)


def _of_dtm_status(answer: CheckBackAnswer) -> CheckBackResult:
    """409 and 425 are answers of DTM's handlers; with HTML they are a proxy's."""
    if "html" in answer.kind.lower():
        text = f"status {answer.status} with HTML, which no handler of DTM writes: {_begin(answer.body)}"
        return unknown(AnswerFinding.status, text)
    if answer.status == 409:
        return CheckBackResult(TransactionOutcome.rolled_back)
    return unknown(AnswerFinding.service, "the service has answered 425: the transaction is open")


def _begin(body: bytes) -> str:
    return _line(body[: LONGEST_REASON * 2].decode(errors="replace"))[: LONGEST_REASON // 2]


def _line(text: str) -> str:
    return printable(" ".join(text.split())).replace("\0", "")[:LONGEST_REASON]
