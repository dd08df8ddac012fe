"""Published rows are older than they are kept, and are deleted."""

import json

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Drill

AGE = "update outbox set created_at = created_at - interval '40 days'"
"""As if so many days had passed. The publication passes no update on."""
OLD = "select count(*) from outbox where created_at < now() - interval '30 days'"
STANDBY = "select pg_log_standby_snapshot()"
"""The list of running transactions, which moves `catalog_xmin` of a slot; otherwise the server writes it every 15 s."""
DRY_RUN = "cleanup --dry-run --format json"


def _age(place: Ground) -> None:
    with place.rows() as connection:
        aged = connection.execute(AGE).rowcount
    place.write()
    place.until(lambda: _proven(place) == aged, "the proof that the old rows are published")


def _proven(place: Ground) -> int:
    """How many rows would be deleted now."""
    with place.server() as connection:
        connection.execute(STANDBY)
    return int(json.loads(place.kit(DRY_RUN))["old"]["removable"])


def _check(place: Ground) -> None:
    with place.rows() as connection:
        place.until(lambda: connection.execute(OLD).fetchone() == (0,), "the deletion of the old rows")


DRILL = Drill(
    fault="published rows are older than they are kept",
    chapter="retention",
    inject=_age,
    steps=(1, 2, Act("look for old rows", _check), 4),
)
