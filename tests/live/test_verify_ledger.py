"""The topics against a real outbox table: what is lost is found, and what only looks so is not called lost.

The connector is played by hand, so that each test decides what was published, and when.
"""

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import psycopg
import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from outbox_kit.databases.interface import Slot
from outbox_kit.databases.ledger import Snapshot
from outbox_kit.databases.postgres import ledger, probe
from outbox_kit.errors import DatabaseUnreachable, OutOfTime
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.verify.table import completeness
from outbox_kit.waiting import WAITS
from outbox_kit.wire.parts import MessagePart
from tests.live.conftest import Database
from tests.live.scratch import PARTITIONS, Message
from tests.live.shop import INSERT, Shop
from tests.support import losses
from tests.support.reports import FORMATS, headline, rendered
from tests.support.waiting import longest_pause

NOW = datetime.now(UTC)
SILENT_SECONDS = 5.0  # between two lines of a wait, on a machine that runs this process when it is due


def test_a_row_that_the_connector_has_passed_and_no_topic_has_is_lost(shop: Shop) -> None:
    shop.publish(shop.write())
    shop.write()
    with shop.confirming():
        assert shop.verify()[:2] == ("fail", {"LOS-01": 1})


def test_no_wait_for_the_connector_is_silent_for_long(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slot does not advance: the run waits until --catch-up-timeout, and then looks again."""
    lines: list[tuple[float, str]] = []
    monkeypatch.setattr(WAITS, "listener", lambda line: lines.append((time.monotonic(), line)))
    shop.publish(shop.write())
    shop.write()
    began = time.monotonic()
    with longest_pause() as pauses:
        verdict, found, _ = shop.verify(catch_up=14)
    moments = [began, *(at for at, _ in lines), time.monotonic()]
    assert (verdict, "RUN-10" in found) == ("inconclusive", True)
    assert max(later - earlier for earlier, later in pairwise(moments)) < SILENT_SECONDS + 2 * max(pauses)
    assert any(line.startswith("waiting for the connector to catch up: ") for _, line in lines)


def test_a_transaction_of_which_a_part_has_arrived_is_torn(shop: Shop) -> None:
    ids = [str(uuid.uuid4()) for _ in range(3)]
    with psycopg.connect(shop.dsn) as connection:
        rows = [connection.execute(INSERT, (event_id, "1", datetime.now(UTC))).fetchone() for event_id in ids]
    for event_id, row in list(zip(ids, rows, strict=True))[:2]:
        assert row is not None
        shop.publish(Message(sequence=row[0], event_id=event_id))
    with shop.confirming():
        verdict, found, report = shop.verify(max_latency=1)
    assert (verdict, found) == ("fail", {"LOS-01": 1, "LOS-06": 1, "LAT-01": 1})
    assert report.timing.drained is not None
    (torn,) = (finding for finding in report.findings if finding.id == "LOS-06")
    assert ids[2] in torn.samples[0].actual


def test_a_row_that_the_connector_has_not_passed_is_not_judged(shop: Shop) -> None:
    shop.publish(shop.write())
    shop.write()
    verdict, found, report = shop.verify(catch_up=1)
    assert (verdict, found) == ("inconclusive", {"RUN-10": 1})
    assert shop.slot in report.notes[0]


def test_a_row_written_while_the_topics_are_read_is_not_called_lost(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connector is past the snapshot; the row came after it and is still on its way."""
    shop.publish(shop.write())
    whole, asked, confirmed = ledger.TableLedger.snapshot, probe.slot, list[int]()

    def snapshot(table: ledger.TableLedger, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
        found = whole(table, parts, seconds)
        confirmed.append(probe.log_position(table.dsn, table.outbox))
        shop.publish(shop.write())
        shop.write()
        return found

    def slot(dsn: str, name: str) -> Slot | None:
        found = asked(dsn, name)
        return replace(found, confirmed=confirmed[0]) if found else None

    monkeypatch.setattr(ledger.TableLedger, "snapshot", snapshot)
    monkeypatch.setattr(probe, "slot", slot)
    monkeypatch.setattr(completeness.Completeness, "_unequal", lambda _: None)  # all rows are compared
    assert shop.verify(catch_up=1)[:2] == ("inconclusive", {"RUN-10": 1})


def test_rows_whose_messages_the_topic_s_retention_took_are_not_called_lost(
    shop: Shop,
    admin: AdminClient,
) -> None:
    for minutes in range(5):
        at = NOW - timedelta(days=3, minutes=-2 * minutes)
        shop.publish(shop.write(at=at), at)
    cut = [TopicPartition(shop.scratch.topic, partition_of(b"1", PARTITIONS), 3)]
    for done in admin.delete_records(cut).values():
        done.result()
    with shop.confirming():
        verdict, found, report = shop.verify()
    assert (verdict, found) == ("inconclusive", {"RUN-02": 1})
    assert report.compared and report.compared.unjudged == 3


def test_rows_from_before_the_first_start_are_not_called_lost_where_they_were_never_meant(shop: Shop) -> None:
    changed = shop.scratch.outbox.connect.model_copy(update={"snapshot": "no_data"})
    shop.scratch.outbox = shop.scratch.outbox.model_copy(update={"connect": changed})
    shop.write(at=NOW - timedelta(days=1))
    shop.publish(shop.write())
    with shop.confirming():
        verdict, found, report = shop.verify()
    assert (verdict, found, "loss of 1 row not checked" in headline(report)) == ("pass", {}, True)


def test_the_events_of_rows_that_the_cleanup_took_are_no_phantoms(shop: Shop) -> None:
    """A quiet service: nothing happened between what the cleanup took and the day before yesterday."""
    old = [shop.write(at=NOW - timedelta(days=10)) for _ in range(3)]
    for message in old:
        shop.publish(message, NOW - timedelta(days=10))
    shop.delete(*old)
    shop.publish(shop.write(at=NOW - timedelta(days=2)), NOW - timedelta(days=2))
    verdict, found, report = shop.verify()
    assert (verdict, found) == ("pass", {"LOS-07": 3})
    assert report.compared is not None
    assert (report.compared.messages, report.compared.rowless) == (1, 3)


def test_a_row_deleted_by_hand_leaves_a_phantom(shop: Shop) -> None:
    messages = [shop.write() for _ in range(3)]
    for message in messages:
        shop.publish(message)
    shop.delete(messages[1])
    assert shop.verify()[:2] == ("fail", {"LOS-03": 1})


def test_another_column_s_key_is_found_even_though_every_event_is_there(shop: Shop) -> None:
    for number in range(5):
        message = shop.write(str(number))
        shop.publish(replace(message, key=b"another " + str(number).encode()))
    assert shop.verify()[:2] == ("fail", {"KEY-02": 5})


def test_another_column_s_number_is_found_too(shop: Shop) -> None:
    message = shop.write()
    shop.publish(replace(message, sequence=message.sequence + 100))
    assert shop.verify()[:2] == ("fail", {"HDR-06": 1})


def test_one_event_in_two_places_is_named(shop: Shop) -> None:
    message = shop.write()
    shop.publish(message)
    shop.scratch.send(replace(message, partition=(partition_of(b"1", PARTITIONS) + 1) % PARTITIONS))
    assert shop.verify()[:2] == ("fail", {"DUP-05": 1, "KEY-04": 1, "KEY-05": 1, "ORD-03": 1})


def test_an_id_that_is_none_stops_nothing(shop: Shop) -> None:
    message = shop.write()
    shop.publish(message)
    broken = (("id", b"\xff" * 24 + b"abcdefabcdef"), *message.wire()[1:3], ("sequence", b"9"))
    shop.publish(replace(message, headers=broken))
    verdict, found, _ = shop.verify()
    assert (verdict, found.keys() - {"LOS-03"}) == ("fail", {"HDR-03"})


def test_a_locked_table_ends_in_time(shop: Shop) -> None:
    with psycopg.connect(shop.dsn) as connection:
        connection.execute("lock table outbox in access exclusive mode")
        with pytest.raises(OutOfTime) as raised:
            shop.verify(timeout=2)
    assert "--no-table" in raised.value.fix


def test_a_database_that_goes_away_half_way_leaves_a_report_of_what_was_read(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.publish(replace(shop.write(), value=b"{"))
    shop.write()

    def gone(*_: object) -> None:
        raise DatabaseUnreachable("the database connection was lost")

    monkeypatch.setattr(ledger.TableLedger, "read", gone)
    verdict, found, report = shop.verify()
    assert (verdict, found) == ("fail", {"PAY-01": 1, "RUN-01": 1})
    assert (report.events, report.notes) == (1, ["the database connection was lost"])


def test_a_database_that_is_not_there_stops_it_before_it_reads(shop: Shop) -> None:
    with pytest.raises(DatabaseUnreachable):
        shop.verify(dsn="host=127.0.0.1 port=1 dbname=x")


MADE_UP = ("infinity", "-infinity", "20000-01-01", "294270-01-01", "0044-03-15 BC")


@pytest.mark.parametrize("created_at", MADE_UP)
def test_a_moment_that_no_calendar_here_has_stops_nothing(shop: Shop, created_at: str) -> None:
    shop.publish(shop.write())
    lost = shop.write()
    with psycopg.connect(shop.dsn, autocommit=True) as connection:
        connection.execute("update outbox set created_at = %s where id = %s", (created_at, lost.event_id))
    with shop.confirming():
        verdict, found, report = shop.verify()
    assert (verdict, found) == ("fail", {"LOS-01": 1})
    assert all(rendered(name, report) for name in FORMATS)


@pytest.mark.parametrize("payload", ['"[1, 2]"', '{"schema": {}, "payload": 1}', '"eyJuIjogMX0="'])
def test_a_payload_that_its_row_has_so_was_encoded_by_nobody(shop: Shop, payload: str) -> None:
    written = [shop.write() for _ in range(2)]
    with psycopg.connect(shop.dsn, autocommit=True) as connection:
        connection.execute("update outbox set payload = %s", (payload,))
    for message in written:
        shop.publish(replace(message, value=payload.encode()))
    assert shop.verify()[:2] == ("pass", {})
    shop.publish(replace(shop.write(), value=b'"{\\"n\\": 1}"'))
    assert shop.verify()[:2] == ("fail", {"PAY-03": 1, "PAY-12": 1})


@pytest.mark.parametrize(
    ("column", "before", "after", "check"),
    [("payload", '{"n": 1}', '{"n": 2}', "PAY-12"), ("aggregateid", "1", "2", "KEY-02")],
)
def test_a_row_that_was_updated_after_its_event_was_published_is_reported(
    shop: Shop, column: str, before: str, after: str, check: str
) -> None:
    messages = [shop.write() for _ in range(3)]
    for message in messages:
        shop.publish(message)
    updated = messages[1].event_id

    def update(value: str) -> None:
        with psycopg.connect(shop.dsn, autocommit=True) as connection:
            connection.execute(f"update outbox set {column} = %s where id = %s".encode(), (value, updated))

    with shop.confirming():
        assert shop.verify()[:2] == ("pass", {})
        update(after)
        verdict, found, report = shop.verify()
        assert (verdict, found) == ("fail", {check: 1})
        (finding,) = report.findings
        assert updated in finding.samples[0].expected and "an update is not published" in finding.rule.why
        update(before)
        assert shop.verify()[:2] == ("pass", {})  # an update that was taken back leaves no trace


@pytest.mark.parametrize(
    ("column", "value", "after", "check"),
    [("aggregateid", '{"n": 1}', "2", "KEY-02"), ("payload", '"[1, 2]"', '{"n": 2}', "PAY-12")],
)
def test_values_that_look_encoded_are_their_rows_although_one_row_was_updated(
    shop: Shop, column: str, value: str, after: str, check: str
) -> None:
    messages = [shop.write(value if column == "aggregateid" else "1") for _ in range(4)]
    with psycopg.connect(shop.dsn, autocommit=True) as connection:
        connection.execute(f"update outbox set {column} = %s".encode(), (value,))
        for message in messages:
            shop.publish(message if column == "aggregateid" else replace(message, value=value.encode()))
        connection.execute(f"update outbox set {column} = %s where id = %s".encode(), (after, messages[0].event_id))
    with shop.confirming():
        assert shop.verify()[:2] == ("fail", {check: 1})


@pytest.mark.parametrize("key", ["a\x1fb", "\x1e", "\x1f"])
def test_a_key_with_separators_is_compared_exactly(shop: Shop, key: str) -> None:
    shop.publish(shop.write(key))
    verdict, _, report = shop.verify()
    assert verdict == "pass" and report.compared is not None and report.compared.messages == 1
    shop.publish(replace(shop.write(key), key=f"{key}c".encode()))
    assert shop.verify()[:2] == ("fail", {"KEY-02": 1})


def test_rows_that_were_put_back_together_are_no_transaction(shop: Shop) -> None:
    first, *others = [shop.write(at=NOW - timedelta(minutes=minutes)) for minutes in (9, 5, 2)]
    for message in others:
        shop.publish(message)
    with psycopg.connect(shop.dsn) as connection:
        connection.execute("update outbox set type = type")
    with shop.confirming():
        verdict, found, report = shop.verify()
    assert (verdict, found) == ("fail", {"LOS-01": 1})
    assert first.event_id in str(report.findings)


def test_rows_that_their_owner_updates_are_not_written_again(database: Database) -> None:
    outbox = losses.outbox_of("postgres", database.name, "random")
    table = ledger.TableLedger(database.dsn, outbox)
    columns = "aggregatetype text, aggregateid text, type text, payload json, sequence bigint, written timestamptz"
    insert = """insert into outbox values (%s, 'Order', '1', 'OrderPlaced', '{}', 1, now())"""
    old, late, new = (str(uuid.uuid4()) for _ in range(3))
    with psycopg.connect(database.dsn, autocommit=True) as connection, psycopg.connect(database.dsn) as open_one:
        connection.execute(f"create table outbox (id uuid primary key, {columns})".encode())
        connection.execute(insert, (old,))
        open_one.execute(insert, (late,))
        after = table.mark(60)
        connection.execute("update outbox set sequence = 2")
        connection.execute(insert, (new,))
        open_one.commit()
        until = table.mark(60)
    rows = replace(table, between=(after, until)).read((), None, 60)
    assert {row.event_id for batch in rows for row in batch} == {late, new}


MANY = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
    select gen_random_uuid(), 'Order', (n %% 50000)::text, 'OrderPlaced', '{"n": 1}' from generate_series(1, %s) n
    returning id::text, aggregateid::text, sequence"""
LOST = (17, 123_456, 999_999)


@pytest.mark.timeout(1500)
def test_three_lost_among_a_million_are_found_by_their_ids(shop: Shop) -> None:
    with psycopg.connect(shop.dsn) as connection:
        rows = connection.execute(MANY, (1_000_000,)).fetchall()
    producer = Producer(
        {"bootstrap.servers": shop.scratch.stack.bootstrap, "linger.ms": 20, "queue.buffering.max.kbytes": 1 << 20}
    )
    partitions = {key: partition_of(key.encode(), PARTITIONS) for _, key, _ in rows[:50_000]}
    for number, (event_id, key, sequence) in enumerate(rows):
        if number in LOST:
            continue
        message = Message(key=key.encode(), sequence=sequence, event_id=event_id)
        while True:
            try:
                where = partitions[key]
                producer.produce(shop.scratch.topic, message.value, message.key, where, headers=message.wire())
                break
            except BufferError:
                producer.poll(0.1)
    assert producer.flush(120) == 0
    with shop.confirming():
        verdict, found, report = shop.verify(timeout=900, catch_up=300)
    assert (verdict, found, report.rows) == ("fail", {"LOS-01": 3, "LOS-06": 1}, 1_000_000)
    told = str([sample.expected for finding in report.findings for sample in finding.samples])
    assert all(rows[number][0] in told for number in LOST)


@pytest.mark.parametrize("kind", losses.KINDS)
def test_ids_of_every_kind_are_told_apart(database: Database, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outbox = losses.outbox_of("postgres", database.name, kind)
    column = {"uuid": "uuid", "bigint": "bigint", "text": "text"}[outbox.table.ids]
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(
            f"create table outbox (id {column if kind != 'upper case' else 'text'} primary key, aggregatetype text, "
            "aggregateid text, type text, payload json, sequence bigint, written timestamptz)"
        )

        def insert(rows: Sequence[tuple[object, ...]]) -> None:
            statement = (
                "insert into outbox values (%s, 'Order', %s, 'OrderPlaced', %s, %s, now() - %s * interval '1 second')"
            )
            connection.cursor().executemany(statement, rows)

        losses.check(outbox, database.dsn, kind, insert)
