"""The operations on two-phase messages, `/v1`."""

from outbox_kit.coordinator import decisions, documents
from outbox_kit.coordinator.allowed import expect_permitted
from outbox_kit.coordinator.operation import HttpOperation, OperationAnswer, OperationRequest
from outbox_kit.coordinator.problems import InvalidRequest, UnknownMessage
from outbox_kit.databases.two_phase import MessageState, MessageStore, StoredMessage

PLACE = "/v1/messages/{message_id}"
UNKNOWN = "There is no message of that id. The outcome is unknown."
CONFLICT = "The other outcome was decided before, or the id was used for other content."


def _prepare(request: OperationRequest) -> OperationAnswer:
    message = documents.own_message(request.message_id, documents.parsed(request.body), request.new_id)
    expect_permitted(request.allowed, message.check_back, "check_back")
    stored = request.store.prepare(message)
    decisions.expect_same(stored, message.digest)
    return OperationAnswer(documents.answer(stored))


def _submit(request: OperationRequest) -> OperationAnswer:
    return _finished(request, MessageState.submitted)


def _abort(request: OperationRequest) -> OperationAnswer:
    return _finished(request, MessageState.aborted)


def _finished(request: OperationRequest, state: MessageState) -> OperationAnswer:
    if request.body.strip():
        raise InvalidRequest("the request has a body, which would be ignored", fix="send none: the id is in the path")
    return OperationAnswer(documents.answer(finished(request.store, request.message_id, state)))


def _query(request: OperationRequest) -> OperationAnswer:
    return OperationAnswer(documents.answer(expect_message(request.store.read(request.message_id), request.message_id)))


def _check(request: OperationRequest) -> OperationAnswer:
    stored = expect_message(request.store.check_now(request.message_id), request.message_id)
    return OperationAnswer(documents.answer(stored))


def finished(store: MessageStore, message_id: str, state: MessageState) -> StoredMessage:
    """A message that is submitted or aborted now, or was before. Raises UnknownMessage, Contradiction."""
    stored = expect_message(store.finish(message_id, state), message_id)
    decisions.expect_state(stored, state)
    return stored


def expect_message(message: StoredMessage | None, message_id: str) -> StoredMessage:
    """The message. Raises UnknownMessage if there is none."""
    if message is None:
        raise UnknownMessage(
            f"there is no message '{message_id}'",
            why="it was never prepared, or it was finished and deleted",
            fix="prepare the message before the business transaction begins",
        )
    return message


OPERATIONS = (
    HttpOperation(
        "prepareMessage",
        "POST",
        f"{PLACE}/prepare",
        "Store a message before its business transaction begins. A repeated request is answered as the first one.",
        _prepare,
        {
            200: "The message is stored.",
            400: "The request is not valid.",
            409: CONFLICT,
            422: "The outbox refuses the events, and would when they are submitted.",
        },
        takes="NewMessage",
    ),
    HttpOperation(
        "submitMessage",
        "POST",
        f"{PLACE}/submit",
        "Publish the events: the transaction has committed. A repeated request is answered as the first one.",
        _submit,
        {200: "The events are rows of the outbox.", 404: UNKNOWN, 409: CONFLICT},
    ),
    HttpOperation(
        "abortMessage",
        "POST",
        f"{PLACE}/abort",
        "Discard the message: its transaction was rolled back. A repeated request is answered as the first one.",
        _abort,
        {200: "The message is aborted.", 404: UNKNOWN, 409: CONFLICT},
    ),
    HttpOperation(
        "checkMessage",
        "POST",
        f"{PLACE}/check",
        "Make the next check-back of a prepared message now.",
        _check,
        {200: "The message as it is; a check-back follows if it is prepared.", 404: UNKNOWN},
    ),
    HttpOperation(
        "queryMessage",
        "GET",
        PLACE,
        "The outcome of a message: committed, rolled_back, or unknown with its reason.",
        _query,
        {200: "The message as it is.", 404: UNKNOWN},
    ),
)
