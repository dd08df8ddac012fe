"""A client with short pauses between its attempts; the drivers' own threads keep theirs, and would spin otherwise."""

import time
from types import SimpleNamespace

import pytest

from outbox_kit.connect import client


def short_pauses(monkeypatch: pytest.MonkeyPatch, most_seconds: float = 0.0) -> None:
    """Let the client of Kafka Connect repeat a request soon."""
    own = SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: time.sleep(min(seconds, most_seconds)))
    monkeypatch.setattr(client, "time", own)
