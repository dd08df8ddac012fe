"""Which alerts fire on an outbox: by Prometheus with the generated rules, or by the thresholds that `lag` compares."""

import json
import re
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

from outbox_kit.connect.client import Connect
from outbox_kit.errors import EnvironmentProblem, OutOfTime
from outbox_kit.exporter.collection import Collection
from outbox_kit.exporter.report import passed
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.monitoring.promql import SAMPLES
from outbox_kit.monitoring.rules import alerting
from outbox_kit.operate.drill.shell import Background, Shell
from outbox_kit.render.runbook import anchors
from outbox_kit.schema.model import Outbox
from outbox_kit.stack.processes import free_ports
from outbox_kit.wire.routes import Routes

ANSWER_SECONDS = 5.0
START_SECONDS = 60.0
EXPORTER_SECONDS = 1
"""For an answer to `exporter`: less than the interval of the scrapes, in which it must have ended."""
POLL_SECONDS = 0.2
HOLD = lazy_pattern(r"^( +for: ).*$", re.MULTILINE)
WINDOW = lazy_pattern(r"\[\d+[sm]\]")
CONFIG = """global: {{scrape_interval: {seconds}s, evaluation_interval: {seconds}s}}
rule_files: [alerts.rules.yaml]
scrape_configs:
  - job_name: outbox
    static_configs: [{{targets: {targets}}}]
"""


class Watch(Protocol):
    """What judges the alerts of an outbox."""

    @property
    def outbox(self) -> Outbox:
        """The outbox whose alerts they are."""

    def firing(self) -> set[str]:
        """The names of the alerts that fire now. Raises EnvironmentProblem."""

    def close(self) -> None:
        """End what it has started."""


@dataclass(frozen=True)
class ThresholdWatch:
    """The thresholds that the figures pass now, as `lag` compares them, without the time for which they must hold."""

    outbox: Outbox
    collection: Collection

    @classmethod
    def begun(cls, outbox: Outbox, dsn: str, workers: Connect) -> "ThresholdWatch":
        """dsn: the address of the database. workers: Kafka Connect."""
        connect = workers if outbox.delivery.by == "connector" else None
        return cls(outbox, Collection(outbox, dsn, connect, ANSWER_SECONDS))

    def firing(self) -> set[str]:
        """See `Watch`."""
        return {each.alert.name for each in passed(self.outbox, self.collection.collect().samples)}

    def close(self) -> None:
        """See `Watch`."""
        self.collection.close()


@dataclass(frozen=True)
class ScrapedPorts:
    """The ports that Prometheus scrapes, of processes that may not run."""

    exporter: int
    relays: tuple[int, int]
    verifier: int

    @property
    def all(self) -> tuple[int, ...]:
        """All of them."""
        return self.exporter, *self.relays, self.verifier


@dataclass
class PrometheusWatch:
    """Prometheus, which scrapes `exporter` every few seconds and evaluates the generated rules."""

    outbox: Outbox
    port: int
    """Of Prometheus."""
    ports: ScrapedPorts
    exporter: Background
    prometheus: Background
    _scraped: bool = False
    """Whether it has scraped the exporter once."""

    @classmethod
    def begun(
        cls, program: Path, outbox: Outbox, shell: Shell, hold_seconds: int, more: Sequence[int] = ()
    ) -> "PrometheusWatch":
        """Start `exporter` and Prometheus, without waiting for them. program: of Prometheus. hold_seconds: for which a
        condition must hold before its alert fires, in place of the times of the rules. Their windows are as short as
        the interval of the scrapes allows. more: other ports that Prometheus scrapes.
        """
        port, exported, *relays, verifier = free_ports(5)
        ports = ScrapedPorts(exported, (relays[0], relays[1]), verifier)
        folder = shell.folder / f"prometheus-{port}"
        folder.mkdir()
        rules = alerting(outbox, anchors(Routes(outbox)), "RUNBOOK.md")
        interval = outbox.monitoring.scrape_seconds
        rules = WINDOW.sub(f"[{(SAMPLES + 1) * interval}s]", HOLD.sub(rf"\g<1>{hold_seconds}s", rules))
        (folder / "alerts.rules.yaml").write_text(rules, encoding="utf-8")
        targets = json.dumps([f"127.0.0.1:{scraped}" for scraped in (*ports.all, *more)])
        config = CONFIG.format(seconds=interval, targets=targets)
        (folder / "prometheus.yml").write_text(config, encoding="utf-8")
        options = f"--config.file={folder}/prometheus.yml --storage.tsdb.path={folder}/data --log.level=error"
        listen = f"--web.listen-address=127.0.0.1:{port}"
        exporter = _exporter(shell, ports.exporter)
        return cls(outbox, port, ports, exporter, shell.started(f"{program} {options} {listen}", folder / "log"))

    def start_exporter(self, shell: Shell) -> None:
        """Start the exporter after its end, without waiting for it."""
        self.exporter = _exporter(shell, self.ports.exporter)

    def firing(self) -> set[str]:
        """See `Watch`. Raises OutOfTime if nothing was scraped within a minute."""
        self._await_scrape()
        alerts = self._answer("alerts")["data"]["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def close(self) -> None:
        """See `Watch`."""
        self.prometheus.end()
        self.exporter.end()

    def _await_scrape(self) -> None:
        end = time.monotonic() + START_SECONDS
        while not (self._scraped or self._scrapes(self.ports.exporter)):
            if time.monotonic() > end:
                raise OutOfTime(f"Prometheus has scraped nothing within {START_SECONDS:.0f} s")
            time.sleep(POLL_SECONDS)
        self._scraped = True

    def knows(self, condition: str) -> bool:
        """Whether a condition in PromQL selects a series of the last scrape."""
        try:
            return bool(self._answer("query?" + urlencode({"query": condition}))["data"]["result"])
        except EnvironmentProblem:
            return False

    def _scrapes(self, port: int) -> bool:
        try:
            targets = self._answer("targets")["data"]["activeTargets"]
        except EnvironmentProblem:
            return False
        return any(target["health"] == "up" and target["scrapeUrl"].endswith(f":{port}/metrics") for target in targets)

    def _answer(self, question: str) -> Any:
        address = f"http://127.0.0.1:{self.port}/api/v1/{question}"
        try:
            with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as answer:
                return json.load(answer)
        except (OSError, ValueError) as cause:
            raise EnvironmentProblem("Prometheus does not answer", where=address, why=str(cause)) from None


def _exporter(shell: Shell, port: int) -> Background:
    command = f"outbox-kit exporter --listen 127.0.0.1:{port} --timeout {EXPORTER_SECONDS}"
    return shell.started(command, shell.folder / "exporter.log")
