"""An event that is too large for its topic stops the task; it is skipped, corrected and published again."""

import uuid

from outbox_kit.operate.drill.ground import AGGREGATE, EVENT, Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

LARGE = 12_000_000
"""Characters of a payload, more than a producer and a topic accept."""
CHECKS = "select conname from pg_constraint where conrelid = 'outbox'::regclass and contype = 'c'"
INSERT = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
    values (%s, %s, 'poisoned', %s, to_json(repeat('x', %s)))"""
CORRECT = "update outbox set payload = '{}' where id = %s"


def _poison(place: Ground) -> None:
    event = uuid.uuid4()
    with place.rows() as connection:
        for (check,) in connection.execute(CHECKS).fetchall():
            connection.execute(f'alter table outbox drop constraint "{check}"'.encode())
        connection.execute(INSERT, (event, AGGREGATE, EVENT, LARGE))
    place.variables["EVENT_ID"] = str(event)
    place.write()


def _correct(place: Ground) -> None:
    with place.rows() as connection:
        connection.execute(CORRECT, (place.variables["EVENT_ID"],))
    place.kit("gen-ddl --apply")


DRILL = Drill(
    fault="the CHECKs of the table were dropped, and an event is larger than its topic accepts",
    chapter="poison-event",
    signal=FaultSignal(Detector.alert, "OutboxTaskNotRunning"),
    inject=_poison,
    steps=(1, 2, 3, Act("correct the row, and create the CHECKs again", _correct), 4),
)
