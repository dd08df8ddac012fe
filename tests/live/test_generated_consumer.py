"""Each message has its effects once with generated consumers too, and one that fails becomes a dead letter."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest
from confluent_kafka import OFFSET_END, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from psycopg.conninfo import conninfo_to_dict

from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from tests.live import programs
from tests.live.conftest import Database, Kit
from tests.live.consumers import KEYS, PARTITIONS, Effects, create_table, lag, letters_of, produce, reset
from tests.support import toolchain
from tests.support.frozen import freeze
from tests.support.inbox_modes import with_mode
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

KILLED = (-signal.SIGKILL, 256 - signal.SIGKILL)
"""Exit codes of a killed program; the second one where Node.js is that of the wheel, which starts it by a program."""
MESSAGES = 240
DEAD = {13: "failed", 26: "rejected"}
STACKS = {
    "go": {
        "message-id": ("ids", "go-pgx"),
        "high-water": ("marks", "go-sql"),
        "offsets": ("positions", "go-pgx"),
    },
    "node": {"message-id": ("ids", "node-pg"), "high-water": ("marks", "node-prisma")},
    "java": {"message-id": ("ids", "java-spring"), "offsets": ("positions", "java-spring")},
}
"""The package and the target of each mode."""
SESSION = "-c lock_timeout=3s -c idle_in_transaction_session_timeout=3s -c statement_timeout=10s"
ADDRESSES = {
    "go": lambda dsn: f"{dsn} options='{SESSION}'",
    "node": lambda dsn: json.dumps({**address_of(dsn), "options": SESSION}),
    "java": lambda dsn: jdbc({**address_of(dsn), "options": SESSION}),
}


def jdbc(address: dict[str, Any]) -> str:
    """An address as Java's driver takes it."""
    given = urlencode({name: address[name] for name in ("user", "password", "options") if name in address})
    return f"jdbc:postgresql://{address['host']}:{address['port']}/{address['database']}?{given}"


def address_of(dsn: str) -> dict[str, Any]:
    """An address as the driver of Node.js takes it."""
    given = conninfo_to_dict(dsn)
    parts = {name: given[name] for name in ("host", "user", "password") if name in given}
    return {**parts, "port": int(str(given["port"])), "database": given["dbname"]}


@dataclass(frozen=True)
class Consumers:
    """Consumers of a mode as processes of one program."""

    command: list[str]
    folder: Path
    environment: dict[str, str]
    can_be_killed: bool = True
    """Whether the program knows SHOP_KILLED."""

    @contextmanager
    def working(self, **more: str) -> Iterator[subprocess.Popen[bytes]]:
        """A consumer; the test fails if it has ended by itself with an error."""
        environment = {**os.environ, **self.environment, **more}
        with subprocess.Popen(self.command, cwd=self.folder, env=environment) as process:
            try:
                yield process
            finally:
                process.kill()


def program(language: str, folder: Path) -> list[str]:
    """The command of the program, which is compiled."""
    outbox = read(Path("outbox.yaml")).outboxes[0]
    for mode, (package, target) in STACKS[language].items():
        place = toolchain.generated(with_mode(outbox, mode, dense=mode == "high-water"), target, folder / package)
        for file in place.glob("*.java"):
            file.write_text(file.read_text().replace("package outbox;", f"package {package};"))
    for file in (programs.HERE / "consumers").glob(f"*.{toolchain.SUFFIXES[language]}"):
        shutil.copy(file, folder)
    if language == "node":
        shutil.copy(programs.HERE / "node-prisma" / "schema.prisma", folder)
    return toolchain.program(language, folder, "postgres")


@pytest.mark.parametrize("language", ["go", "node"])
def test_each_effect_happens_once_and_what_fails_becomes_a_dead_letter(
    stack: Stack, database: Database, kit: Kit, admin: AdminClient, language: str, tmp_path: Path
) -> None:
    modes = STACKS[language]
    topics = {mode: f"{database.name}-{mode}" for mode in modes}
    create_topics(admin, *topics.values(), partitions=PARTITIONS)
    create_topics(admin, *(f"{topic}-dead" for topic in topics.values()), partitions=1)
    for mode in modes:
        create_table(kit, database, mode)
    folder = tmp_path / language
    folder.mkdir()
    command = program(language, folder)
    shared = {"SHOP_BROKERS": stack.bootstrap, "SHOP_ADDRESS": ADDRESSES[language](database.dsn)}
    with ThreadPoolExecutor(len(modes)) as scenarios:  # they wait for timeouts of the broker most of the time
        running = [
            scenarios.submit(
                disturbed,
                stack,
                database,
                topic,
                mode,
                Consumers(command, folder, {**shared, "SHOP_TOPIC": topic, "SHOP_MODE": mode}),
            )
            for mode, topic in topics.items()
        ]
        for scenario in running:
            scenario.result()


def test_a_listener_of_spring_retries_and_buries(
    stack: Stack, database: Database, kit: Kit, admin: AdminClient, tmp_path: Path
) -> None:
    """Spring has the loop: processes show what the generated error handler and rebalance listener add to it."""
    topics = {mode: f"{database.name}-{mode}" for mode in STACKS["java"]}
    create_topics(admin, *topics.values(), partitions=PARTITIONS)
    create_topics(admin, *(f"{topic}-dead" for topic in topics.values()), partitions=1)
    for mode in topics:
        create_table(kit, database, mode)
    folder = tmp_path / "java"
    folder.mkdir()
    command = program("java", folder)
    shared = {"SHOP_BROKERS": stack.bootstrap, "SHOP_ADDRESS": ADDRESSES["java"](database.dsn)}
    with ThreadPoolExecutor(len(topics)) as scenarios:
        running = [
            scenarios.submit(
                disturbed if mode == "offsets" else undisturbed,
                stack,
                database,
                topic,
                mode,
                Consumers(command, folder, {**shared, "SHOP_TOPIC": topic, "SHOP_MODE": mode}, can_be_killed=False),
            )
            for mode, topic in topics.items()
        ]
        for scenario in running:
            scenario.result()


def undisturbed(stack: Stack, database: Database, topic: str, mode: str, consumers: Consumers) -> None:
    produce(stack, topic, range(KEYS), copies=2)
    produce_invalid(stack, topic)
    with consumers.working() as process:
        until(lambda: lag(stack, topic) == 0, "the offsets are committed")
        process.terminate()
        assert process.wait(PATIENT_SECONDS) == 0
    with psycopg.connect(database.dsn, autocommit=True) as rows:
        Effects(rows, mode).expect_once(KEYS - len(DEAD))
    expect_letters(stack, topic, mode)


def disturbed(stack: Stack, database: Database, topic: str, mode: str, consumers: Consumers) -> None:
    copies = 1 if mode == "offsets" else 2
    with psycopg.connect(database.dsn, autocommit=True) as rows:
        effects = Effects(rows, mode)
        produce(stack, topic, range(MESSAGES // 2), copies=copies)
        if mode != "offsets":
            produce_invalid(stack, topic)
        if consumers.can_be_killed:
            with consumers.working(SHOP_KILLED="1") as killed:
                assert (
                    killed.wait(PATIENT_SECONDS) in KILLED
                )  # between the commit in the database and that of the offsets
            assert effects.count() > 0
        with consumers.working() as first:
            until(lambda: effects.count() > MESSAGES // 4, "the first consumer works")
            freeze(first.pid)  # an owner that does not know that it has lost its partitions
            produce(stack, topic, range(MESSAGES // 2, MESSAGES), copies=copies)
            with consumers.working() as second:
                until(lambda: effects.count() == MESSAGES - len(DEAD), "the second consumer has all partitions")
                first.send_signal(signal.SIGCONT)
                produce(stack, topic, range(MESSAGES, MESSAGES + KEYS), copies=copies)
                until(lambda: effects.count() == MESSAGES + KEYS - len(DEAD), "both have processed what is new")
                for consumer in (first, second):
                    consumer.terminate()
                    assert consumer.wait(PATIENT_SECONDS) == 0
        effects.expect_once(MESSAGES + KEYS - len(DEAD))
        reset(stack, topic)
        with consumers.working() as third:
            produce(stack, topic, range(MESSAGES + KEYS, MESSAGES + 2 * KEYS), copies=copies)
            until(
                lambda: effects.count() == MESSAGES + 2 * KEYS - len(DEAD), "new messages follow those that came again"
            )
            until(lambda: lag(stack, topic) == 0, "the offsets are committed")
            third.terminate()
            assert third.wait(PATIENT_SECONDS) == 0
        effects.expect_once(MESSAGES + 2 * KEYS - len(DEAD))
        expect_letters(stack, topic, mode)
    if mode == "offsets":
        expect_lost(stack, topic, consumers)


def expect_lost(stack: Stack, topic: str, consumers: Consumers) -> None:
    """A consumer ends if the topic has deleted the messages at which it has to continue."""
    produce(stack, topic, range(KEYS))
    admin = AdminClient({"bootstrap.servers": stack.bootstrap})
    for deletion in admin.delete_records([TopicPartition(topic, n, OFFSET_END) for n in range(PARTITIONS)]).values():
        deletion.result()
    with consumers.working() as consumer:
        assert consumer.wait(PATIENT_SECONDS) not in {0, None}


def produce_invalid(stack: Stack, topic: str) -> None:
    producer = Producer({"bootstrap.servers": stack.bootstrap})
    producer.produce(topic, b"-1", b"0")
    producer.flush(30)


def expect_letters(stack: Stack, topic: str, mode: str) -> None:
    letters = [(record, dict(record.headers())) for record in letters_of(stack, f"{topic}-dead")]
    reasons = {(int(record.value()), headers["dead-letter.reason"].decode()) for record, headers in letters}
    assert reasons == {*DEAD.items()} | ({(-1, "invalid")} if mode != "offsets" else set())
    (failed, *_) = [headers for _, headers in letters if headers["dead-letter.reason"] == b"failed"]
    assert (failed["dead-letter.attempts"], failed["dead-letter.consumer"]) == (b"3", b"billing")
    assert failed["dead-letter.topic"].decode() == topic and b"a defect" in failed["dead-letter.error"]
    assert {"id", "sequence", "dead-letter.partition", "dead-letter.offset"} <= failed.keys()
