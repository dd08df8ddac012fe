"""A worker of Kafka Connect with the JMX exporter, in a group of its own beside the local stack's."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.monitoring import jmx
from outbox_kit.stack import Stack
from outbox_kit.stack.processes import Process, free_ports, start, wait_until
from outbox_kit.stack.services import SERVICES, StackPlace

INTERNAL = ("offset", "config", "status")
"""The worker's own topics."""
STATE_TOPIC = lazy_pattern(r"_(drill[0-9a-f]+)_config")
"""The topic of the connectors of a drill's worker."""
WORKER = SERVICES["connect"]


@dataclass
class MeasuredWorker:
    """A worker whose metrics can be scraped. It dies with the process that has started it."""

    url: str
    """Of its REST API."""
    metrics_port: int
    """Of its metrics, on loopback."""
    _place: StackPlace
    _command: list[str]
    _process: Process

    @classmethod
    def begun(cls, stack: Stack, group: str, agent: Path, folder: Path) -> "MeasuredWorker":
        """Start one, and wait until it answers.

        group: its group, and a part of the names of its topics. agent: the JAR of the JMX exporter's Java
        agent. folder: an empty one, for its files. Raises StackFailed.
        """
        port, metrics_port = free_ports(2)
        kafka_port = int(stack.bootstrap.rpartition(":")[2])
        place = StackPlace(folder, folder, 0, kafka_port, 0, port, "", stack.connector_password)
        WORKER.set_up(place)
        with (folder / "connect.properties").open("a", encoding="utf-8") as properties:
            properties.writelines(f"{name}={value}\n" for name, value in _own_settings(group).items())
        rules = folder / "jmx-exporter.yaml"
        rules.write_text(jmx.mapping(), encoding="utf-8")
        java, *options = WORKER.command(place)
        command = [java, f"-javaagent:{agent}=127.0.0.1:{metrics_port}:{rules}", *options]
        return cls(f"http://127.0.0.1:{port}", metrics_port, place, command, _started(command, place))

    def restart(self) -> None:
        """Kill it with SIGKILL, start it again, and wait until it answers. Raises StackFailed."""
        self._process.kill()
        self._process = _started(self._command, self._place)

    def end(self) -> None:
        """End it."""
        self._process.kill()


def topic_prefix(group: str) -> str:
    """The first part of the names of its topics, which are not those of an outbox."""
    return f"_{group}_"


def measured_groups(topics: Iterable[str]) -> set[str]:
    """The groups of such workers, by their topics."""
    return {match[1] for topic in topics if (match := STATE_TOPIC.fullmatch(topic))}


def _own_settings(group: str) -> Mapping[str, str]:
    """The settings that keep it apart from the stack's worker."""
    return {"group.id": group, **{f"{name}.storage.topic": f"{topic_prefix(group)}{name}" for name in INTERNAL}}


def _started(command: list[str], place: StackPlace) -> Process:
    log = place.log("connect")
    process = start(command, log, environment=WORKER.environment(place), owned=True)
    try:
        wait_until(lambda: WORKER.ready(place), process, log, "connect")
    except BaseException:
        process.kill()
        raise
    return process
