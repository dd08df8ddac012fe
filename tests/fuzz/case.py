"""The case of a seed: a random outbox and what became of its events."""

from dataclasses import replace
from typing import Any

from tests.support.fuzz import harm
from tests.support.fuzz.values import DAY, GONE, Case, Draw
from tests.support.fuzz.writers import written

EVENTS: dict[str, tuple[str, ...]] = {"Order": ("OrderPlaced", "OrderPaid"), "Customer": ("CustomerMoved",)}


def case(seed: int, ledger: str, without: frozenset[str] = frozenset()) -> Case:
    """The case of a seed. ledger: table, file or none. without: features that are left out."""
    draw = Draw(seed, ledger, without)
    chance = draw.of("shape")
    existing = ledger != "none" and chance.random() < 0.3 and not draw.busy
    ids = chance.choice(("bigint", "ulid", "upper") if existing else ("v4", "v1", "v6", "v7", "counter"))
    retention = chance.choice(("forever", "external") if existing else ("forever", "delete", "delete"))
    retention = "delete" if draw.busy else retention
    document = _document(draw, existing=existing, ids=ids, retention=retention)
    span = _span(draw, document["table"])
    steps, rows = written(draw, document, span, ids)
    rows = harm.deleted(draw, document["table"], rows)
    messages, begins = harm.sent(draw, document, rows, span)
    messages, rows = harm.harmed(draw, ids, document, messages, rows)
    messages, passes = harm.late(draw, messages, rows)
    messages, ends = harm.placed(draw, document, messages)
    case_ = Case(seed, ledger, ids, document, tuple(steps), tuple(rows), tuple(messages), harm.counts(document), ends)
    file = draw.of("file")
    told = frozenset(n for n in ("key", "type", "sequence", "aggregate", "transaction", "at") if file.random() < 0.8)
    return replace(
        case_,
        starts=harm.cut(draw, messages, ends),
        passes=passes,
        told=told,
        upper=ledger == "file" and ids not in ("bigint", "ulid") and file.random() < 0.15,
        broken=draw.of("broken").randint(1, 4) if draw.has("broken", 0.04) else 0,
        begins=begins,
    )


def _document(draw: Draw, *, existing: bool, ids: str, retention: str) -> dict[str, Any]:
    chance = draw.of("document")
    kind = chance.choice(("json", "text", "bytes")) if draw.has("payloads", 0.5) else "json"
    table: dict[str, Any] = {"payload": kind, "retention": retention}
    if retention == "delete":
        table["keep_days"] = chance.choice((1, 3, 7))
    if existing:
        table |= {"existing": True, "name": "events", "ids": {"bigint": "bigint", "ulid": "text"}.get(ids, "uuid")}
    if draw.has("tenant", 0.4):
        table["extra"] = [{"name": "tenant"}]
    keys = ("id", "tenant") if "extra" in table else ("id",)
    key = draw.of("other key").choice(keys) if draw.has("other key", 0.12) else "aggregate_id"
    ordering: dict[str, Any] = {"sequence": None}
    if draw.has("sequence", 0.75):
        ordering = {"sequence": "sequence", "assigned_by": chance.choice(("database", "application"))}
    aggregates = ["Order", "Customer"][: chance.randint(1, 2)]
    events: list[dict[str, Any]] = [{"type": kind, "aggregate": one} for one in aggregates for kind in EVENTS[one]]
    if "Customer" in aggregates and not existing:
        events.append({"type": GONE, "aggregate": "Customer", "tombstone": True})
    snapshot = "no_data" if draw.has("no_data", 0.08) else "initial"
    return {
        "service": "fuzz",
        "database": {"dialect": "postgres"},
        "table": table,
        "routing": {"topic": "{service}" if draw.has("shared topic", 0.3) else "{service}.{aggregate}", "key": key},
        "ordering": ordering,
        "events": events,
        "connect": {"topics": {"partitions": chance.randint(1, 3)}, "snapshot": snapshot},
    }


def _span(draw: Draw, table: dict[str, Any]) -> float:
    """Over how many seconds before the start the rows were written."""
    chance = draw.of("span")
    if "keep_days" in table and (draw.busy or draw.has("cleanup", 0.5)):
        return float(table["keep_days"]) * DAY * chance.uniform(1.1, 2.6)
    return chance.choice((60.0, 3600.0, 0.9 * DAY, 3 * DAY))
