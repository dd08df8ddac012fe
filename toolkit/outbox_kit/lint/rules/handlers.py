"""Rules about the function that Debezium's engine calls for each event."""

import re
from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import closing
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

NOTIFYING = lazy_pattern(r"\.notifying\s*(?:\(\s*(?:this|\w+)?::(?P<method>\w+)\s*\)|(?P<open>[({]))")
CATCHES = lazy_pattern(
    r"\bcatch\s*\(\s*(?:final\s+)?(?:\w+\s*:\s*)?(?:Exception|Throwable|RuntimeException)\b[^)]*\)\s*\{"
)
TEXT = lazy_pattern(r"\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|/\*(?:(?!\*/).)*\*/", re.DOTALL)
CALL = lazy_pattern(r"(?P<name>\w+)\s*\(")
LOGS = frozenset(("trace", "debug", "info", "warn", "warning", "error", "severe", "println", "printStackTrace"))
DESCRIBES = lazy_pattern(r"get\w*|(?:destination|key|value|record|topic|toString|message|offset|partition|id)")
GOES_ON = lazy_pattern(r"\b(?:throw|throws|exit|return\s+false|completeExceptionally)\b")
SENDS = lazy_pattern(
    r"\b\w*(?:send|publish|post|emit|produce|save|handle|process|write|index|put)\w*\s*\(", re.IGNORECASE
)

ENVELOPE = lazy_pattern(
    r"(?:getStruct|getString|get|path|at|containsKey|has|field)\s*\(\s*\"/?(?:payload/)?(?P<member>after|op)\"\s*\)"
    r"|\[\s*\"(?P<indexed>after|op)\"\s*\]|\bFieldName\.(?P<constant>AFTER|OPERATION)\b"
)
"""How a program reads a member of a change event's envelope."""


@rule(
    "handler-expects-envelope",
    Consequence.loss,
    of_names=True,
    evidence="N12",
    fix="read the value as the event's payload, or remove the event router",
)
def handler_expects_envelope(subject: Subject) -> Iterator[Violation]:
    """The handler of the engine's events expects what the event router emits.

    The router's message has the payload as its value, without `before`, `after` and `op`: a handler that reads these
    skips every event, or fails.
    """
    router = subject.router
    is_alone = subject.document.kind == "code" and not subject.neighbours
    if not is_alone or router is None or "predicate" in router.options or subject.steps[-1] is not router:
        return
    if NOTIFYING.search(subject.text) and (match := ENVELOPE.search(subject.text)):
        member = match["member"] or match["indexed"] or match["constant"].lower()
        yield Violation(router.key("type"), f"the handler reads '{member}', which the router's messages do not have")


JSON_FORMAT = lazy_pattern(r"\bcreate\(\s*Json(?:\.class|::class)")
SCHEMAS = ("converter.schemas.enable", "value.converter.schemas.enable")
"""Settings with which the engine's JSON has no schema."""


@rule(
    "handler-reads-past-payload",
    Consequence.loss,
    of_names=True,
    evidence="N12",
    fix="set converter.schemas.enable=false for the engine, or read the member payload",
)
def handler_reads_past_payload(subject: Subject) -> Iterator[Violation]:
    """The handler of the engine's events in JSON reads where the event is.

    By default the text is an object with `schema` and `payload`: a handler that looks for `after` or `op` beside them
    finds nothing, and skips every event.
    """
    document = subject.document
    is_alone = document.kind == "code" and not subject.neighbours and not document.partial
    set_keys = {*document.settings, *subject.config}
    if not is_alone or subject.steps or set_keys.intersection(SCHEMAS) or "payload" in subject.text.lower():
        return
    if JSON_FORMAT.search(subject.text) and NOTIFYING.search(subject.text) and ENVELOPE.search(subject.text):
        message = "the handler does not read the member payload, in which the event is"
        yield Violation("connector.class", message, unset=SCHEMAS[0])


@rule(
    "handler-swallows-error",
    Consequence.loss,
    of_names=True,
    evidence="N12",
    fix="let the exception leave the handler, so that the engine stops, or store the event elsewhere",
)
def handler_swallows_error(subject: Subject) -> Iterator[Violation]:
    """The handler of the engine's events does not leave an error with a line in the log.

    An event whose handler returns counts as processed: its offset is stored, and it is never sent again.
    """
    if subject.document.kind != "code":
        return
    for match in NOTIFYING.finditer(subject.text):
        body = _body(subject.text, match)
        if SENDS.search(body) and any(
            _only_logs(body[each.end() : _end(body, each)]) for each in CATCHES.finditer(body)
        ):
            yield Violation("notifying", "the handler logs an error and returns")
            return


def _end(text: str, opening: re.Match[str]) -> int:
    """The offset of the brace that closes the one at the end of a match."""
    return max(closing(text, opening.end()) - 1, opening.end())


def _body(text: str, notifying: re.Match[str]) -> str:
    """What the engine calls: the function at its place, or the method that it names."""
    if notifying["open"]:
        return text[notifying.end() : closing(text, notifying.end())]
    declared = re.compile(rf"\b{notifying['method']}\s*\([^)]*\)[^{{;=]*\{{").search(text)
    return text[declared.end() : _end(text, declared)] if declared else ""


def _only_logs(block: str) -> bool:
    """Whether nothing but the log hears of an error."""
    plain = TEXT.sub('""', block)
    calls = [match["name"] for match in CALL.finditer(plain)]
    logs = [name for name in calls if name in LOGS]
    others = [name for name in calls if name not in LOGS and not DESCRIBES.fullmatch(name)]
    return not others and bool(logs or not plain.strip()) and not GOES_ON.search(plain)


CLOSES = lazy_pattern(r"\btry\s*\(\s*(?:final\s+)?(?:DebeziumEngine\b|var\s+\w+\s*=\s*DebeziumEngine\b)")
"""A block of Java at whose end the engine is closed."""
RUNS = lazy_pattern(r"\.(?:execute|submit)\s*\(")
WAITS = lazy_pattern(r"\b(?:await\w*|sleep\w*|join|wait\w*|park\w*|readLine|read|take|get|poll|while|for)\s*\(")
"""What keeps a block from ending."""


@rule(
    "engine-closed-at-once",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="wait in the block until the application ends, or close the engine elsewhere",
)
def engine_closed_at_once(subject: Subject) -> Iterator[Violation]:
    """The block that closes the engine waits for it.

    `try (DebeziumEngine...)` closes the engine at its end: handed to an executor, it has not read anything yet.
    """
    if subject.document.kind != "code":
        return
    for match in CLOSES.finditer(subject.text):
        start = subject.text.find("{", closing(subject.text, subject.text.index("(", match.start()) + 1))
        body = TEXT.sub('""', subject.text[start + 1 : closing(subject.text, start + 1)]) if start >= 0 else ""
        if RUNS.search(body) and not WAITS.search(body):
            yield Violation("connector.class", "the engine is closed as soon as it is started")
            return
