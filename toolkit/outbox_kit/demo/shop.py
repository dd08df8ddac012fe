"""A small shop that writes its orders and their events in one transaction, and now and then rolls one back.

This is what the write side of a transactional outbox looks like, and nothing more.
"""

import json
import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from outbox_kit.databases.postgres.session import Session, session

EVENTS = {"OrderPlaced": "Order", "OrderPaid": "Order", "OrderShipped": "Order", "OrderCancelled": "Order"}

CONTRACTS: dict[str, dict[str, object]] = {
    "OrderPlaced": {
        "total": {"type": "string", "pattern": r"^\d+\.\d\d$"},
        "items": {"type": "integer", "minimum": 1},
    },
    "OrderPaid": {"method": {"enum": ["card", "invoice", "voucher"]}},
    "OrderShipped": {"carrier": {"type": "string"}},
    "OrderCancelled": {"reason": {"type": "string"}},
}

TABLE = 'create table if not exists "order" (id uuid primary key, status text not null, total numeric(10, 2))'
OUTBOX = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, %s, %s)"


@dataclass(frozen=True)
class ShopResult:
    """What a shop did: transactions and events, by how they ended."""

    committed: int
    committed_events: int
    rolled_back: int
    rolled_back_events: int


class ChangedMind(Exception):
    """The customer, after the order and its events were written and before they were committed."""


def contract(event: str) -> dict[str, object]:
    """The JSON Schema of an event's payload."""
    properties = {"orderId": {"type": "string", "format": "uuid"}, **CONTRACTS[event]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": event,
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }


def trade(dsn: str, *, orders: int, tills: int = 4, seed: int = 1) -> ShopResult:
    """Sell a number of orders at several tills at once; about one transaction in eight is rolled back.

    The same seed makes the same customers.
    """
    with session(dsn) as connection:
        connection.execute(TABLE)
    shares = [orders // tills + (till < orders % tills) for till in range(tills)]
    with ThreadPoolExecutor(tills) as pool:
        done = list(pool.map(lambda till: _till(dsn, shares[till], random.Random(seed + till)), range(tills)))  # noqa: S311
    total: Counter[str] = sum(done, Counter())
    return ShopResult(total["committed"], total["committed_events"], total["rolled_back"], total["rolled_back_events"])


def _till(dsn: str, orders: int, chance: random.Random) -> Counter[str]:
    done: Counter[str] = Counter()
    with session(dsn, autocommit=True) as connection:
        for _ in range(orders):
            order = uuid.UUID(int=chance.getrandbits(128), version=4)
            for step in _life(chance):
                if not _transaction(connection, order, step, chance, done) and step is _place:
                    break
    return done


def _transaction(
    connection: Session,
    order: uuid.UUID,
    step: Callable[[Session, uuid.UUID, random.Random], int],
    chance: random.Random,
    done: Counter[str],
) -> bool:
    """One business transaction with its events: both committed, or neither."""
    events = 0
    try:
        with connection.transaction():
            events = step(connection, order, chance)
            if chance.random() < 0.125:
                raise ChangedMind
    except ChangedMind:
        done.update(rolled_back=1, rolled_back_events=events)
        return False
    done.update(committed=1, committed_events=events)
    return True


def _life(chance: random.Random) -> Iterator[Callable[[Session, uuid.UUID, random.Random], int]]:
    """What happens to an order: placed, then mostly paid and shipped, or cancelled."""
    yield _place
    if chance.random() < 0.2:
        yield _cancel
        return
    yield _pay
    if chance.random() < 0.3:
        yield _cancel
    else:
        yield _ship


def _place(connection: Session, order: uuid.UUID, chance: random.Random) -> int:
    total = f"{chance.randint(5, 500)}.{chance.randint(0, 99):02}"
    connection.execute("""insert into "order" (id, status, total) values (%s, 'placed', %s)""", (order, total))
    return _event(connection, order, "OrderPlaced", total=total, items=chance.randint(1, 9))


def _pay(connection: Session, order: uuid.UUID, chance: random.Random) -> int:
    connection.execute("""update "order" set status = 'paid' where id = %s""", (order,))
    return _event(connection, order, "OrderPaid", method=chance.choice(["card", "invoice", "voucher"]))


def _ship(connection: Session, order: uuid.UUID, chance: random.Random) -> int:
    connection.execute("""update "order" set status = 'shipped' where id = %s""", (order,))
    return _event(connection, order, "OrderShipped", carrier=chance.choice(["bike", "van", "drone"]))


def _cancel(connection: Session, order: uuid.UUID, _: random.Random) -> int:
    connection.execute("""update "order" set status = 'cancelled' where id = %s""", (order,))
    return _event(connection, order, "OrderCancelled", reason="changed mind")


def _event(connection: Session, order: uuid.UUID, event: str, **payload: object) -> int:
    body = json.dumps({"orderId": str(order), **payload})
    connection.execute(OUTBOX, (uuid.uuid4(), str(order), event, body))
    return 1
