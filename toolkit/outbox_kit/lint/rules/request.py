"""Rules about the request that sends a connector to Kafka Connect, and its body."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.document import is_comment
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.sent import request_of, sent_both_ways
from outbox_kit.lint.subject import Subject

STATE, OFFSETS = "initial_state", "offsets"
"""Members of a request for a new connector beside its name and config; only Confluent Cloud takes the second."""
ACTIONS = {"PUT": ("pause", "resume", "stop", "validate"), "POST": ("restart",), "PATCH": ("offsets",)}
"""Ends of the addresses that take a method, beside those of connectors and their configs."""
STATES = ("RUNNING", "PAUSED", "STOPPED")
"""Of a new connector, since Kafka 3.7."""


@rule(
    "body-refused",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="POST /connectors takes name and config, PUT /connectors/NAME/config the options alone",
)
def body_refused(subject: Subject) -> Iterator[Violation]:
    """The body of the request has the form that its address takes.

    Kafka Connect answers 500 and changes nothing.
    """
    body, request = subject.document.body, request_of(subject)
    if body is not None and request is None and body.wrapped:
        for name in filter(is_comment, body.others):
            message = f"a request for a new connector has no member '{name}'"
            yield Violation(name, message, consequence=Consequence.risk)
            return
    if body is None or request is None:
        return
    if request.updates and body.wrapped:
        yield Violation("config", "PUT takes the options without 'name' and 'config' around them")
    elif request.creates and body.listed:
        yield Violation("connector.class", "POST takes one connector, not a list")
    elif request.creates and not body.wrapped:
        yield Violation("connector.class", "POST takes the options under 'config', beside 'name'", unset="config")
    elif request.creates:
        members = (STATE, OFFSETS) if subject.document.managed else (STATE,)
        for name in body.others:
            if name not in members:
                yield Violation(name, f"a request for a new connector has no member '{name}'")


@rule(
    "body-sent-both-ways",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="PUT a file with the options alone, for example: jq .config FILE | curl -X PUT --json @- ADDRESS/config",
)
def body_sent_both_ways(subject: Subject) -> Iterator[Violation]:
    """A file is sent either to create a connector or to change its config.

    One of both addresses refuses it: the first takes name and config, the second the options alone.
    """
    if path := sent_both_ways(subject.text):
        yield Violation("connector.class", f"'{path}' is sent with POST and with PUT")


@rule(
    "body-not-sent",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="for curl put --data before it; in a file of requests leave a line empty before it",
)
def body_not_sent(subject: Subject) -> Iterator[Violation]:
    """The config is the body of the request.

    Kafka Connect gets a request without a body, and creates no connector.
    """
    request = subject.document.request
    is_shown = subject.is_of_page and subject.document.kind == "json" and subject.document.expands == ""
    if request and request.unsent and not is_shown:
        yield Violation("connector.class", f"the config is not sent: {request.unsent}")


@rule(
    "method-refused",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="create with POST /connectors, or create or change with PUT /connectors/NAME/config",
)
def method_refused(subject: Subject) -> Iterator[Violation]:
    """The address of the request takes its method.

    Kafka Connect answers 405 and changes nothing.
    """
    request = subject.document.request
    if request is None or not request.path or request.unsent or request.creates or request.updates:
        return
    if request.path.rpartition("/")[2] in ACTIONS.get(request.method, ()):
        return
    if request.method in ("POST", "PUT", "PATCH") and not (request.method == "PATCH" and request.is_of_config):
        yield Violation("connector.class", f"{request.path} does not take {request.method}")


@rule(
    "content-type-missing",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="add the header Content-Type: application/json",
)
def content_type_missing(subject: Subject) -> Iterator[Violation]:
    """The request declares that its body is JSON.

    Without the header, curl declares a form. Kafka Connect answers 415 and changes nothing.
    """
    request = subject.document.request
    if (
        request
        and request.path
        and not request.unsent
        and request.content_type is not None
        and "json" not in request.content_type
    ):
        yield Violation("connector.class", f"Content-Type is {request.content_type or 'not set'}")


@rule(
    "connector-name-differs",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="leave name out of the config, or give it the name of the connector",
)
def connector_name_differs(subject: Subject) -> Iterator[Violation]:
    """The name in the config is that of the request.

    Kafka Connect answers 400: the name does not match the connector name in the URL.
    """
    document, request = subject.document, request_of(subject)
    if document.body is None or "name" not in subject.config or not subject.says("name"):
        return
    name = document.name if document.body.wrapped else request.connector if request else ""
    if name and "$" not in name and name != subject.config["name"]:
        yield Violation("name", f"the config is named '{subject.config['name']}', and the connector '{name}'")


@rule(
    "not-started",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="N12",
    fix="leave it out, or resume the connector when its offsets are set",
)
def not_started(subject: Subject) -> Iterator[Violation]:
    """A new connector runs.

    It publishes nothing until someone resumes it, and in PostgreSQL a slot that exists keeps the WAL.
    """
    state = subject.document.body.others.get(STATE, "") if subject.document.body else ""
    if not state or "$" in state:
        return
    if state.upper() not in STATES:
        yield Violation(STATE, f"invalid state '{state}': expected {', '.join(STATES)}", severity=Severity.error)
    elif state.upper() != STATES[0]:
        yield Violation(STATE, f"the connector is created {state.upper()}")
