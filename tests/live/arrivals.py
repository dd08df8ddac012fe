"""What has arrived of a deployed outbox's events, what its connector has stored of that, and what `verify` says."""

import json
from collections.abc import Callable
from typing import Any

import requests

from outbox_kit.kafka.read import Cluster
from outbox_kit.stack import Stack
from tests.live.conftest import Kit
from tests.support.waiting import until

PARTITIONS = 6


def arrived(stack: Stack, service: str) -> int:
    """How many messages there are on the topic, copies too."""
    places = [(f"{service}.Order", partition) for partition in range(PARTITIONS)]
    log = Cluster(stack.bootstrap)
    return sum(r.end for r in log.pin(places)) if f"{service}.Order" in log.topics() else 0


def offsets(stack: Stack, service: str) -> Any:
    return requests.get(f"{stack.connect_url}/connectors/{service}-outbox/offsets", timeout=120).json()


def verified(kit: Kit, code: int = 0) -> tuple[dict[str, int], list[str], dict[str, int]]:
    """The findings' counts, what is said of the copies, and the report's counts."""
    report = json.loads(kit("verify", "--format", "json", code=code).stdout)
    said = [s["actual"] for one in report["findings"] if one["id"] == "DUP-02" for s in one["samples"]]
    return {one["id"]: one["count"] for one in report["findings"]}, said, report["counts"]


def settled(stack: Stack, service: str, rows: int, beat: Callable[[], object] = lambda: None) -> None:
    """So many messages are there, and the connector has stored that it sent them.

    beat: writes to the log of a database in which nothing happens: MySQL's connector sends heartbeats with an event.
    """
    until(lambda: arrived(stack, service) >= rows)
    before = offsets(stack, service)
    beat()
    until(lambda: offsets(stack, service) != before)  # its heartbeats move it on
