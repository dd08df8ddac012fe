"""Rules about the deletes that a sink receives, and the records without a value behind them."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.received import ROW
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.envelopes import DELETING, HANDLING, passes_tombstones
from outbox_kit.lint.rules.sink_records import CLASS, EXTRACTS, TOPIC_OF_DEBEZIUM, sources_of, unwrapping_step
from outbox_kit.lint.steps import TransformStep
from outbox_kit.lint.subject import Subject
from outbox_kit.router.transforms import KAFKA

DELETES = {**DELETING, "delete.on.null.values": "true"}
"""Options of sinks by which they delete what a delete, or its tombstone, names."""


@rule(
    "deletes-not-sent",
    Consequence.loss,
    of_names=True,
    evidence="N12",
    fix="set delete.tombstone.handling.mode=tombstone in the source",
)
def deletes_not_sent(subject: Subject) -> Iterator[Violation]:
    """A sink that deletes rows receives the deletes.

    It deletes the row of a record without a value, a tombstone. If the source sends none, what is deleted there stays
    in the target: `drop` sends nothing of a delete, `rewrite` a row that is marked.
    """
    sources = sources_of(subject) or [peer for peer in subject.neighbours if peer.connector]
    steps = [step for source in sources if (step := unwrapping_step(source)) and not _deletes_arrive(step, source)]
    if not steps or len(steps) < len(sources):
        return
    drops = all(step.options.get(HANDLING, "") == "drop" for step in steps)
    cause = f"{steps[0].key(HANDLING)}=drop" if drops else f"'{steps[0].name}' sends no tombstones"
    for key, value in DELETES.items():
        if subject.config.get(key, "").strip().lower() == value:
            consequence = None if drops else Consequence.wrong
            yield Violation(key, f"the source drops deletes: {cause}", consequence=consequence)


def _deletes_arrive(step: TransformStep, source: Subject) -> bool:
    """Whether a sink sees deletes behind the transformation that takes the row out."""
    arrives = step.options.get(HANDLING, "").strip().lower() in ("delete-to-tombstone", "none")
    return arrives or not source.says("transforms", step.key(HANDLING)) or passes_tombstones(step, source) != ""


@rule(
    "tombstone-refused",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="let the sink take them: delete.enabled=true, behavior.on.null.values=ignore; or tombstones.on.delete=false",
)
def tombstone_refused(subject: Subject) -> Iterator[Violation]:
    """A sink that refuses records without a value receives none.

    After each delete a source sends a tombstone by default: the task of the sink stops at the first one.
    """
    if not _lets_tombstones_pass(subject):
        return
    sources, severity = sources_of(subject), None
    if sources:
        senders = [source for source in sources if not source.router and _sends_tombstones(source)]
    else:  # what it takes rows out of comes from Debezium, and what is named so in all likelihood
        is_of_debezium = unwrapping_step(subject) or any(map(_takes_after, subject.steps))
        topics = subject.entries("topics") if subject.says("topics") else []
        is_alone = not any(each.connector for each in subject.neighbours)
        is_named_so = bool(topics) and is_alone and all(map(TOPIC_OF_DEBEZIUM.fullmatch, topics))
        severity = None if is_of_debezium else Severity.warning
        is_candidate = is_of_debezium or is_named_so
        senders = [subject] if is_candidate and not any(map(_skips_deletes, subject.neighbours)) else []
    takes_row = any(step.kind.endswith(ROW) or _takes_after(step) for step in subject.steps)
    if subject.facts.get("rows_only") and not takes_row and not any(map(unwrapping_step, senders)):
        return  # it fails at the first change event
    for key, word in subject.facts.get("refuses_tombstones", {}).items() if senders else ():
        if subject.config.get(key, word).strip().lower() == word and subject.says(key):
            unset = "" if key in subject.config else key
            sender = "the source" if severity is None else "a source of Debezium"
            message = f"{key} is {word}, and {sender} sends tombstones"
            yield Violation(CLASS if unset else key, message, unset=unset, severity=severity)


def _takes_after(step: TransformStep) -> bool:
    """Whether a transformation takes the row out of a change event as one of its fields: of a delete it is null."""
    return step.kind == EXTRACTS and step.options.get("field", "").strip() == "after"


def _skips_deletes(source: Subject) -> bool:
    return source.connector is not None and not _sends_tombstones(source)


KEEPING = (
    f"{KAFKA}RegexRouter",
    *(f"{KAFKA}{name}$Value" for name in ("InsertField", "ReplaceField", "Flatten", "ExtractField")),
    *(f"{KAFKA}{name}$Key" for name in ("ExtractField", "ReplaceField", "Cast")),
)
"""Transformations that let a tombstone pass."""


def _sends_tombstones(source: Subject) -> bool:
    sends_some = source.on("tombstones.on.delete") and "d" not in source.skipped
    return sends_some and source.says("transforms") and _lets_tombstones_pass(source)


def _lets_tombstones_pass(subject: Subject) -> bool:
    """Whether the transformations of a connector do, as far as they are known."""
    steps = [step for step in subject.steps if step.kind not in KEEPING]
    if not steps:
        return True
    return len(steps) == 1 and steps[0].kind.endswith(ROW) and passes_tombstones(steps[0], subject) != ""
