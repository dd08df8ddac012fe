"""The documents of DTM's clients as messages. Pure.

DTM calls the URL of each action with its payload. This coordinator publishes an event in its place: the last two parts
of the URL's path are the aggregate and the type of an event that the schema file declares.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from outbox_kit.coordinator.documents import (
    CHECK_AFTER_SECONDS,
    LONGEST_ID,
    MOST_EVENTS,
    NewId,
    check_after,
    check_back_url,
    digest,
    text_field,
)
from outbox_kit.coordinator.problems import InvalidRequest
from outbox_kit.databases.two_phase import CheckBackProtocol, MessageEvent, MessageState, NewMessage, StoredMessage
from outbox_kit.schema.model import Outbox

STATES = {
    MessageState.prepared: "prepared",
    MessageState.submitted: "succeed",
    MessageState.aborted: "failed",
}
"""DTM's words for the states. A message is submitted when its events are in the outbox, which is DTM's succeed."""
REFUSED = {
    "wait_result": "the answer of submit does not wait for consumers",
    "passthrough_headers": "events have no headers of the request",
    "branch_headers": "events have no headers of the request",
    "rollback_reason": "a message has no branches to roll back",
}
"""Options that would be ignored, and why."""
FIX = "leave it out; what differs from DTM's server is in docs/two-phase.md"


def gid(document: Mapping[str, Any]) -> str:
    """The id of a message. Raises InvalidRequest, also for a transaction that is no message."""
    kind = document.get("trans_type") or "msg"
    if kind != "msg":
        raise InvalidRequest(
            f"invalid trans_type {json.dumps(kind)}: expected msg",
            why="sagas, TCC, XA and workflows need a server that calls their branches",
            fix="use DTM's own server for them",
        )
    value = text_field(document, "gid", "the body", LONGEST_ID)
    if not value.isprintable():
        raise InvalidRequest("invalid 'gid': it contains control characters")
    return value


def message(outbox: Outbox, document: Mapping[str, Any], new_id: NewId, *, is_prepared: bool) -> NewMessage:
    """A message of DTM's. is_prepared: whether it needs an address of a check-back. Raises InvalidRequest."""
    message_id = gid(document)
    _expect_supported(document)
    steps, payloads = document.get("steps") or [], document.get("payloads") or []
    if not isinstance(steps, list) or not isinstance(payloads, list) or len(steps) != len(payloads):
        raise InvalidRequest("invalid 'steps' and 'payloads': expected two lists of one length")
    if not 1 <= len(steps) <= MOST_EVENTS:
        raise InvalidRequest(f"invalid 'steps': expected 1 to {MOST_EVENTS}")
    url = check_back_url(document.get("query_prepared"), "query_prepared") if is_prepared else ""
    seconds = document.get("timeout_to_fail") or None
    events = [
        _event(outbox, message_id, step, payload, n, new_id)
        for n, (step, payload) in enumerate(zip(steps, payloads, strict=True))
    ]
    return NewMessage(
        message_id,
        CheckBackProtocol.dtm,
        url,
        events,
        digest({"steps": steps, "payloads": payloads, "query_prepared": document.get("query_prepared") or ""}),
        check_after(seconds, "timeout_to_fail") if seconds else CHECK_AFTER_SECONDS,
    )


def transaction(stored: StoredMessage) -> dict[str, Any]:
    """A message as the answer of `query`."""
    return {
        "gid": stored.message_id,
        "trans_type": "msg",
        "status": STATES[stored.state],
        "create_time": stored.prepared_at,
        "finish_time": stored.finished_at,
        "next_cron_time": stored.next_check_at,
        "result": stored.reason,
    }


def _expect_supported(document: Mapping[str, Any]) -> None:
    if document.get("protocol") not in (None, "", "http"):
        raise InvalidRequest("invalid 'protocol': expected http", why="there is no gRPC interface", fix=FIX)
    for name, why in REFUSED.items():
        if document.get(name):
            raise InvalidRequest(f"'{name}' is not supported", why=why, fix=FIX)
    custom = document.get("custom_data")
    if not custom:
        return
    try:
        options = json.loads(custom) if isinstance(custom, str) else custom
    except ValueError:
        options = {}
    if isinstance(options, dict) and options.get("delay"):
        raise InvalidRequest("a delay is not supported", why="the outbox publishes an event at once", fix=FIX)


def _event(outbox: Outbox, message_id: str, step: Any, payload: Any, n: int, new_id: NewId) -> MessageEvent:
    where = f"steps[{n}]"
    action = text_field(step if isinstance(step, dict) else {}, "action", where, 1024)
    try:
        parts = urlsplit(action)
    except ValueError as cause:
        raise InvalidRequest(f"invalid 'action' in {where}", why=str(cause)) from cause
    path = [unquote(part) for part in parts.path.split("/")]
    declared = {(event.aggregate, event.type) for event in outbox.events}
    aggregate, kind = path[-2:] if len(path) > 1 else ("", "")
    if (aggregate, kind) not in declared:
        listed = ", ".join(sorted(f"{name}/{event}" for name, event in declared)[:5])
        raise InvalidRequest(
            f"the action of {where} names no event",
            why="the last two parts of its path are the aggregate and the type of an event of the schema file",
            fix=f"end it with one of: {listed}",
        )
    if not isinstance(payload, str):
        raise InvalidRequest(f"invalid 'payloads[{n}]': expected a text of JSON")
    keys = parse_qs(parts.query).get("aggregate_id", [message_id])
    return MessageEvent(new_id(), aggregate, keys[0], kind, payload, {})
