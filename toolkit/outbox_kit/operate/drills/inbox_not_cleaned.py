"""The cleanup of a consumer's inbox does not run: expired ids stay."""

from outbox_kit.kafka.group_consumer import GroupConsumer
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal

CONSUMER = "billing"
EXPIRED = """insert into inbox (consumer, message_id, received_at)
select %s, gen_random_uuid(), now() - interval '1 year' from generate_series(1, 1000)"""
DROP = "drop table if exists inbox"
BATCH, SECONDS = 1000, 1.0


def _fill(place: Ground) -> None:
    group = f"{place.service}-{CONSUMER}"
    place.change("inbox", {"consumers": [{"name": CONSUMER, "group": group}]})
    place.kit("gen-ddl --inbox --apply")
    _consume(place, group)
    with place.rows() as connection:
        connection.execute(EXPIRED, [CONSUMER])


def _consume(place: Ground, group: str) -> None:
    """Receive all messages as the consumer does, and commit its offsets."""
    offsets: dict[tuple[str, int], int] = {}
    consumer = GroupConsumer(
        {"bootstrap.servers": place.stack.bootstrap, "group.id": group},
        [place.topic],
        assigned=lambda _: {},
        revoked=lambda _: {},
        lost=lambda _: None,
    )
    expected = place.published()

    def received() -> bool:
        for record in consumer.records(BATCH, SECONDS):
            offsets[record.topic(), record.partition()] = record.offset() + 1
        return sum(offsets.values()) >= expected

    try:
        place.until(received, f"all messages of topic '{place.topic}'")
        consumer.commit(offsets, wait=True)
    finally:
        consumer.close()


def _drop(place: Ground) -> None:
    with place.rows() as connection:
        connection.execute(DROP)
    place.change("inbox", {})


DRILL = Drill(
    fault="the cleanup of the inbox does not run, and expired ids stay",
    chapter="inbox-growth",
    signal=FaultSignal(Detector.alert, "OutboxInboxGrowth"),
    inject=_fill,
    steps=(1, 2),
    restore=_drop,
)
