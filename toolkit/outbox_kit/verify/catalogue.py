"""Every check by its id: how much it weighs, what it says, and the usual cause. Ids are public and never reused."""

from dataclasses import dataclass

from outbox_kit.finding import Severity
from outbox_kit.verify.needs import Need

E, Q, W, I = Severity.error, Severity.inconclusive, Severity.warning, Severity.info  # noqa: E741 - a table's columns


@dataclass(frozen=True)
class Check:
    """One check. hint: the usual cause, or the next thing to look at.

    needs: what it cannot be made without; where any of it is missing, the check is reported as not checked.
    """

    severity: Severity
    title: str
    hint: str
    needs: frozenset[Need]


FAMILIES = {
    "RTE": "Routing",
    "KEY": "Keys",
    "HDR": "Headers",
    "CE": "CloudEvents",
    "PAY": "Payloads",
    "ORD": "Order",
    "DUP": "Duplicates",
    "LOS": "Loss",
    "LAT": "Latency",
    "CFG": "Configuration",
    "RUN": "The run itself",
}


def family(check: str) -> str:
    """The prefix that the ids of a family have in common."""
    return check.partition("-")[0]


def _of(*needs: Need) -> frozenset[Need]:
    return frozenset({Need.finished, *needs})


RUN = _of()
CLUSTER = _of(Need.cluster)
CONNECTOR = _of(Need.connector)
SETTINGS = _of(Need.settings)
RECORDS = _of(Need.read, Need.records)
EVENTS = _of(Need.read, Need.events)
DOCUMENTS = EVENTS | {Need.documents}
TABLE = _of(Need.read, Need.table)
TIMES = TABLE | {Need.events, Need.times}
CLOUD = EVENTS | {Need.cloudevents}
BINARY = CLOUD | {Need.binary}
STRUCTURED = CLOUD | {Need.structured}
SEQUENCE = EVENTS | {Need.sequence, Need.aggregate}


CHECKS = {
    "RUN-01": Check(
        Q, "a partition was not read to its end", "the broker died or the time ran out; run it again", CLUSTER
    ),
    "RUN-02": Check(
        Q, "the log no longer begins at offset 0", "retention took records away; they cannot be verified", CLUSTER
    ),
    "RUN-03": Check(
        E, "the log was rewound", "a broker came back without its newest records: an unclean election", CLUSTER
    ),
    "RUN-04": Check(
        Q, "a transaction is still open at the end", "run it again when the producer has committed", CLUSTER
    ),
    "RUN-05": Check(
        I,
        "offsets without a record",
        "transactions' own marks, events that were taken back, or records compacted away",
        CLUSTER | {Need.read},
    ),
    "RUN-06": Check(
        Q,
        "nothing to verify",
        "no event has arrived yet: see 'Nothing arrives' in the runbook; or no record is a declared event with id, key",
        RUN,
    ),
    "RUN-07": Check(
        E, "the broker refused a partition", "see the error: rights that are missing, or a damaged log", CLUSTER
    ),
    "RUN-08": Check(
        W, "a declared topic is not there", "topics are made by their first event", CLUSTER | {Need.topics}
    ),
    "RUN-09": Check(
        E, "the number of partitions changed", "keys go to other partitions from then on; see KEY-05", CLUSTER
    ),
    "RUN-10": Check(
        Q,
        "it cannot be said whether all has arrived",
        "the connector has not caught up; see outbox-kit status",
        _of(Need.arrival),
    ),
    "RUN-11": Check(I, "loss was not checked against the outbox", "it was left out, or its rows do not stay", RUN),
    "RUN-12": Check(
        Q,
        "payloads could not be read",
        "the registry does not answer, or refuses; see its address, and your rights",
        RECORDS | {Need.registry},
    ),
    "RUN-13": Check(
        Q,
        "an event from before what is remembered",
        "a copy, or disorder: verify without --follow tells which; see --remember",
        _of(Need.follow),
    ),
    "RUN-14": Check(
        Q,
        "where events go is not known",
        "the topics that routing.topic names were read; where you know that they are right: --severity RUN-14=info",
        RUN,
    ),
    "RUN-15": Check(
        Q,
        "loss could not be checked against the outbox",
        "name the database whose table has the rows (--dsn, or OUTBOX_KIT_DSN), or leave the table out: --no-ledger",
        RUN,
    ),
    "RUN-16": Check(
        Q,
        "a payload could not be judged",
        "it is nested too deeply for its schema's validator and for rules; limit its depth where it is written",
        DOCUMENTS | {Need.judged},
    ),
    "CFG-01": Check(
        W, "the connector's config is another", "somebody changed it; deploy-connector --dry-run says how", CONNECTOR
    ),
    "CFG-02": Check(W, "events can be dropped without a word", "see outbox-kit check of the live config", CONNECTOR),
    "CFG-03": Check(E, "the connector does not run", "see outbox-kit status, and the runbook", CONNECTOR),
    "CFG-04": Check(
        W, "a topic of events is compacted", "older events of an aggregate vanish; use cleanup.policy=delete", SETTINGS
    ),
    "CFG-05": Check(
        W,
        "a topic forgets sooner than the outbox",
        "events go before their rows do; loss is judged for less",
        SETTINGS | {Need.expiry},
    ),
    "CFG-06": Check(
        Q,
        "the connector could not be looked at",
        "Kafka Connect was named and gave no answer: see its address, and your rights; or leave --connect out",
        _of(Need.worker),
    ),
    "RTE-01": Check(
        E,
        "an event is on the wrong topic",
        "the route's column or the topic's pattern differs",
        EVENTS | {Need.route, Need.known_route},
    ),
    "RTE-02": Check(E, "an event that the schema file does not declare", "declare it, or find who writes it", EVENTS),
    "RTE-03": Check(
        W,
        "a record without an event's id",
        "something else writes to this topic; one that has an event's other headers is HDR-01",
        RECORDS,
    ),
    "RTE-04": Check(
        E, "a raw change record", "the router did not run: its predicate does not match, or it is missing", RECORDS
    ),
    "RTE-05": Check(
        W,
        "a topic of this pattern that no declared event goes to",
        "an old event type, or a misspelt one",
        CLUSTER | {Need.topics, Need.pattern},
    ),
    "KEY-01": Check(
        E, "the key is missing", "the key's column is null, and the order of its aggregate is lost", EVENTS
    ),
    "KEY-02": Check(
        E,
        "the key is not the outbox row's",
        "another column is the key, or the row was changed: an UPDATE is no event",
        TABLE | {Need.events, Need.row_key},
    ),
    "KEY-03": Check(E, "the key is encoded", "a JSON converter quotes it; use StringConverter", EVENTS),
    "KEY-04": Check(
        E,
        "the key is in the wrong partition",
        "another producer, another partitioner, or new partitions",
        EVENTS | {Need.keyed},
    ),
    "KEY-05": Check(E, "one key in several partitions", "its order is lost; see KEY-04", EVENTS | {Need.keyed}),
    "HDR-01": Check(E, "a required header is missing", "the column is not placed as a header", EVENTS),
    "HDR-02": Check(E, "a header comes twice", "a placement that repeats it, or a second transform", EVENTS),
    "HDR-03": Check(E, "a header's value breaks its contract", "the writer's value, or the contract, is wrong", EVENTS),
    "HDR-04": Check(E, "a header is encoded", "a JSON header converter quotes it; use SimpleHeaderConverter", EVENTS),
    "HDR-05": Check(I, "a header that nobody declares", "declare it as a column, or find who adds it", EVENTS),
    "HDR-06": Check(
        E,
        "a header contradicts the outbox row",
        "another column is placed there, or the row was changed: an UPDATE is no event",
        TABLE | {Need.events, Need.row_type},
    ),
    "HDR-07": Check(
        W,
        "a traceparent that is none",
        "version-trace-parent-flags, in lower-case hexadecimal",
        EVENTS | {Need.traceparent},
    ),
    "CE-01": Check(
        E, "a CloudEvent in another mode", "content-type decides: application/cloudevents is structured", CLOUD
    ),
    "CE-02": Check(
        E, "a CloudEvent without what it must have", "specversion, id, source and type, all of them texts", CLOUD
    ),
    "CE-03": Check(
        E, "an attribute that readers will not find", "its header is ce_ and its name, in plain UTF-8", BINARY
    ),
    "CE-04": Check(
        E, "a content type that is not the data's", "content_type in the schema file, or who adds the header", BINARY
    ),
    "CE-05": Check(
        W,
        "a structured CloudEvent that does not say so",
        "without content-type, readers take it for binary",
        STRUCTURED,
    ),
    "CE-06": Check(E, "a time that is none", "RFC 3339, as 2026-11-20T10:00:00Z", CLOUD),
    "CE-07": Check(E, "a partition key that is not the record's", "partitionkey and the key's column differ", CLOUD),
    "CE-08": Check(
        W,
        "tombstones among binary CloudEvents on a compacted topic",
        "compaction takes the event, which is only headers",
        SETTINGS | {Need.cloudevents, Need.binary, Need.tombstones},
    ),
    "PAY-01": Check(
        E, "the payload cannot be read", "storage and converter do not fit, or another serialiser wrote it", DOCUMENTS
    ),
    "PAY-02": Check(
        E, "the payload breaks its JSON Schema", "the writer, or the schema, is wrong", DOCUMENTS | {Need.schema}
    ),
    "PAY-03": Check(
        E, "the payload is JSON inside a JSON string", "a JSON converter on a text column", DOCUMENTS | {Need.unframed}
    ),
    "PAY-04": Check(
        E,
        "the payload is wrapped in a Connect schema",
        "a JSON converter with schemas.enable",
        DOCUMENTS | {Need.unframed},
    ),
    "PAY-05": Check(E, "the payload is null", "only events declared as tombstones may be", EVENTS),
    "PAY-06": Check(
        E,
        "the registry's frame is not the declared one",
        "another converter or serialiser; or see table.registry",
        EVENTS | {Need.framing},
    ),
    "PAY-07": Check(
        E, "a rule of the event does not hold", "the writer's values, or the rule, is wrong", DOCUMENTS | {Need.rules}
    ),
    "PAY-08": Check(
        E,
        "the payload is base64 of JSON",
        "a JSON converter on a binary column; use BinaryDataConverter",
        DOCUMENTS | {Need.unframed},
    ),
    "PAY-09": Check(
        W,
        "a number that not every reader can tell from its neighbours",
        "beyond 2^53: write it as a string; of a sample, but for those beyond a double",
        DOCUMENTS,
    ),
    "PAY-10": Check(
        I, "members that no schema declares", "declare them, or leave them out; of a sample", DOCUMENTS | {Need.schema}
    ),
    "PAY-11": Check(
        I,
        "declared members that never came",
        "of a sample; optional ones may simply be rare",
        DOCUMENTS | {Need.schema},
    ),
    "PAY-12": Check(
        E,
        "the payload is not the outbox row's",
        "another column is the payload, or the row was changed: an UPDATE is no event",
        TABLE | {Need.events, Need.row_payload},
    ),
    "PAY-13": Check(
        W,
        "JSON that not every reader takes",
        "strict readers refuse the whole payload: half a surrogate pair, or nesting beyond what they allow",
        DOCUMENTS | {Need.unframed},
    ),
    "ORD-01": Check(
        E, "an event came after a later one of its aggregate", "two writers without a lock, or two producers", SEQUENCE
    ),
    "ORD-02": Check(
        E,
        "an event that may not follow the one before it",
        "the writer's states, or the event's after and first",
        EVENTS | {Need.steps, Need.together, Need.firsts},
    ),
    "ORD-03": Check(
        Q,
        "the order cannot be judged",
        "its key is in several partitions, between which there is none",
        SEQUENCE | {Need.keyed},
    ),
    "ORD-04": Check(
        I, "timestamps that go back", "the worker's clock was set back, or two workers' clocks differ", EVENTS
    ),
    "ORD-05": Check(
        I, "no order was checked", "there is no sequence column, or the key is not the aggregate's id", RUN
    ),
    "DUP-01": Check(W, "an event came twice", "at-least-once delivery; consumers drop it by its id", EVENTS),
    "DUP-02": Check(
        W, "a stretch of events came twice", "at-least-once delivery; consumers drop them by their id", EVENTS
    ),
    "DUP-03": Check(E, "one id, two different events", "an id that is not unique, or a row that was changed", EVENTS),
    "DUP-04": Check(E, "two events with one sequence number", "the sequence is not unique in its aggregate", SEQUENCE),
    "DUP-05": Check(E, "one event in two places", "two connectors publish one table, or its route has changed", EVENTS),
    "LOS-01": Check(
        E,
        "an event of the outbox is on no topic",
        "the notes say what was seen; was the connector's config (deploy-connector --dry-run), the topic, the "
        "publication or the slot changed, deleted or made anew",
        TABLE | {Need.young},
    ),
    "LOS-02": Check(
        E,
        "a gap in an aggregate's sequence",
        "an event was lost, or a number was never used; an aggregate begins with 1, or below",
        SEQUENCE | {Need.dense, Need.beginnings},
    ),
    "LOS-03": Check(
        E,
        "an event that is not in the outbox",
        "its row was deleted by hand or had a made-up created_at, or it is another writer's",
        TABLE | {Need.events, Need.kept},
    ),
    "LOS-04": Check(
        E,
        "an event of a transaction that was rolled back",
        "it was published beside the transaction, not in it",
        TABLE | {Need.events, Need.outcomes},
    ),
    "LOS-06": Check(
        E,
        "a transaction of which only a part has arrived",
        "the connector skipped rows at one log position",
        TABLE | {Need.young, Need.transactions},
    ),
    "LOS-07": Check(
        I,
        "events whose rows are no longer there",
        "rows that were cleaned up cannot be compared; see table.keep_days",
        TABLE | {Need.events},
    ),
    "LAT-01": Check(
        W, "events come later than they may", "see the connector's lag, and its polling", TIMES | {Need.goal}
    ),
    "LAT-03": Check(
        W, "an event is older on the topic than in the table", "the clocks of database and worker differ", TIMES
    ),
}


def severities(*, exactly_once: bool) -> dict[str, Severity]:
    """The weight of each check; a duplicate is an error where exactly once was promised."""
    heavier = {"DUP-01": E, "DUP-02": E} if exactly_once else {}
    return {name: check.severity for name, check in CHECKS.items()} | heavier
