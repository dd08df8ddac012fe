"""Which needs of the checks a run has not met: what nobody could look at is never reported as passed. Pure."""

from collections.abc import Iterable

from outbox_kit import dialects
from outbox_kit.source.ledger import Held, Partial
from outbox_kit.verify.contract import TRACEPARENT, Contract, EventContract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.plan import recognisable
from outbox_kit.verify.result import RUN, Report, Request

UNREAD = {"RUN-01", "RUN-07"}  # findings that say that records were not read
ROW = {"key": Need.row_key, "header": Need.row_type, "payload": Need.row_payload}


def unmet(request: Request, contract: Contract, report: Report) -> dict[str, frozenset[Need]]:
    """The needs that were not met, by topic, and of the run as a whole.

    What was done, the run has noted in `report.met`; all else follows from what was asked for and what was found.
    """
    whole = _asked(request, contract, report) | report.met
    found = {RUN: whole | _seen(request, contract, contract.events.values(), report, report.partitions)}
    for topic in {*report.topics, *report.partitions, *(one.topic for one in report.findings)} - {RUN}:
        own = [event for event in contract.events.values() if event.topic in (None, topic)]
        found[topic] = whole | _seen(request, contract, own, report, [topic])
    return {topic: frozenset(Need) - met for topic, met in found.items()}


def _asked(request: Request, contract: Contract, report: Report) -> set[Need]:
    """What is met by the schema file and by what was asked for."""
    outbox, table = request.outbox, request.outbox.table
    mode = outbox.cloudevents.mode if outbox.cloudevents else ""
    file = request.record is not None and not request.remembered
    met = {
        Need.cloudevents: bool(mode),
        Need.binary: mode == "binary",
        Need.structured: mode == "structured",
        Need.tombstones: any(event.tombstone for event in outbox.events),
        Need.sequence: contract.sequence,
        Need.aggregate: outbox.keyed_by_aggregate,
        Need.dense: contract.dense,
        Need.keyed: contract.routes.by_key,
        Need.traceparent: any(rule.pattern == TRACEPARENT for rule in contract.headers),
        Need.expiry: table.retention in ("delete", "partition"),
        Need.kept: file or table.retention != "owner",
        Need.topics: bool(contract.routes.topics),
        Need.known_route: not contract.routes.assumed,
        Need.pattern: recognisable(contract.routes) is not None,
        Need.unframed: table.registry is None,
        Need.cluster: not request.log.whole,
        Need.follow: request.remembered is not None,
        Need.worker: request.connect is not None,
        Need.goal: request.latency is not None,
        Need.registry: table.registry is not None and request.registry is not None,
        Need.outcomes: file,
        Need.times: report.latency is not None,
    }
    return {need for need, holds in met.items() if holds} | _told(request)


def _told(request: Request) -> set[Need]:
    """What the rows of the ledger say."""
    held = request.held or Held()
    met = {ROW[part.place] for part in (*held.digested, *held.sampled) if part.place in ROW}
    if isinstance(request.record, Partial):
        told = "transaction" in request.record.says
    else:
        outbox = request.outbox  # an owner's updates hide which rows were committed together
        told = dialects.named(outbox.database.dialect).row_transactions and not outbox.table.existing
    return met | ({Need.transactions} if told else set())


def _seen(
    request: Request, contract: Contract, events: Iterable[EventContract], report: Report, topics: Iterable[str]
) -> set[Need]:
    """What is met on some topics, of events that go there."""
    own, registry = list(events), request.outbox.table.registry is not None
    there, silent = set(topics), any(one.check == "RUN-12" for one in report.findings)
    answered = not registry or (request.registry is not None and not silent)
    begun = bool(there) and there <= report.begun
    unread = {one.topic for one in report.findings if one.check in UNREAD}
    met = {
        Need.route: any(event.topic is not None for event in own) or contract.route_header is not None,
        Need.rules: any(event.rules for event in own),
        Need.schema: any(event.validator is not None for event in own),
        Need.judged: any(event.validator is not None or event.rules for event in own),
        Need.steps: any(event.event.after is not None or not event.event.may_begin for event in own),
        Need.together: any(event.event.aggregate in contract.together for event in own),
        Need.framing: answered if registry else request.outbox.table.payload != "bytes",
        Need.documents: answered and not all(event.opaque for event in own),
        Need.read: not unread & {RUN, *there},
        Need.records: any(report.topics.get(topic) for topic in there),
        Need.events: any(report.verified.get(topic) for topic in there),
        Need.settings: not report.unseen & there,
        Need.beginnings: begun,
        Need.firsts: begun or any(event.event.after is not None for event in own),
    }
    return {need for need, holds in met.items() if holds}
