"""Catch-up: waits until the last row has been published, by the delivery's position or by a canary row."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from outbox_kit.databases import canary, servers
from outbox_kit.delivery.interface import Delivery
from outbox_kit.kafka.read import Range, Reading
from outbox_kit.verify.request import Request
from outbox_kit.wire.routes import Routes

LagReason = Callable[[], str]
LOOK_SECONDS = 20.0


@contextmanager
def fence(request: Request) -> Iterator[LagReason | None]:
    """Take a point after all committed rows; in a window of continuous verification, use the window's point.

    Yields a function that returns the reason why events before the point may not be published yet, or an empty text if
    all of them are. Yields None if that cannot be determined. Raises EnvironmentProblem.
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
    """The point after all committed rows; None if the delivery does not report that it passes points."""
    return delivery.point() if delivery.reports_position else None


@contextmanager
def _canary(request: Request, dsn: str) -> Iterator[LagReason]:
    """Insert a canary after all other rows: rows are published in the order of their commits."""
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
        return "" if arrived else f"the canary has not arrived on {where}"

    with canary.inserted(probe, dsn, outbox, event_id):
        yield lag_reason


def _pinned(request: Request, topic: str) -> list[Range]:
    return request.log.pin([(topic, number) for number in range(request.log.topics().get(topic, 0))])
