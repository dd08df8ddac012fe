"""The connector behind the topics: changed by somebody, risky, paused, gone, or with nobody to ask."""

import json
from collections.abc import Callable
from typing import Any

from outbox_kit.connect.client import Connect
from outbox_kit.stack import Stack
from tests.live.conftest import Kit
from tests.support.waiting import until

FOUND = ("CFG-01", "CFG-02", "CFG-03")


def findings(kit: Kit, *arguments: str) -> dict[str, list[str]]:
    """What was found about the connector, with what was there."""
    report = json.loads(kit("verify", "--format", "json", *arguments, code=None).stdout)
    return {one["id"]: [s["actual"] for s in one["samples"]] for one in report["findings"] if one["id"] in FOUND}


def changed(stack: Stack, name: str, change: Callable[[dict[str, str]], Any]) -> None:
    connect = Connect.from_environment(stack.connect_url)
    config = connect.config(name)
    assert config
    change(config)
    connect.put_config(name, config)


def test_what_is_deployed_is_held_against_the_schema_file(stack: Stack, kit: Kit, outbox: str) -> None:
    name = f"{outbox}-outbox"

    def finds(expected: dict[str, list[str]]) -> None:
        """A connector whose config has changed starts again; until it runs, that is a finding too."""
        until(lambda: findings(kit) == expected, f"the findings {expected}")

    finds({})
    changed(stack, name, lambda config: config.update({"poll.interval.ms": "77"}))
    finds({"CFG-01": ["77"]})
    changed(stack, name, lambda config: config.update({"errors.tolerance": "all"}))
    lossy = "all: an event that cannot be sent is lost"
    finds({"CFG-01": ["all", "77"], "CFG-02": [lossy]})
    Connect.from_environment(stack.connect_url).stop(name)
    stopped = "connector STOPPED, no task; resume it: outbox-kit resume"
    finds({"CFG-01": ["all", "77"], "CFG-02": [lossy], "CFG-03": [stopped]})


def test_a_connector_that_is_gone_and_a_worker_that_does_not_answer(stack: Stack, kit: Kit, outbox: str) -> None:
    report = json.loads(kit("verify", "--format", "json", "--connect", "http://127.0.0.1:9", code=None).stdout)
    assert set(FOUND) <= set(report["not_checked"])
    assert ("CFG-06", "inconclusive") in {(one["id"], one["severity"]) for one in report["findings"]}
    assert any("Kafka Connect" in note for note in report["notes"])
    kit("remove")
    assert findings(kit) == {"CFG-03": ["none: deploy it with outbox-kit deploy-connector"]}
