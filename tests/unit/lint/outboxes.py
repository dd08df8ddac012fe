"""Random schema files, as mappings: with any of the fields, whether they go together or not."""

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from outbox_kit import databases

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = st.sampled_from(
    ["outbox", "Outbox", "out_box2", "select", "a b", 'q"uote', "dot.ted", "ünï", "x$", "[b]", "a-b"]
)
WORDS = st.sampled_from(["Order", "order.line", "Order_Line", "A-1", "x"])
TYPES = st.sampled_from(["OrderPlaced", "It's placed", "order.paid.v1", "ü"])
PAYLOADS = st.sampled_from(
    [None, {"type": "object", "properties": {"total": {"type": "number"}}}, {"type": "array"}, {"type": "string"}]
)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping with any of these fields."""
    return st.fixed_dictionaries({}, optional=fields)


EXTRA = st.fixed_dictionaries(
    {"name": st.sampled_from(["tenant", "lane", "Shard No", "trace"])},
    optional={
        "kind": st.sampled_from(["text", "integer", "bigint", "boolean", "uuid"]),
        "required": st.booleans(),
        "to": st.sampled_from(["header", "partition", None]),
        "as": st.sampled_from(["tenant-id", "x"]),
    },
)
EVENT = st.fixed_dictionaries(
    {"type": TYPES, "aggregate": WORDS},
    optional={
        "payload": PAYLOADS,
        "tombstone": st.booleans(),
        "follows": st.just([]),
        "initial": st.booleans(),
        "rules": st.just(["payload.n > 0 && key == headers.id"]),
    },
)
OUTBOXES = st.fixed_dictionaries(
    {
        "service": st.sampled_from(["shop", "a-b", "s2"]),
        "database": st.fixed_dictionaries(
            {"dialect": st.sampled_from(sorted(databases.ALL))},
            optional={
                "name": NAMES,
                "schema": NAMES,
                "container": st.just("cdb"),
                "version": st.sampled_from(["14", "16.2", "17", "18"]),
                "user": NAMES,
                "password": st.sampled_from(["${env:P}", "${file:/run/secrets/db:password}"]),
            },
        ),
        "events": st.lists(EVENT, min_size=1, max_size=3),
    },
    optional={
        "table": some(
            name=NAMES,
            storage=st.sampled_from(["table", "log"]),
            payload=st.sampled_from(["json", "text", "bytes"]),
            registry=st.sampled_from([None, "avro", "protobuf", "json"]),
            max_payload_bytes=st.sampled_from([1, 900_000, 5_000_000]),
            retention=st.sampled_from(["delete", "partition", "delete_on_insert", "forever"]),
            columns=some(
                id=NAMES,
                payload=st.sampled_from(["data", "where", "Payload"]),
                aggregate_type=st.sampled_from(["kind", None]),
                aggregate_id=st.sampled_from(["agg", None]),
                created_at=st.sampled_from(["at", None]),
            ),
            existing=st.booleans(),
            ids=st.sampled_from(["uuid", "bigint"]),
            extra=st.lists(EXTRA, max_size=2),
        ),
        "routing": some(
            topic=st.sampled_from(["{aggregate}", "all-events", "{service}.{type}", "x.{tenant}", "{aggregate}.v1"]),
            key=st.sampled_from(["aggregate_id", "tenant"]),
        ),
        "ordering": st.sampled_from([{"sequence": None}, {"sequence": "version", "assigned_by": "application"}]),
        "delivery_guarantee": st.sampled_from(["at-least-once", "exactly-once"]),
        "cloudevents": some(
            mode=st.sampled_from(["binary", "structured"]),
            source=st.sampled_from(["/", "urn:a:1,2", "https://example.com/a?b=c#d"]),
            content_type=st.sampled_from(["text/plain; charset=utf-8", "application/x+json"]),
        ),
        "connect": some(
            debezium=st.sampled_from(["2.5", "2.7.4", "3.0", "3.2", "3.5", "3.6", "3.6.1", "3.7"]),
            snapshot=st.sampled_from(["initial", "no_data"]),
            heartbeat_ms=st.sampled_from([100, 60_000]),
            topic_prefix=st.sampled_from(["shop", "a.b-c", "x_y"]),
            topics=some(partitions=st.sampled_from([1, 12]), replication_factor=st.sampled_from([-1, 3])),
        ),
    },
)
