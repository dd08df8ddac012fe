"""How it is known that the last row has been published: by the delivery's position, or by a row sent after it."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from outbox_kit.databases import servers
from outbox_kit.delivery.interface import Delivery
from outbox_kit.kafka.read import Range, Reading
from outbox_kit.verify.request import Request
from outbox_kit.wire.routes import Routes

LagReason = Callable[[], str]
LOOK_SECONDS = 20.0


@contextmanager
def fence(request: Request) -> Iterator[LagReason | None]:
    """Take a point after every row that is committed by now; in a follower's window, the point that was taken with it.

    Gives a question: why it cannot be said yet that everything before the point has been published, or an empty text
    where it has been. Gives None where there is no way to know. Raises EnvironmentProblem.
    """
    if request.waits.fence == "canary" and request.dsn:
        with _canary(request, request.dsn) as lag_reason:
            yield lag_reason
        return
    delivery = request.delivered_by
    prior = request.prior_windows
    point = prior.point if prior else point_now(delivery)
    yield None if point is None else lambda: delivery.lag_reason(point)


def point_now(delivery: Delivery) -> int | None:
    """The point after every row that is committed by now; None if the delivery does not report that it passes one."""
    return delivery.point() if delivery.reports_position else None


@contextmanager
def _canary(request: Request, dsn: str) -> Iterator[LagReason]:
    """Insert a row that no consumer reads after the others: they are published in the order of their commits."""
    log, outbox, event_id = request.log, request.outbox, uuid.uuid4()
    routes, probe = Routes(outbox), servers.get(outbox.database.dialect).probe
    topic = routes.canary
    where = f"'{topic}'" + (f" ({routes.caveat})" if routes.caveat else "")
    before = {(r.topic, r.partition): r.end for r in _pinned(request, topic)}

    def lag_reason() -> str:
        now = [r for r in _pinned(request, topic) if r.end > before.get((r.topic, r.partition), r.start)]
        batches = log.read(Reading(now), time.monotonic() + LOOK_SECONDS)
        header = ("id", str(event_id).encode())
        arrived = any(header in (record.headers() or ()) for _, _, records in batches for record in records)
        return "" if arrived else f"the canary row has not come to {where} yet"

    probe.write_canary(dsn, outbox, event_id)
    try:
        yield lag_reason
    finally:
        probe.remove_canary(dsn, outbox, event_id)


def _pinned(request: Request, topic: str) -> list[Range]:
    return request.log.pin([(topic, number) for number in range(request.log.topics().get(topic, 0))])
