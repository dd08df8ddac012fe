"""The operations of DTM's HTTP interface for messages, `/api/dtmsvr`, for DTM's clients."""

from outbox_kit.coordinator import decisions, documents, dtm
from outbox_kit.coordinator.allowed import expect_permitted
from outbox_kit.coordinator.operation import HttpOperation, OperationAnswer, OperationRequest
from outbox_kit.coordinator.operations.messages import CONFLICT, UNKNOWN, expect_message, finished
from outbox_kit.coordinator.problems import Contradiction, InvalidRequest
from outbox_kit.databases.two_phase import MessageState

PLACE = "/api/dtmsvr"
SUCCESS = {"dtm_result": "SUCCESS"}
INVALID = "The request is not valid, or asks for what this coordinator does not do."


def _new_gid(request: OperationRequest) -> OperationAnswer:
    return OperationAnswer({**SUCCESS, "gid": request.new_id()})


def _prepare(request: OperationRequest) -> OperationAnswer:
    message = dtm.message(request.outbox, documents.parsed(request.body), request.new_id, is_prepared=True)
    expect_permitted(request.allowed, message.check_back, "query_prepared")
    decisions.expect_same(request.store.prepare(message), message.digest)
    return OperationAnswer(SUCCESS)


def _submit(request: OperationRequest) -> OperationAnswer:
    """A message that was not prepared is submitted at once."""
    document = documents.parsed(request.body)
    message_id = dtm.gid(document)
    stored = request.store.finish(message_id, MessageState.submitted)
    if stored is None:
        stored = request.store.submit_new(dtm.message(request.outbox, document, request.new_id, is_prepared=False))
    if stored.state is MessageState.prepared:  # another request has prepared it in the meantime
        stored = finished(request.store, message_id, MessageState.submitted)
    decisions.expect_state(stored, MessageState.submitted)
    return OperationAnswer(SUCCESS)


def _abort(request: OperationRequest) -> OperationAnswer:
    message_id = dtm.gid(documents.parsed(request.body))
    finished(request.store, message_id, MessageState.aborted)
    return OperationAnswer(SUCCESS)


def _query(request: OperationRequest) -> OperationAnswer:
    message_id = request.query.get("gid", "")
    if not message_id:
        raise InvalidRequest("the parameter 'gid' is missing")
    stored = request.store.read(message_id)
    return OperationAnswer({"transaction": dtm.transaction(stored) if stored else None, "branches": []})


def _check(request: OperationRequest) -> OperationAnswer:
    message_id = dtm.gid(documents.parsed(request.body))
    expect_message(request.store.check_now(message_id), message_id)
    return OperationAnswer(SUCCESS)


def _force_stop(request: OperationRequest) -> OperationAnswer:
    message_id = dtm.gid(documents.parsed(request.body))
    expect_message(request.store.read(message_id), message_id)
    raise Contradiction(
        f"the message '{message_id}' cannot be stopped",
        why="the events of a submitted message are published, and those of a prepared one wait for its outcome",
        fix="abort a prepared message whose transaction was rolled back",
    )


OPERATIONS = (
    HttpOperation(
        "dtmNewGid",
        "GET",
        f"{PLACE}/newGid",
        "A new message id.",
        _new_gid,
        {200: "The id."},
        returns="DtmGid",
        of_dtm=True,
    ),
    HttpOperation(
        "dtmPrepare",
        "POST",
        f"{PLACE}/prepare",
        "Store a message before its business transaction begins.",
        _prepare,
        {200: "The message is stored.", 400: INVALID, 409: CONFLICT, 422: "The outbox refuses the events."},
        takes="DtmMessage",
        returns="DtmResult",
        of_dtm=True,
    ),
    HttpOperation(
        "dtmSubmit",
        "POST",
        f"{PLACE}/submit",
        "Publish the events of a message, were it one that was not prepared.",
        _submit,
        {200: "The events are rows of the outbox.", 400: INVALID, 409: CONFLICT, 422: "The outbox refuses the events."},
        takes="DtmMessage",
        returns="DtmResult",
        of_dtm=True,
    ),
    HttpOperation(
        "dtmAbort",
        "POST",
        f"{PLACE}/abort",
        "Discard a message.",
        _abort,
        {200: "The message is aborted.", 400: INVALID, 404: UNKNOWN, 409: CONFLICT},
        takes="DtmMessage",
        returns="DtmResult",
        of_dtm=True,
    ),
    HttpOperation(
        "dtmQuery",
        "GET",
        f"{PLACE}/query",
        "A message in DTM's words; null if there is none.",
        _query,
        {200: "The message.", 400: INVALID},
        parameters={"gid": "The message's id."},
        returns="DtmTransaction",
        of_dtm=True,
    ),
    HttpOperation(
        "dtmResetNextCronTime",
        "POST",
        f"{PLACE}/resetNextCronTime",
        "Make the next check-back of a prepared message now.",
        _check,
        {200: "A check-back follows if the message is prepared.", 400: INVALID, 404: UNKNOWN},
        takes="DtmMessage",
        returns="DtmResult",
        of_dtm=True,
    ),
    HttpOperation(
        "dtmForceStop",
        "POST",
        f"{PLACE}/forceStop",
        "Refused: an event that is published cannot be taken back.",
        _force_stop,
        {400: INVALID, 404: UNKNOWN, 409: "The message is not stopped."},
        takes="DtmMessage",
        returns="DtmResult",
        of_dtm=True,
    ),
)
