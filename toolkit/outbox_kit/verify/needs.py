"""What a check needs before it can be made. Each need says in its own words what was missing."""

from enum import StrEnum


class Need(StrEnum):
    """A requirement of a check; the value is the reason given where it was not met. The first one missing is given."""

    # of the schema file
    cloudevents = "the schema file declares no CloudEvents"
    binary = "the schema file declares no CloudEvents in binary mode"
    structured = "the schema file declares no CloudEvents in structured mode"
    tombstones = "the schema file declares no tombstones"
    rules = "no event has rules"
    schema = "no event has a JSON Schema"
    judged = "no event has a JSON Schema or rules"
    steps = "no event says what it may follow"
    sequence = "the schema file names no sequence column"
    aggregate = "the key is not the aggregate's id: see routing.key"
    together = "an aggregate's events are in several topics or partitions, or their key is not its id"
    dense = "no numbers that must be without gaps: see ordering.assigned_by, and the topics of an aggregate's events"
    keyed = "a column chooses the partition, not the key"
    traceparent = "no header 'traceparent' is declared"
    expiry = "the outbox keeps its rows for no fixed time"
    kept = "the outbox's owner may delete rows at any time"
    route = "no message says which topic it belongs on"
    known_route = "the model of the router does not know a raw option of the connector"
    topics = "the rows choose their topics"
    pattern = "the pattern of the topics does not begin and end with fixed text"
    unframed = "payloads have a registry's frame, or are bytes"
    framing = "payloads are bytes, and no registry was asked"
    documents = "payloads are bytes, or their registry was not asked, or did not answer"
    # of what was asked for
    cluster = "captured messages say nothing of their topics"
    follow = "only verify follow looks for it"
    goal = "no goal was named: --max-latency"
    registry = "no registry was asked"
    worker = "Kafka Connect was not named: --connect"
    connector = "Kafka Connect was not asked, or did not answer: --connect"
    # of what was looked at
    finished = "the run was not finished"
    read = "not every record was read"
    records = "there was no record"
    events = "there was no record that is a declared event with an id and a key"
    firsts = "only which events may come first is declared, and the topics may not hold each aggregate's first event"
    beginnings = "the topics may not hold each aggregate's first event"
    settings = "the settings of the topics could not be read"
    arrival = "nothing says whether all has arrived"
    table = "the outbox was not compared: no database or ledger was named, or it could not be"
    young = "rows without a message may be older than what was read of the topics"
    row_key = "the ledger does not say keys"
    row_type = "the ledger does not say types and numbers"
    row_payload = "payloads cannot be compared with the ledger's"
    transactions = "the ledger does not say which rows were committed together"
    outcomes = "only an application's own ledger says what was rolled back"
    times = "no row says when it was written"


NOTHING_MET = frozenset(Need)
