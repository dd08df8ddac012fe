"""The outbox is removed with everything that belongs to it."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Drill

LEFT = """select 'table ' || relname from pg_class where relname in ('outbox', 'outbox_heartbeat')
    union all select 'publication ' || pubname from pg_publication
    union all select 'slot ' || slot_name from pg_replication_slots where database = current_database()
    union all select 'role ' || rolname from pg_roles where rolname = %s"""


def _write(place: Ground) -> None:
    place.write()


def check_removed(place: Ground) -> None:
    """Raise OutOfTime if the database or Kafka Connect still has a part of the outbox."""
    role = place.outbox.names.role
    with place.rows() as connection:
        place.until(lambda: not connection.execute(LEFT, [role]).fetchall(), "the removal of all parts", seconds=5)
    place.until(lambda: place.connector not in place.workers.connectors(), "the removal of the connector", seconds=5)


DRILL = Drill(
    fault="the outbox is not needed any more",
    chapter="removal",
    inject=_write,
    steps=(1, 2, 3, Act("look for what is left", check_removed)),
    removes=True,
    leaves_marks=True,
)
