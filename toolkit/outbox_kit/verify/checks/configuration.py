"""The connector behind the topics, and the settings of the topics."""

from collections.abc import Sequence
from functools import partial

from outbox_kit import deadline
from outbox_kit.connect import plan
from outbox_kit.connect.client import Connect
from outbox_kit.delivery.interface import Delivery
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.findings.finding import WHOLE_RUN, Collector, RecordLocation
from outbox_kit.findings.rule import Group
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS, ERROR, INCONCLUSIVE, SETTINGS, WARNING, cloudevents, needs
from outbox_kit.verify.needs import Need
from outbox_kit.verify.request import Request
from outbox_kit.verify.table.values import HOUR_MS
from outbox_kit.wire import connector

CONFIGURATION = Group("Configuration", rank=9)
define = partial(CHECKS.define, group=CONFIGURATION)
CONNECTOR = needs(Need.connector)

CONNECTOR_DRIFT = define(
    id="CFG-01",
    severity=WARNING,
    title="the connector's config is another",
    fix="somebody changed it; deploy-connector --dry-run says how",
    needs=CONNECTOR,
    condition=True,
)
SILENT_LOSS = define(
    id="CFG-02",
    severity=WARNING,
    title="events can be dropped without a word",
    fix="see outbox-kit check of the live config",
    needs=CONNECTOR,
    condition=True,
)
CONNECTOR_NOT_RUNNING = define(
    id="CFG-03",
    severity=ERROR,
    title="the connector does not run",
    fix="see outbox-kit status, and the runbook",
    needs=CONNECTOR,
    condition=True,
)
COMPACTED_TOPIC = define(
    id="CFG-04",
    severity=WARNING,
    title="a topic of events is compacted",
    fix="older events of an aggregate vanish; use cleanup.policy=delete",
    needs=SETTINGS,
    condition=True,
)
SHORT_RETENTION = define(
    id="CFG-05",
    severity=WARNING,
    title="a topic forgets sooner than the outbox",
    fix="events go before their rows do; loss is judged for less",
    needs=SETTINGS | {Need.expiry},
    condition=True,
)
CONNECTOR_UNREACHABLE = define(
    id="CFG-06",
    severity=INCONCLUSIVE,
    title="the connector could not be looked at",
    fix="Kafka Connect was named and gave no answer: see its address, and your rights; or leave --connect out",
    needs=needs(Need.worker),
    condition=True,
)

MOST_SECONDS = 30.0  # for Connect's answers: a worker that hangs takes no time from the topics


def connector_findings(connect: Connect, outbox: Outbox, delivery: Delivery, findings: Collector) -> str | None:
    """Add the findings about the connector; why it could not be asked, or None: the run goes on, and is no pass."""
    name, location = outbox.names.connector, WHOLE_RUN
    try:
        with deadline.within(min(MOST_SECONDS, max(deadline.left() / 4, 1.0))):
            live, status = connect.config(name), delivery.status()
    except EnvironmentProblem as problem:
        why = ": ".join(filter(None, (problem.what, problem.why)))
        findings.add(CONNECTOR_UNREACHABLE, location, f"an answer of {connect.url}", why)
        return why
    if live is None:
        findings.add(CONNECTOR_NOT_RUNNING, location, f"a connector '{name}'", "none")
        return None
    if not status.running:
        findings.add(CONNECTOR_NOT_RUNNING, location, f"'{name}' running", str(status))
    for edit in plan.between(live, connector.config(outbox)):
        was, now = edit.shown(edit.before) or "nothing", edit.shown(edit.after) or "nothing"
        findings.add(CONNECTOR_DRIFT, location, f"{edit.key} = {now}", was)
    for key, value in sorted(live.items()):
        option = options.resolve(live, key).option
        if option is not None and option.risk(value):
            findings.add(SILENT_LOSS, location, f"{key} = {option.default}", value)
    return None


def topic_findings(request: Request, topics: Sequence[str], findings: Collector) -> list[str]:
    """What the topics' own settings mean for events; returns the topics whose settings could not be seen."""
    table, every = request.outbox.table, request.log.settings(topics)
    unseen = {topic for topic in topics if every.get(topic) is None}
    for topic, settings in sorted(every.items()):
        policy, retention = (settings or {}).get("cleanup.policy"), _number((settings or {}).get("retention.ms"))
        if policy is None or retention is None:  # a default of ours would be no answer of the broker's
            unseen.add(topic)
            continue
        if "compact" in policy:
            findings.add(COMPACTED_TOPIC, RecordLocation(topic), "delete", policy)
            binary = request.outbox.cloudevents and request.outbox.cloudevents.mode == "binary"
            if binary and any(event.tombstone for event in request.outbox.events):
                findings.add(cloudevents.COMPACTED_TOMBSTONES, RecordLocation(topic), "delete", policy)
        if table.retention in ("delete", "partition") and 0 <= retention < table.kept_hours * HOUR_MS:
            days = f"{retention / (24 * HOUR_MS):.1f} days"
            findings.add(SHORT_RETENTION, RecordLocation(topic), f"{table.kept_title}, as the rows", days)
    return sorted(unseen)


def _number(text: str | None) -> int | None:
    """A setting as a number; None where it is none."""
    try:
        return int(text or "")
    except ValueError:
        return None
