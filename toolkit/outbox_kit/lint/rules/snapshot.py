"""Rules about snapshots: which rows that are there already are published."""

import re
from collections.abc import Iterator

from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Violation, at, rule
from outbox_kit.lint.subject import MONGO, Subject
from outbox_kit.router.transforms import DECODE

OVERRIDES = "snapshot.select.statement.overrides"


@rule(
    "snapshot-mode-initial",
    Consequence.advice,
    evidence="L01 L02",
    fix="use no_data for a table that is in use, and initial for a new table",
)
def snapshot_mode_initial(subject: Subject) -> Iterator[Violation]:
    """Whether the initial snapshot publishes existing rows is decided in the config.

    By default the first start, and every start without stored offsets, publishes all rows of the outbox. Consumers
    receive events that they have already processed.
    """
    # an intended replay is sorted; MongoDB's connector cannot sort it
    option_key = (
        f"{OVERRIDES}.{subject.config.get(OVERRIDES, '')}" if subject.option_prefix != MONGO else "snapshot.mode"
    )
    if (
        subject.router
        and option_key not in subject.config
        and "snapshot.mode" not in subject.config
        and (subject.setting("snapshot.mode") or "").lower() == "initial"
    ):
        yield at(subject, "snapshot.mode", "snapshot.mode is not set; its default is initial")


@rule("snapshot-mode-always", Consequence.wrong, evidence="L01", fix="set snapshot.mode to initial or no_data")
def snapshot_mode_always(subject: Subject) -> Iterator[Violation]:
    """A restart does not repeat the snapshot.

    Every restart of the connector publishes all rows again.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "always":
        yield Violation("snapshot.mode", "snapshot.mode is always")


@rule("snapshot-only", Consequence.loss, evidence="L01", fix="set snapshot.mode to initial or no_data")
def snapshot_only(subject: Subject) -> Iterator[Violation]:
    """The connector streams changes after the snapshot.

    With snapshot.mode=initial_only the connector reads the table once and stops: events that are written later are
    never published.
    """
    if subject.config.get("snapshot.mode", "").strip().lower() == "initial_only":
        consequence = None if subject.router else Consequence.risk
        yield Violation("snapshot.mode", "snapshot.mode is initial_only", consequence=consequence)


BY_COLUMN = "ExtractTopic$Value"
"""A transformation that takes the topic from a column, as an event router does."""


@rule(
    "snapshot-mode-no-data",
    Consequence.risk,
    severity=Severity.info,
    evidence="L01",
    fix="create the slot before the first event is written, or set snapshot.mode to initial",
)
def snapshot_mode_no_data(subject: Subject) -> Iterator[Violation]:
    """The snapshot publishes the rows that were written before the connector's first start.

    With snapshot.mode=no_data they are never published. That is right only if another publisher has sent them.
    """
    mode = subject.config.get("snapshot.mode", "").strip().lower()
    option = subject.option("snapshot.mode")
    is_of_log = any(step.kind == DECODE for step in subject.steps)  # messages in it are no rows
    routes = subject.router or any(step.kind.endswith(BY_COLUMN) for step in subject.steps) or subject.names_outbox
    if routes and subject.outbox is None and not is_of_log and option and option.translated(mode) == "no_data":
        if mode in option.values_at(subject.release):
            yield Violation(
                "snapshot.mode", f"snapshot.mode is {mode}: rows from before the first start are not published"
            )


@rule(
    "snapshot-without-streaming",
    Consequence.loss,
    evidence="L01",
    since="2.6",
    fix="set snapshot.mode.configuration.based.start.stream=true",
)
def snapshot_without_streaming(subject: Subject) -> Iterator[Violation]:
    """A snapshot whose steps are configured one by one is followed by the stream of changes.

    By default it is not: the connector ends behind the snapshot, and later events are never published.
    """
    start = "snapshot.mode.configuration.based.start.stream"
    configured = subject.config.get("snapshot.mode", "").strip().lower() == "configuration_based"
    if configured and not subject.on(start) and subject.says("snapshot.mode", start):
        unset = "" if start in subject.config else start
        yield Violation(start if not unset else "snapshot.mode", f"'{start}' is not true", unset=unset)


LIMITED = lazy_pattern(r"\b(?:limit\s+\d|fetch\s+(?:first|next)\b|top\s*\(?\s*\d|rownum\s*<)", re.IGNORECASE)


@rule("snapshot-limited", Consequence.loss, evidence="L01", fix="select all rows of the table")
def snapshot_limited(subject: Subject) -> Iterator[Violation]:
    """The statement of the snapshot selects all rows of the outbox.

    Rows that it leaves out were written before the stream begins, and are never published.
    """
    for key, value in subject.config.items():
        if key.startswith(f"{OVERRIDES}.") and LIMITED.search(value):
            yield Violation(key, "the statement of the snapshot limits the number of rows")


@rule(
    "snapshot-reads-uncommitted",
    Consequence.wrong,
    severity=Severity.error,
    evidence="L03",
    fix="set snapshot.isolation.mode to repeatable_read or snapshot",
)
def snapshot_reads_uncommitted(subject: Subject) -> Iterator[Violation]:
    """The snapshot reads committed rows only.

    An event of a transaction that is rolled back afterwards is published.
    """
    reads = subject.config.get("snapshot.isolation.mode", "").strip().lower() == "read_uncommitted"
    if subject.router and reads and subject.connector != POSTGRES.name:  # which reads committed rows all the same
        yield Violation("snapshot.isolation.mode", "snapshot.isolation.mode is read_uncommitted")


@rule(
    "snapshot-mode-when-needed",
    Consequence.risk,
    evidence="L04",
    fix="set snapshot.mode to initial or no_data, and recover as the runbook describes",
)
def snapshot_mode_when_needed(subject: Subject) -> Iterator[Violation]:
    """A lost offset does not start a new snapshot.

    With snapshot.mode=when_needed all retained rows are published again, automatically, if the stored offset is no
    longer in the log. Consumers may receive thousands of duplicates during an outage.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "when_needed":
        yield Violation("snapshot.mode", "snapshot.mode is when_needed")


@rule(
    "snapshot-mode-recovery",
    Consequence.risk,
    evidence="L04",
    fix="set it for the start that rebuilds the history alone, and then initial or no_data",
)
def snapshot_mode_recovery(subject: Subject) -> Iterator[Violation]:
    """The mode that rebuilds a lost schema history is set for one start alone.

    A connector without a position does not start with it.
    """
    key = "snapshot.mode"
    if subject.connector and subject.config.get(key, "").strip().lower() in ("recovery", "schema_only_recovery"):
        yield Violation(key, f"{key} is {subject.config[key].strip()}")


@rule(
    "override-of-unlisted-table",
    Consequence.wrong,
    severity=Severity.error,
    evidence="L01",
    fix="give both options the same name of the table",
)
def override_of_unlisted_table(subject: Subject) -> Iterator[Violation]:
    """A statement of the snapshot belongs to a table that the option without a table lists.

    Another statement is not read, and the snapshot has all rows. In a variable of the environment each underscore is a
    dot, so that no variable names a table with an underscore.
    """
    listed = subject.entries(OVERRIDES)
    if not subject.says(OVERRIDES):
        return
    for key in subject.config:
        table = key.removeprefix(f"{OVERRIDES}.")
        if table != key and table not in listed and "$" not in table:
            yield Violation(key, f"{OVERRIDES} does not list '{table}': the statement is not read")
