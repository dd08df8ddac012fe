"""A client that does not pause between its attempts; the drivers' own threads do, which would spin otherwise."""

import time
from types import SimpleNamespace

import pytest

from outbox_kit.connect import client


def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the client of Kafka Connect repeat a request at once."""
    monkeypatch.setattr(client, "time", SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: None))
