"""The coordinator as a WSGI application: finds the operation of a request, and writes its answer or its error."""

import json
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from outbox_kit.coordinator import openapi
from outbox_kit.coordinator.allowed import AllowedAddress
from outbox_kit.coordinator.operation import HttpOperation, OperationAnswer, OperationRequest
from outbox_kit.coordinator.operations import all_operations
from outbox_kit.coordinator.problems import Contradiction, InvalidRequest, UnknownMessage
from outbox_kit.coordinator.progress import CoordinatorProgress
from outbox_kit.databases.two_phase import MessageStore, RefusedMessage
from outbox_kit.errors import EnvironmentProblem, OutboxKitError
from outbox_kit.schema.model import Outbox

MOST_BYTES = 4 << 20
"""Of a request's body."""
STATUSES: Mapping[type[OutboxKitError], int] = {
    InvalidRequest: 400,
    UnknownMessage: 404,
    Contradiction: 409,
    RefusedMessage: 422,
    EnvironmentProblem: 503,
}
DTM_FAILURE = {409}
"""The statuses that DTM's clients take for a decided failure. Any other means that the outcome is open."""
OPENAPI = "/openapi.json"
StartResponse = Callable[[str, list[tuple[str, str]]], object]


@dataclass
class CoordinatorApplication:
    """Answers requests."""

    outbox: Outbox
    store: Callable[[], MessageStore]
    """The store of a thread of the server."""
    progress: CoordinatorProgress
    report: Callable[[str], None]
    """Takes a line of the log."""
    allowed: Sequence[AllowedAddress] = ()
    """The addresses that check-backs may call; any without one."""

    def __post_init__(self) -> None:
        self._operations = [(operation.pattern(), operation) for operation in all_operations()]

    def __call__(self, environ: Mapping[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, as PEP 3333 has it."""
        path = environ.get("PATH_INFO", "").encode("latin-1").decode(errors="replace")
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else environ["REQUEST_METHOD"]
        name, answer, headers = self._answer(method, path, environ)
        self.progress.answered(name, answer.status)
        content = json.dumps(answer.document).encode() + b"\n"
        status = f"{answer.status} {HTTPStatus(answer.status).phrase}"
        length = ("Content-Length", str(len(content)))
        start_response(status, [("Content-Type", "application/json"), length, *headers])
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else content]

    def _answer(
        self, method: str, path: str, environ: Mapping[str, Any]
    ) -> tuple[str, OperationAnswer, list[tuple[str, str]]]:
        """The name of the operation, its answer, and further headers."""
        if path == OPENAPI and method == "GET":
            return "openapi", OperationAnswer(openapi.document([each for _, each in self._operations])), []
        matches = [(match, each) for pattern, each in self._operations if (match := pattern.fullmatch(path))]
        chosen = next(((match, each) for match, each in matches if each.method == method), None)
        if chosen is None:
            allowed = ", ".join(sorted({each.method for _, each in matches}))
            status, text = (405, f"{method} is not allowed here") if matches else (404, f"there is no path {path}")
            headers = [("Allow", allowed)] if matches else []
            return "none", OperationAnswer(_problem(text, "", f"see {OPENAPI}"), status), headers
        match, operation = chosen
        try:
            return operation.name, operation.run(self._request(match.groupdict(), environ)), []
        except OutboxKitError as problem:
            answer = _error(problem, operation)
            if answer.status == 503:
                self.report(f"{operation.name}: {problem.what}{': ' if problem.why else ''}{problem.why}")
            return operation.name, answer, [("Retry-After", "1")] if answer.status == 503 else []
        except Exception as cause:  # a bug of this program: it decides nothing, and the client asks again
            self.report(f"error: {operation.name}: {type(cause).__name__}: {cause}")
            text = "the coordinator has a bug, which its log shows; nothing was decided"
            return operation.name, OperationAnswer(_written(text, "", "", operation, 500), 500), []

    def _request(self, names: Mapping[str, str], environ: Mapping[str, Any]) -> OperationRequest:
        """Raises InvalidRequest."""
        query = dict(parse_qsl(environ.get("QUERY_STRING", ""), keep_blank_values=True))
        body = environ["wsgi.input"].read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise InvalidRequest(f"the body has more than {MOST_BYTES:,} bytes")
        message_id = names.get("message_id", "")
        return OperationRequest(self.outbox, self.store(), _new_id, message_id, query, body, self.allowed)


def _new_id() -> str:
    return str(uuid.uuid4())


def _error(problem: OutboxKitError, operation: HttpOperation) -> OperationAnswer:
    status = next((status for kind, status in STATUSES.items() if isinstance(problem, kind)), 400)
    return OperationAnswer(_written(problem.what, problem.why, problem.fix, operation, status), status)


def _written(what: str, why: str, fix: str, operation: HttpOperation, status: int) -> dict[str, Any]:
    if not operation.of_dtm:
        return _problem(what, why, fix)
    text = ": ".join(filter(None, [what, why]))
    # the word of a decided failure only where it is one: DTM's clients search for it in the text
    return {"dtm_result": "FAILURE" if status in DTM_FAILURE else "ERROR", "message": text}


def _problem(what: str, why: str, fix: str) -> dict[str, Any]:
    return {"outcome": "unknown", "reason": what, "why": why, "fix": fix}
