"""How it is known that the connector has passed the last row: by its position in the log, or by a row sent after it."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from outbox_kit import source
from outbox_kit.kafka.read import Range, Reading
from outbox_kit.preview.routes import Routes
from outbox_kit.source.ledger import Ledger
from outbox_kit.verify.result import Request

Behind = Callable[[], str]
LOOK_SECONDS = 20.0


@contextmanager
def fence(request: Request, ledger: Ledger) -> Iterator[Behind | None]:
    """Take a fence behind every row that is in the ledger by now.

    Gives a question: why it cannot be said yet that the connector has passed it, or an empty text where it has. Gives
    None where there is no way to know. Raises EnvironmentProblem.
    """
    if request.fence == "canary" and request.dsn:
        with _canary(request, request.dsn) as behind:
            yield behind
    elif (position := ledger.fence()) is not None:
        yield lambda: ledger.behind(position)
    else:
        yield None


@contextmanager
def _canary(request: Request, dsn: str) -> Iterator[Behind]:
    """A row of the kit's own, committed after the others: the connector emits in the order of commits."""
    log, outbox, event_id = request.log, request.outbox, uuid.uuid4()
    routes, probe = Routes(outbox), source.named(outbox.database.dialect).probe
    topic = routes.canary
    where = f"'{topic}'" + (f" ({routes.caveat})" if routes.caveat else "")
    before = {(r.topic, r.partition): r.end for r in _pinned(request, topic)}

    def behind() -> str:
        now = [r for r in _pinned(request, topic) if r.end > before.get((r.topic, r.partition), r.start)]
        batches = log.read(Reading(now), time.monotonic() + LOOK_SECONDS)
        there = any(("id", str(event_id).encode()) in (one.headers() or ()) for _, _, own in batches for one in own)
        return "" if there else f"the canary row has not come to {where} yet"

    probe.write_canary(dsn, outbox, event_id)
    try:
        yield behind
    finally:
        probe.remove_canary(dsn, outbox, event_id)


def _pinned(request: Request, topic: str) -> list[Range]:
    return request.log.pin([(topic, number) for number in range(request.log.topics().get(topic, 0))])
