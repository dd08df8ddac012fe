"""A service that places an order with a two-phase message, and waits at a point until it is killed.

Arguments: the coordinator's URL, the DSN, the id of the message, the URL of the check-back, the point.
"""

import sys
import time

import psycopg
import requests

from outbox_kit.barrier import Barrier

REACHED = "reached"


def place(coordinator: str, dsn: str, message: str, check_back: str, point: str) -> None:
    """Prepare, commit and submit; the order's id is the message's."""

    def wait_at(name: str) -> None:
        if name == point:
            print(REACHED, flush=True)
            time.sleep(600)

    def request(operation: str, document: object = None) -> None:
        requests.post(f"{coordinator}/v1/messages/{message}/{operation}", json=document, timeout=60).raise_for_status()

    event = {"aggregate": "Order", "aggregate_id": message, "type": "OrderPlaced", "payload": {"order": message}}
    wait_at("before prepare")
    request("prepare", {"check_back": check_back, "events": [event], "check_after_seconds": 3600})
    wait_at("prepared")
    with psycopg.connect(dsn) as connection, Barrier("postgres").transaction(connection, message):
        wait_at("barrier written")
        connection.execute("insert into orders (id) values (%s)", (message,))
        wait_at("order written")
    wait_at("committed")
    request("submit")
    wait_at("submitted")


if __name__ == "__main__":
    place(*sys.argv[1:])
