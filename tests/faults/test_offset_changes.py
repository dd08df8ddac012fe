"""Offsets that a worker has accepted, and shows a moment later or never."""

import time

import pytest

from outbox_kit.connect.client import Connect
from outbox_kit.delivery.debezium.offset_changes import store_offsets
from outbox_kit.errors import ConnectRefused
from tests.support.worker import Answer, Worker, running

PATH = "/connectors/orders/offsets"
ENTRY = {"partition": {"server": "shop"}, "offset": {"lsn": 2}}
FORMER = ENTRY | {"offset": {"lsn": 1}}


def _shown(*shown: dict[str, object]) -> dict[str, list[Answer]]:
    answers = [Answer(body={"offsets": [entry]}) for entry in shown]
    return {f"PATCH {PATH}": [Answer(body={"message": "accepted"})], f"GET {PATH}": answers}


def _stored(worker: Worker, seconds: float) -> None:
    store_offsets(Connect(worker.url), "orders", [ENTRY], time.monotonic() + seconds, "see the worker's log")


def test_an_offset_that_a_worker_shows_a_moment_later_is_awaited() -> None:
    with running(_shown(FORMER, FORMER, ENTRY)) as worker:
        _stored(worker, 60)
        assert worker.asked.count(f"GET {PATH}") == 3


def test_an_offset_that_a_worker_never_shows_was_not_changed() -> None:
    with running(_shown(FORMER)) as worker, pytest.raises(ConnectRefused) as refused:
        _stored(worker, 0)
    assert "was not changed, though the worker has accepted it" in refused.value.what
    assert refused.value.fix == "see the worker's log"
