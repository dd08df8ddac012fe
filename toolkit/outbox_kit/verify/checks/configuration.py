"""The connector behind the topics, and the settings of the topics."""

import time
from collections.abc import Container, Sequence
from functools import partial

from outbox_kit import deadline
from outbox_kit.connect import plan
from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import RESUME
from outbox_kit.delivery.interface import Delivery, Status
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.findings.finding import WHOLE_RUN, Collector, RecordLocation
from outbox_kit.findings.rule import Group
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS, ERROR, INCONCLUSIVE, SETTINGS, WARNING, cloudevents, needs
from outbox_kit.verify.needs import Need
from outbox_kit.verify.request import Request
from outbox_kit.verify.table.values import HOUR_MS
from outbox_kit.versions import Version
from outbox_kit.waiting import waiting_for
from outbox_kit.wire import connector

CONFIGURATION = Group("Configuration", rank=9)
define = partial(CHECKS.define, group=CONFIGURATION)
CONNECTOR = needs(Need.by_connector, Need.connector)

CONNECTOR_DRIFT = define(
    id="CFG-01",
    severity=WARNING,
    title="the running connector has the configuration of the schema file",
    problem="the running connector has another configuration",
    why="Drift: the configuration was changed in Kafka Connect, or the schema file was changed and not deployed.",
    fix="see the changes: outbox-kit plan; apply them: outbox-kit deploy-connector",
    needs=CONNECTOR,
    condition=True,
)
SILENT_LOSS = define(
    id="CFG-02",
    severity=WARNING,
    title="the running connector drops no events",
    problem="the running connector may drop events without an error",
    why="Events that it drops are lost for consumers.",
    fix="see the changes: outbox-kit plan; apply them: outbox-kit deploy-connector",
    needs=CONNECTOR,
    condition=True,
)
CONNECTOR_NOT_RUNNING = define(
    id="CFG-03",
    severity=ERROR,
    title="the connector is running",
    problem="the connector is not running",
    why="No event is published until it runs. One that is starting is waited for, up to half a minute.",
    fix="see the cause and the next step: outbox-kit status",
    needs=CONNECTOR,
    condition=True,
)
COMPACTED_TOPIC = define(
    id="CFG-04",
    severity=WARNING,
    title="no topic of events is compacted",
    problem="a topic of events is compacted",
    why="Compaction deletes the older events of every key.",
    fix="set cleanup.policy=delete on the topic",
    needs=SETTINGS,
    condition=True,
)
SHORT_RETENTION = define(
    id="CFG-05",
    severity=WARNING,
    title="topics keep messages at least as long as the outbox keeps rows",
    problem="the topic's retention is shorter than the table's",
    why="Messages are deleted before their rows, so loss is checked for a shorter time.",
    fix="set retention.ms on the topic to the table's retention or longer",
    needs=SETTINGS | {Need.expiry},
    condition=True,
)
CONNECTOR_UNREACHABLE = define(
    id="CFG-06",
    severity=INCONCLUSIVE,
    title="Kafka Connect can be reached",
    problem="the connector could not be examined",
    why="Kafka Connect was named and gave no usable response.",
    fix="check the address and credentials: outbox-kit status; or leave out --connect",
    needs=needs(Need.by_connector, Need.worker),
    condition=True,
)

MOST_SECONDS = 30.0  # for Connect's answers and a connector that starts: neither takes all time from the topics
POLL_SECONDS = 0.5


def connector_findings(connect: Connect, outbox: Outbox, delivery: Delivery, findings: Collector) -> str | None:
    """Add the findings about the connector; why it could not be asked, or None: the run then does not pass."""
    name, location = outbox.names.connector, WHOLE_RUN
    try:
        with deadline.within(min(MOST_SECONDS, max(deadline.left() / 4, 1.0))):
            live = connect.config(name)
            status = None if live is None else _settled(delivery, name)
    except EnvironmentProblem as problem:
        why = ": ".join(filter(None, (problem.what, problem.why)))
        findings.add(CONNECTOR_UNREACHABLE, location, f"a response of {connect.url}", why)
        return why
    if live is None or status is None:
        findings.add(
            CONNECTOR_NOT_RUNNING, location, f"a connector '{name}'", "none: deploy it with outbox-kit deploy-connector"
        )
        return None
    if not status.running:
        resume = f"; resume it: {RESUME}" if status.halted else ""
        findings.add(CONNECTOR_NOT_RUNNING, location, f"'{name}' RUNNING with its task", f"{status}{resume}")
    for edit in plan.between(live, connector.config(outbox), Version.of(outbox.connect.debezium)):
        was, now = edit.shown(edit.before) or "not set", edit.shown(edit.after) or "not set"
        findings.add(CONNECTOR_DRIFT, location, f"{edit.key} = {now}", was)
    for key, value in sorted(live.items()):
        option = options.resolve(live, key).option
        if option is not None and (risk := option.risk(value)):
            findings.add(SILENT_LOSS, location, f"{key} = {option.default}", f"{value}: {risk}")
    return None


def _settled(delivery: Delivery, name: str) -> Status:
    """The status; of a connector that is starting, the one in which it remains."""
    until = deadline.end()
    with waiting_for(f"connector '{name}' to be RUNNING"):
        while (status := delivery.status()).starting and time.monotonic() + POLL_SECONDS < until:
            time.sleep(POLL_SECONDS)
    return status


def topic_findings(
    request: Request, topics: Sequence[str], findings: Collector, previous: Container[str] = ()
) -> list[str]:
    """What the topics' own settings mean for events; returns the topics whose settings could not be seen.

    previous: those to which nothing is published any more, whose retention no longer matters.
    """
    table, every = request.outbox.table, request.log.settings(topics)
    unseen = {topic for topic in topics if every.get(topic) is None}
    for topic, settings in sorted(every.items()):
        policy, retention = (settings or {}).get("cleanup.policy"), _number((settings or {}).get("retention.ms"))
        if policy is None or retention is None:  # a default would not be the broker's answer
            unseen.add(topic)
            continue
        if "compact" in policy:
            findings.add(COMPACTED_TOPIC, RecordLocation(topic), "delete", policy)
            binary = request.outbox.cloudevents and request.outbox.cloudevents.mode == "binary"
            if binary and any(event.tombstone for event in request.outbox.events):
                findings.add(cloudevents.COMPACTED_TOMBSTONES, RecordLocation(topic), "delete", policy)
        aged = table.retention in ("delete", "partition") and topic not in previous
        if aged and 0 <= retention < table.kept_hours * HOUR_MS:
            days = f"{retention / (24 * HOUR_MS):.1f} days"
            findings.add(SHORT_RETENTION, RecordLocation(topic), f"at least {table.kept_title}, as in the table", days)
    return sorted(unseen)


def _number(text: str | None) -> int | None:
    """A setting as a number; None if it is not a number."""
    try:
        return int(text or "")
    except ValueError:
        return None
