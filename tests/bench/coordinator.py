"""`python -m tests.bench.coordinator`: two-phase messages a second against plain inserts into the same outbox.

Both have as many clients. A plain insert is a transaction with one outbox row. A message is `prepare`, a transaction
with the row of the barrier and an order, and `submit`: three commits and two requests.
"""

import argparse
import json
import statistics
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import psycopg

from outbox_kit.barrier import Barrier
from tests.support.cli import invoke
from tests.support.coordinators import EVENT, Coordinator, Shop, coordinator, shop_of
from tests.support.servers import PASSWORD, SERVERS

INSERT = b"""insert into outbox (id, aggregatetype, aggregateid, type, payload)
values (%s, 'Order', '7', 'OrderPlaced', '{"amount": 30}')"""
Publish = Callable[[psycopg.Connection[Any]], None]
"""Publishes one event."""


def insert(connection: psycopg.Connection[Any]) -> None:
    connection.execute(INSERT, (uuid.uuid4(),))


def message_by(running: Coordinator) -> Publish:
    """Publishes by a two-phase message; each thread keeps its connection to the coordinator."""
    own, barrier = threading.local(), Barrier()

    def request(message: str, operation: str, document: Any = None) -> None:
        if not hasattr(own, "line"):
            own.line = HTTPConnection("127.0.0.1", running.port, timeout=60)
        body = None if document is None else json.dumps(document)
        own.line.request("POST", f"/v1/messages/{message}/{operation}", body)
        response = own.line.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"{operation}: status {response.status}")

    def publish(connection: psycopg.Connection[Any]) -> None:
        message = str(uuid.uuid4())
        request(message, "prepare", {"check_back": "http://127.0.0.1:1/", "events": [EVENT]})
        with barrier.transaction(connection, message):
            connection.execute(b"insert into orders (id) values (%s)", (message,))
        request(message, "submit")

    return publish


def a_second(shop: Shop, clients: int, count: int, publish: Publish) -> float:
    """Events a second of some clients, each of which publishes so many."""
    begin = threading.Barrier(clients + 1)

    def work() -> None:
        with psycopg.connect(shop.server.environment(shop.name)["OUTBOX_KIT_DSN"], autocommit=True) as connection:
            publish(connection)  # opens the connections
            begin.wait()
            for _ in range(count):
                publish(connection)

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    begin.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    return clients * count / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--messages", type=int, default=200, help="of each client and round")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        SERVERS["postgres-18"]() as server,
        shop_of(server, Path(folder)) as shop,
        coordinator(shop) as running,
    ):
        boss = {**server.environment(shop.name), "OUTBOX_DB_PASSWORD": PASSWORD}
        invoke("gen-ddl", str(shop.file), "--barrier", "--apply", environment=boss)
        server.ask("create table orders (id text primary key)", database=shop.name)
        ratios, rates = [], []
        for number in range(arguments.rounds):
            plain = a_second(shop, arguments.clients, 10 * arguments.messages, insert)
            two_phase = a_second(shop, arguments.clients, arguments.messages, message_by(running))
            rates.append(two_phase)
            ratios.append(two_phase / plain)
            print(f"round {number + 1}: {plain:,.0f} inserts/s, {two_phase:,.0f} messages/s: {ratios[-1]:.3f}")
        print(
            f"two-phase messages / plain inserts: {statistics.median(ratios):.3f} ({statistics.median(rates):,.0f}/s)"
        )


if __name__ == "__main__":
    main()
