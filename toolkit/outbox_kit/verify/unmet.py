"""Which needs of the checks a run has not met: what could not be examined is never reported as passed. Pure."""

from collections.abc import Iterable

from outbox_kit.databases.ledger import ComparableParts, Partial
from outbox_kit.findings.finding import RUN
from outbox_kit.verify.checks import run
from outbox_kit.verify.contract import TRACEPARENT, Contract, EventContract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading.captured import CapturedLog
from outbox_kit.verify.reading.plan import recognisable
from outbox_kit.verify.request import Mode, Request
from outbox_kit.verify.result import Result

UNREAD = {run.NOT_READ, run.PARTITION_REFUSED}  # findings that say that records were not read
ROW = {"key": Need.row_key, "header": Need.row_type, "payload": Need.row_payload}


def unmet(request: Request, contract: Contract, report: Result) -> dict[str, frozenset[Need]]:
    """The needs that were not met, by topic, and of the run as a whole.

    What was done, the run has noted in `report.coverage.met`; all else follows from what was asked for and found.
    """
    common = _needs_of_request(request, contract, report) | report.coverage.met
    needs = {RUN: common | _needs_of_topics(request, contract, contract.events.values(), report, report.partitions)}
    for topic in {*report.topics, *report.partitions, *(finding.subject for finding in report.findings)} - {RUN}:
        events = [
            event for event in contract.events.values() if event.topic in (None, topic) or topic in event.previous
        ]
        needs[topic] = common | _needs_of_topics(request, contract, events, report, [topic])
    return {topic: frozenset(Need) - met for topic, met in needs.items()}


def _needs_of_request(request: Request, contract: Contract, report: Result) -> set[Need]:
    """What is met by the schema file and by what was asked for."""
    outbox, table = request.outbox, request.outbox.table
    mode = outbox.cloudevents.mode if outbox.cloudevents else ""
    file = request.mode is Mode.file
    needs = {
        Need.cloudevents: bool(mode),
        Need.binary: mode == "binary",
        Need.structured: mode == "structured",
        Need.tombstones: any(event.tombstone for event in outbox.events),
        Need.sequence: contract.sequence,
        Need.aggregate: contract.routes.keyed_by_aggregate,
        Need.dense: contract.dense,
        Need.keyed: contract.routes.by_key,
        Need.traceparent: any(rule.pattern == TRACEPARENT for rule in contract.headers),
        Need.expiry: table.retention in ("delete", "partition"),
        Need.kept: file or table.retention != "external",
        Need.topics: bool(contract.routes.topics),
        Need.known_route: not contract.routes.assumed,
        Need.pattern: recognisable(contract.routes) is not None,
        Need.unframed: table.registry is None,
        Need.by_connector: outbox.delivery.by == "connector",
        Need.cluster: not request.log.all_topics,
        Need.partitions: not isinstance(request.log, CapturedLog) or request.log.partitioned,
        Need.follow: request.prior_windows is not None,
        Need.worker: request.connect is not None,
        Need.goal: request.criteria.max_latency is not None,
        Need.registered: table.registry is not None,
        Need.registry: table.registry is not None and request.registry is not None,
        Need.outcomes: file,
        Need.times: report.timing.latency is not None,
    }
    return {need for need, holds in needs.items() if holds} | _needs_of_rows(request)


def _needs_of_rows(request: Request) -> set[Need]:
    """What the rows of the ledger say."""
    comparable = request.comparable_parts or ComparableParts()
    needs = {ROW[part.place] for part in (*comparable.digested, *comparable.sampled) if part.place in ROW}
    if isinstance(request.record, Partial):
        grouped = "transaction" in request.record.present_fields
    else:
        outbox = request.outbox  # updates hide which rows were committed together
        grouped = outbox.dialect.row_transactions and not outbox.updates_rows
    return needs | ({Need.transactions} if grouped else set())


def _needs_of_topics(
    request: Request, contract: Contract, events: Iterable[EventContract], report: Result, topics: Iterable[str]
) -> set[Need]:
    """What is met on some topics, of events that go there."""
    declared, registry = list(events), request.outbox.table.registry is not None
    read_topics, silent = set(topics), any(finding.rule == run.REGISTRY_SILENT for finding in report.findings)
    answered = not registry or (request.registry is not None and not silent)
    complete = bool(read_topics) and read_topics <= report.coverage.complete_topics
    unread = {finding.subject for finding in report.findings if finding.rule in UNREAD}
    needs = {
        Need.route: any(event.topic is not None for event in declared) or contract.route_header is not None,
        Need.rules: any(event.rules for event in declared),
        Need.schema: any(event.validator is not None for event in declared),
        Need.judged: any(event.validator is not None or event.rules for event in declared),
        Need.steps: any(event.event.follows is not None or not event.event.may_begin for event in declared),
        Need.unmoved: not declared or not all(event.previous for event in declared),
        Need.apart: not read_topics or not read_topics <= report.coverage.overlapping,
        Need.together: any(event.event.aggregate in contract.together for event in declared),
        Need.framing: answered if registry else request.outbox.table.payload != "bytes",
        Need.documents: answered and not all(event.opaque for event in declared),
        Need.read: not unread & {RUN, *read_topics},
        Need.records: any(report.topics.get(topic) for topic in read_topics),
        Need.events: any(report.verified.get(topic) for topic in read_topics),
        Need.settings: not report.coverage.unseen & read_topics,
        Need.beginnings: complete,
        Need.firsts: complete or any(event.event.follows is not None for event in declared),
    }
    return {need for need, holds in needs.items() if holds}
