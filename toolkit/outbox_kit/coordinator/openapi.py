"""The OpenAPI document of the coordinator, made of its operations. Pure."""

from collections.abc import Sequence
from typing import Any

from outbox_kit import __version__
from outbox_kit.coordinator.documents import (
    EVENT_FIELDS,
    FIELDS,
    LONGEST_ID,
    LONGEST_URL,
    MESSAGE_ID,
    MOST_CHECK_AFTER_SECONDS,
    MOST_EVENTS,
)
from outbox_kit.coordinator.operation import HttpOperation
from outbox_kit.coordinator.outcomes import TransactionOutcome
from outbox_kit.databases.two_phase import MessageState

TEXT = {"type": "string", "minLength": 1, "maxLength": 255}
OF_ALL = {
    413: "The body is too long.",
    503: "The database does not answer. Nothing was decided; repeat the request.",
}
RESULT = {
    "type": "object",
    "required": ["dtm_result"],
    "properties": {"dtm_result": {"enum": ["SUCCESS", "FAILURE", "ERROR"]}, "message": {"type": "string"}},
}


def document(operations: Sequence[HttpOperation]) -> dict[str, Any]:
    """The OpenAPI document of some operations."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "outbox-kit coordinator",
            "version": __version__,
            "summary": "Two-phase messages for services whose database has no outbox.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": schemas()},
    }


def schemas() -> dict[str, Any]:
    """The JSON Schemas of all documents, by name."""
    of_messages = {
        "NewMessage": _new_message(),
        "Event": _event(),
        "Message": _message(),
        "Problem": _problem(),
        "Outcome": _outcome(),
    }
    return {**of_messages, **_of_dtm()}


def _described(operation: HttpOperation) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "query", "required": True, "description": text, "schema": {"type": "string"}}
        for name, text in operation.parameters.items()
    ]
    if "{message_id}" in operation.path:
        schema = {"type": "string", "pattern": f"^{MESSAGE_ID.pattern}$"}
        parameters.append({"name": "message_id", "in": "path", "required": True, "schema": schema})
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": ["DTM" if operation.of_dtm else "messages"],
        "summary": operation.summary,
        "responses": {
            str(status): _response(text, operation.returns if status == 200 else _problem_schema(operation))
            for status, text in sorted({**operation.answers, **OF_ALL}.items())
        },
    }
    if parameters:
        described["parameters"] = parameters
    if operation.takes:
        described["requestBody"] = {"required": True, "content": _content(operation.takes)}
    return described


def _problem_schema(operation: HttpOperation) -> str:
    return "DtmResult" if operation.of_dtm else "Problem"


def _response(text: str, schema: str) -> dict[str, Any]:
    return {"description": text, "content": _content(schema)}


def _content(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _new_message() -> dict[str, Any]:
    properties = {
        "check_back": {
            "type": "string",
            "format": "uri",
            "maxLength": LONGEST_URL,
            "description": "The URL of the service that is asked for the outcome, with the parameter message_id. It "
            "answers as the schema Outcome of this document.",
        },
        "events": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_EVENTS,
            "items": {"$ref": "#/components/schemas/Event"},
        },
        "check_after_seconds": {"type": "number", "minimum": 1, "maximum": MOST_CHECK_AFTER_SECONDS},
    }
    return _object(properties, ["check_back", "events"], FIELDS)


def _event() -> dict[str, Any]:
    properties = {
        "aggregate": TEXT,
        "aggregate_id": TEXT,
        "type": TEXT,
        "payload": {"description": "Any JSON; null for a tombstone."},
        "columns": {
            "type": "object",
            "description": "The values of further columns of the outbox table.",
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        },
    }
    return _object(properties, ["aggregate", "aggregate_id", "type", "payload"], EVENT_FIELDS)


def _object(properties: dict[str, Any], required: list[str], fields: set[str]) -> dict[str, Any]:
    if properties.keys() != fields:
        raise AssertionError(f"the schema has other fields than the reader: {properties.keys() ^ fields}")
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


def _message() -> dict[str, Any]:
    moment = {"type": ["string", "null"], "format": "date-time"}
    properties = {
        "message_id": {"type": "string", "maxLength": LONGEST_ID},
        "outcome": {"enum": [outcome.value for outcome in TransactionOutcome]},
        "reason": {"type": "string", "description": "Why the outcome is unknown, or who has decided it."},
        "state": {"enum": [state.value for state in MessageState]},
        "attempts": {"type": "integer", "description": "Check-backs so far."},
        "prepared_at": {"type": "string", "format": "date-time"},
        "finished_at": moment,
        "next_check_at": moment,
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def _problem() -> dict[str, Any]:
    text = {"type": "string"}
    properties = {
        "outcome": {"const": TransactionOutcome.unknown.value},
        "reason": {"type": "string", "description": "What is wrong."},
        "why": text,
        "fix": text,
    }
    return {"type": "object", "required": ["outcome", "reason"], "properties": properties}


def _outcome() -> dict[str, Any]:
    properties = {
        "outcome": {"enum": [outcome.value for outcome in TransactionOutcome]},
        "reason": {"type": "string", "description": "Why the outcome is unknown."},
    }
    return {
        "type": "object",
        "description": "What a service answers to a check-back, with status 200.",
        "required": ["outcome"],
        "properties": properties,
    }


def _of_dtm() -> dict[str, Any]:
    texts = {"type": ["array", "null"], "items": {"type": "string"}}
    steps = {
        "type": ["array", "null"],
        "items": {"type": "object", "required": ["action"], "properties": {"action": {"type": "string"}}},
    }
    return {
        "DtmMessage": {
            "type": "object",
            "required": ["gid"],
            "properties": {
                "gid": {"type": "string", "minLength": 1, "maxLength": LONGEST_ID},
                "trans_type": {"enum": ["msg", "", None]},
                "steps": steps,
                "payloads": texts,
                "query_prepared": {"type": ["string", "null"], "maxLength": LONGEST_URL},
            },
        },
        "DtmResult": RESULT,
        "DtmGid": {"type": "object", "required": ["gid"], "properties": {"gid": {"type": "string"}}},
        "DtmTransaction": {
            "type": "object",
            "required": ["transaction", "branches"],
            "properties": {"transaction": {"type": ["object", "null"]}, "branches": {"type": "array"}},
        },
    }
