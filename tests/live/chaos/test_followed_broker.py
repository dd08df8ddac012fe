"""Following topics whose broker dies and comes back."""

import uuid
from dataclasses import replace
from pathlib import Path

from outbox_kit.kafka.read import Cluster
from outbox_kit.stack import Stack
from outbox_kit.verify.follow import Follower
from outbox_kit.verify.state import follower as state
from outbox_kit.verify.window_report import RENDERED
from tests.live.scratch import Message, Scratch
from tests.support.request import request_of
from tests.support.waiting import until


def test_an_outage_of_the_brokers_is_reported_once(stack: Stack, scratch: Scratch, tmp_path: Path) -> None:
    reported: list[str] = []
    request = request_of(scratch.outbox, Cluster(stack.bootstrap), timeout=60, settle=0)
    with state.locked(tmp_path / "state"):
        follower = Follower(request, tmp_path / "state", 20, reported.append, RENDERED["json"], lambda _: None)
    event = Message()
    scratch.send(event)
    assert follower.window().result.verdict == "pass"
    stack.kill("kafka")
    try:
        windows = [follower.window(), follower.window()]
    finally:
        stack.start("kafka")
    assert [(window.judged, window.result.verdict) for window in windows] == [(False, "inconclusive")] * 2
    until(lambda: follower.window().judged)
    scratch.send(event, replace(event, sequence=2, event_id=str(uuid.uuid4())))
    window = follower.window()
    assert len([text for text in reported if text.startswith("error")]) == 1
    assert {f.id: f.count for f in window.fresh} == {"DUP-01": 1}
    assert (window.result.events, window.totals.events[scratch.topic]) == (2, 3)
    assert window.totals.problems >= 2
