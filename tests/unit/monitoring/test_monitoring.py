"""The thresholds of a schema file, and the files that are made of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from outbox_kit.monitoring import jmx
from outbox_kit.monitoring.alerts import alerts
from outbox_kit.monitoring.dashboard import dashboard
from outbox_kit.monitoring.files import files
from outbox_kit.monitoring.metrics import METRICS
from outbox_kit.render.runbook import anchors, runbook
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import complaints
from outbox_kit.schema.thresholds import attempts, heartbeat_seconds, lag_seconds
from outbox_kit.wire.routes import Routes
from tests.support import example_files, pages
from tests.support.monitored import queried

EXAMPLES = Path(__file__).parents[2] / "examples"
EVERY = example_files.all_outboxes()
OF_OTHERS = {
    *(f"outbox_kit_relay_{name}" for name in ("connected", "last_round_seconds", "oldest_seconds")),
    *(f"outbox_kit_relay_{name}_total" for name in ("published", "refused")),
    *("outbox_kit_verdict", "outbox_kit_last_window_timestamp_seconds"),
}
"""Metrics of the relay and of verify follow."""


def document(**sections: Any) -> dict[str, Any]:
    events = [{"type": "OrderPlaced", "aggregate": "Order"}]
    return {"service": "shop", "database": {"dialect": "postgres"}, "events": events, **sections}


RELAY = {"delivery": {"by": "relay", "attempts": 3}}
POLLED = {"delivery": {"by": "relay", "source": "table"}}
MYSQL = {"database": {"dialect": "mysql"}}
NEVER = [
    ({"lag_seconds": 15}, {}, "more than the scrape interval of 15 s"),
    ({"lag_seconds": 20, "scrape_seconds": 5}, {"connect": {"heartbeat_ms": 20_000}}, "heartbeat interval of 20 s"),
    ({"lag_seconds": 7 * 86_400}, {}, "rows are deleted after 7 days, and the alert never fires"),
    ({"hold_seconds": 3600}, {"table": {"keep_hours": 1}}, "expected less than 3600"),
    ({"pending": 100_001}, {}, "at most 100000"),
    ({"slot_share": 1.0}, {}, "less than 1"),
    ({"slot_share": 0.4}, MYSQL, "needs a replication slot"),
    ({"slot_bytes": 5}, POLLED, "needs a replication slot"),
    ({"full_hours": 5}, MYSQL, "needs a replication slot"),
    ({"attempts": 3}, {}, "needs delivery.by: relay"),
    ({"attempts": 4}, RELAY, "at most delivery.attempts, 3"),
    ({"heartbeat_seconds": 60}, RELAY, "needs a connector that writes heartbeats"),
    ({"heartbeat_seconds": 10, "scrape_seconds": 5}, {}, "heartbeat interval of 10 s"),
    ({"jmx": True}, RELAY, "needs delivery.by: connector"),
    ({"verify_seconds": 15}, {}, "more than the scrape interval"),
    ({"lag_second": 15}, {}, "lag_second"),
    ({"slot_share": 1.5}, {}, "expected less than 1"),
    ({"slot_share": 0}, {}, "expected more than 0"),
    ({"slot_share": "half"}, {}, "expected a number"),
]


@pytest.mark.parametrize(("monitoring", "more", "text"), NEVER, ids=lambda value: str(value))
def test_a_threshold_that_can_never_fire_is_a_mistake(
    monitoring: dict[str, Any], more: dict[str, Any], text: str
) -> None:
    (mistake,) = complaints(document(**more, monitoring=monitoring))
    assert text in mistake


@pytest.mark.parametrize(
    "more",
    [
        {},
        RELAY,
        POLLED,
        MYSQL,
        {"connect": {"heartbeat_ms": 600_000}},
        {"table": {"keep_hours": 1}},
        {"monitoring": {"scrape_seconds": 300}},
    ],
    ids=str,
)
def test_defaults_are_never_mistakes(more: dict[str, Any]) -> None:
    assert complaints(document(**more)) == []


def test_defaults_follow_from_the_intervals() -> None:
    outbox = Outbox.model_validate(document())
    assert (lag_seconds(outbox), attempts(outbox), heartbeat_seconds(outbox)) == (30, 5, 60)
    slow = Outbox.model_validate(document(connect={"heartbeat_ms": 60_000}, monitoring={"scrape_seconds": 30}))
    assert (lag_seconds(slow), heartbeat_seconds(slow)) == (120, 180)
    assert heartbeat_seconds(Outbox.model_validate(document(**MYSQL))) == 90  # an idle server delays it


@pytest.mark.parametrize("outbox", EVERY, ids=lambda outbox: outbox.service)
class TestEveryOutbox:
    def test_the_alert_that_is_true_in_every_fault_is_the_first(self, outbox: Outbox) -> None:
        expected = "OutboxOldestStays" if outbox.delivery.polls else "OutboxNoProgress"
        assert alerts(outbox)[0].name == expected

    def test_each_alert_has_a_chapter_of_the_runbook(self, outbox: Outbox, tmp_path: Path) -> None:
        routes = Routes(outbox)
        links, page = anchors(routes), tmp_path / "RUNBOOK.md"
        page.write_text(runbook(routes))
        for alert in alerts(outbox):
            assert links[alert.chapter] in pages.anchors(page), alert.name

    def test_each_metric_is_one_that_exists(self, outbox: Outbox) -> None:
        own = {name for name in queried(outbox) if name.startswith("outbox_kit_")}
        assert own <= METRICS.keys() | OF_OTHERS

    def test_the_files_are_well_formed(self, outbox: Outbox) -> None:
        texts = files(outbox, anchors(Routes(outbox)), "https://wiki/runbook")
        for name, text in texts.values():
            loaded = json.loads(text) if name.endswith("json") else YAML(typ="safe").load(text)
            assert loaded
        assert "https://wiki/runbook#" in texts["alerts"][1]
        assert ("jmx" in texts) == (outbox.delivery.by == "connector")

    def test_panels_have_ids_and_places_and_name_their_data_source(self, outbox: Outbox) -> None:
        panels = json.loads(dashboard(outbox))["panels"]
        assert [panel["id"] for panel in panels] == [*range(1, len(panels) + 1)]
        places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
        assert len(places) == len(panels) and all(x + panels[0]["gridPos"]["w"] <= 24 for x, _ in places)
        for panel in panels:
            references = [target["refId"] for target in panel["targets"]]
            assert panel["fieldConfig"]["defaults"]["unit"] and len({*references}) == len(references) > 0
            assert {target["datasource"]["uid"] for target in panel["targets"]} == {"${datasource}"}


def test_names_of_services_are_quoted() -> None:
    outbox = Outbox.model_validate(document(connect={"topic_prefix": "a.b"}, monitoring={"jmx": True}))
    assert any('server="a.b"' in alert.expression for alert in alerts(outbox))


def test_windows_have_samples_at_long_scrape_intervals() -> None:
    outbox = Outbox.model_validate(document(monitoring={"scrape_seconds": 300}))
    assert "[20m]" in alerts(outbox)[0].expression


def test_the_jmx_mapping_matches_what_was_measured() -> None:
    rules = YAML(typ="safe").load(jmx.mapping())["rules"]
    assert len(rules) == len(jmx.RULES) and all(rule["pattern"] for rule in rules)
