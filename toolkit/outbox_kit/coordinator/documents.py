"""The documents of clients as messages, and of the coordinator as answers. Pure."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from outbox_kit.coordinator.problems import InvalidRequest
from outbox_kit.databases.two_phase import CheckBackProtocol, MessageEvent, MessageState, NewMessage, StoredMessage
from outbox_kit.lazy_pattern import lazy_pattern

MESSAGE_ID = lazy_pattern(r"[A-Za-z0-9._:~-]{1,128}")
LONGEST_ID, LONGEST_URL, MOST_EVENTS = 128, 1024, 100
CHECK_AFTER_SECONDS = 35.0
"""From `prepare` to the first check-back, if a client names no time: a business transaction has ended by then."""
MOST_CHECK_AFTER_SECONDS = 86_400.0
FIELDS = {"check_back", "events", "check_after_seconds"}
EVENT_FIELDS = {"aggregate", "aggregate_id", "type", "payload", "columns"}
NewId = Callable[[], str]

OUTCOMES = {
    MessageState.prepared: "unknown",
    MessageState.submitted: "committed",
    MessageState.aborted: "rolled_back",
}


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object of a request's body. Raises InvalidRequest."""
    try:
        text = body.decode()
        document = json.loads(text, parse_constant=_no_number)
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as cause:
        raise InvalidRequest("the body is not valid JSON in UTF-8", why=str(cause)) from cause
    if not isinstance(document, dict):
        raise InvalidRequest("the body is not a JSON object")
    if "\\u0000" in json.dumps(document):
        raise InvalidRequest("the body contains the character U+0000, which the database cannot store")
    return document


def own_message(message_id: str, document: Mapping[str, Any], new_id: NewId) -> NewMessage:
    """A message of `/v1`. new_id: makes the id of an event. Raises InvalidRequest."""
    if not MESSAGE_ID.fullmatch(message_id):
        raise InvalidRequest(f"invalid message id: expected 1 to {LONGEST_ID} characters of A-Z a-z 0-9 . _ : ~ -")
    expect_fields(document, FIELDS, "the body")
    events = document.get("events")
    if not isinstance(events, list) or not 1 <= len(events) <= MOST_EVENTS:
        raise InvalidRequest(f"invalid 'events': expected a list of 1 to {MOST_EVENTS} events")
    return NewMessage(
        message_id,
        CheckBackProtocol.v1,
        check_back_url(document.get("check_back"), "check_back"),
        [_event(event, n, new_id) for n, event in enumerate(events)],
        digest(document),
        check_after(document.get("check_after_seconds"), "check_after_seconds"),
    )


def digest(document: Mapping[str, Any]) -> str:
    """A hash of a document, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def expect_fields(document: Mapping[str, Any], expected: set[str], what: str) -> None:
    """Raise InvalidRequest for a field that is not known: it would be ignored."""
    if strange := sorted(document.keys() - expected):
        raise InvalidRequest(f"unknown field '{strange[0]}' in {what}: expected {', '.join(sorted(expected))}")


def check_back_url(value: Any, name: str) -> str:
    """The URL of a check-back: http or https, absolute, without credentials. Raises InvalidRequest."""
    problem = _url_flaw(value)
    if problem:
        raise InvalidRequest(
            f"invalid '{name}': {problem}",
            fix="name the service's own address, such as http://orders.internal/outcome: the "
            "coordinator asks it for the outcome",
        )
    return str(value)


def check_after(value: Any, name: str) -> float:
    """The time to the first check-back, in seconds. Raises InvalidRequest."""
    if value is None:
        return CHECK_AFTER_SECONDS
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 1 <= value <= MOST_CHECK_AFTER_SECONDS:
        raise InvalidRequest(f"invalid '{name}': expected seconds from 1 to {MOST_CHECK_AFTER_SECONDS:.0f}")
    return float(value)


def text_field(fields: Mapping[str, Any], name: str, where: str, longest: int = 255) -> str:
    """A text that is not empty. Raises InvalidRequest."""
    value = fields.get(name)
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        raise InvalidRequest(f"invalid '{name}' in {where}: expected a text of 1 to {longest} characters")
    return value


def answer(message: StoredMessage) -> dict[str, Any]:
    """A message as the coordinator answers."""
    waiting = message.state is MessageState.prepared
    reason = message.reason
    if waiting and not reason:
        reason = "the message is prepared, and no check-back was made yet"
    return {
        "message_id": message.message_id,
        "outcome": OUTCOMES[message.state],
        "reason": reason,
        "state": message.state.value,
        "attempts": message.attempts,
        "prepared_at": message.prepared_at,
        "finished_at": message.finished_at,
        "next_check_at": message.next_check_at,
    }


def _event(event: Any, n: int, new_id: NewId) -> MessageEvent:
    where = f"events[{n}]"
    if not isinstance(event, dict):
        raise InvalidRequest(f"invalid {where}: expected an object")
    expect_fields(event, EVENT_FIELDS, where)
    if "payload" not in event:
        raise InvalidRequest(f"'payload' is missing in {where}", fix="give null for a tombstone")
    columns = event.get("columns", {})
    if not isinstance(columns, dict) or not all(_is_scalar(value) for value in columns.values()):
        raise InvalidRequest(f"invalid 'columns' in {where}: expected an object of texts, numbers and booleans")
    payload = event["payload"]
    return MessageEvent(
        new_id(),
        text_field(event, "aggregate", where),
        text_field(event, "aggregate_id", where),
        text_field(event, "type", where),
        None if payload is None else json.dumps(payload, ensure_ascii=False, separators=(",", ":")),
        columns,
    )


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _url_flaw(value: Any) -> str:
    """Why a value is no URL of a check-back; empty if it is one."""
    if not isinstance(value, str) or not value.strip():
        return "it is empty"
    if len(value) > LONGEST_URL:
        return f"it has more than {LONGEST_URL} characters"
    if not value.isprintable() or " " in value:
        return "it contains blanks or control characters"
    try:
        parts = urlsplit(value)
        port_is_valid = parts.port is None or parts.port > 0
    except ValueError as cause:
        return str(cause)
    flaws: Sequence[tuple[bool, str]] = (
        (parts.scheme not in ("http", "https"), "expected an absolute URL of http or https"),
        (not parts.hostname, "it names no host"),
        (not port_is_valid, "its port is not valid"),
        ("@" in parts.netloc, "it contains a user or a password, which would be stored"),
        (bool(parts.fragment), "it has a fragment, which is never sent"),
    )
    return next((text for flawed, text in flaws if flawed), "")


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number in JSON")
