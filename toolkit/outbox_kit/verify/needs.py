"""What a check needs before it can be made. Each need states the reason if it is not met."""

from enum import StrEnum


class Need(StrEnum):
    """A requirement of a check; the value is the reason if it is not met. The first one that is not met is reported."""

    # of the schema file
    cloudevents = "the schema file declares no CloudEvents"
    binary = "the schema file declares no CloudEvents in binary mode"
    structured = "the schema file declares no CloudEvents in structured mode"
    tombstones = "the schema file declares no tombstones"
    rules = "no event has rules"
    schema = "no event has a JSON Schema"
    judged = "no event has a JSON Schema or rules"
    steps = "no event declares which events it follows"
    sequence = "the schema file has no ordering.sequence"
    aggregate = "the message key is not the aggregate id"
    unmoved = "an aggregate may have events on a previous topic: see routing.previous_topics"
    apart = "an aggregate's events on this topic and on another one of its topics may overlap in time"
    together = "the events of an aggregate are in more than one topic or partition, or its id is not the key"
    dense = "the sequence may have gaps: see ordering.assigned_by"
    keyed = "a column selects the partition, not the key"
    traceparent = "no header 'traceparent' is declared"
    expiry = "rows are not kept for a fixed time"
    kept = "the owner of the table may delete rows at any time"
    route = "no message contains its topic's route"
    known_route = "the connector has an option or transformation that outbox-kit does not know"
    topics = "the topics follow from the rows"
    pattern = "the topic pattern does not begin with fixed text"
    registered = "the schema file declares no Schema Registry"
    unframed = "payloads are bytes or have the wire format of a Schema Registry"
    framing = "payloads are bytes, or no Schema Registry was named"
    documents = "payloads are bytes, or their Schema Registry was not named or did not respond"
    by_connector = "a relay publishes the events, not a connector"
    # of the options
    cluster = "captured messages or a queue were checked, not topics"
    partitions = "a queue has no partitions"
    follow = "only in verify follow"
    goal = "no --max-latency"
    registry = "no --registry"
    worker = "no --connect"
    connector = "no --connect, or Kafka Connect did not respond"
    # of the run
    finished = "the run did not finish"
    read = "not every message was read"
    records = "the topics have no messages"
    events = "the topics have no declared events with an id and a key"
    firsts = "the topics may lack the first event of an aggregate"
    beginnings = "the topics may lack the first events of aggregates"
    settings = "the settings of the topics could not be read"
    arrival = "the position of the connector or relay is unknown"
    table = "the messages were not compared with rows"
    young = "rows without a message may be older than the messages that were read"
    row_key = "rows contain no keys"
    row_type = "rows contain no types and no sequence numbers"
    row_payload = "rows contain no comparable payloads"
    transactions = "it is not known which rows were committed together"
    outcomes = "only with --published-log"
    times = "rows do not contain the time of their insert, or messages no exact time"


NOTHING_MET = frozenset(Need)
INAPPLICABLE = frozenset(
    {
        Need.cloudevents,
        Need.binary,
        Need.structured,
        Need.tombstones,
        Need.rules,
        Need.judged,
        Need.steps,
        Need.traceparent,
        Need.expiry,
        Need.topics,
        Need.pattern,
        Need.registered,
        Need.follow,
    }
)
"""Needs of checks about something that the schema file does not declare, or that the command does not do."""
