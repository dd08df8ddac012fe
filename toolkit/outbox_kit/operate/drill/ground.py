"""The outbox that a drill disturbs: a database, topics and a delivery of its own on a local stack, and nothing else."""

import json
import secrets
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString

from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import ConnectorStatus, connector_status
from outbox_kit.databases.postgres.session import KeptSession, Session, identifier, session
from outbox_kit.errors import EnvironmentProblem, OutOfTime
from outbox_kit.kafka import trial_topics
from outbox_kit.kafka.read import Cluster
from outbox_kit.monitoring.alert import series
from outbox_kit.operate.drill.measured_worker import MeasuredWorker, topic_prefix
from outbox_kit.operate.drill.shell import Background, Shell
from outbox_kit.operate.drill.watch import PrometheusWatch, ThresholdWatch, Watch
from outbox_kit.render import runbook
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.stack.services import SERVICES
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.routes import Routes

FILE = "outbox.yaml"
AGGREGATE, EVENT = "Order", "OrderPlaced"
PARTITIONS = 3
CONNECT = {"heartbeat_ms": 1000, "topics": {"partitions": PARTITIONS}, "config": {"poll.interval.ms": "100"}}
"""Short pauses, as the stack is on this machine."""
INSERT = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, %s, %s, %s, '{}')"
RELAY: Mapping[str, object] = {"by": "relay", "attempts": 2}
"""Few attempts, so that a refused event soon is a dead letter."""
MONITORING = {
    "scrape_seconds": 2,
    "lag_seconds": 6,
    "hold_seconds": 1,
    "pending": 15,
    "horizon_seconds": 6,
    "inbox_rows": 100,
    "verify_seconds": 6,
}
"""Thresholds that a fault passes within seconds."""
OF_SLOT = {"slot_bytes": 48_000_000}
"""A threshold of what reads a replication slot."""
OF_CONNECTOR = {"heartbeat_seconds": 6}
"""A threshold of a connector."""
VERIFY = "outbox-kit verify follow --from beginning --interval 4"
"""Windows of more than a scrape interval, so that Prometheus sees each verdict."""
KEYS = 5
WORKER = "connect"
SECONDS = 120.0
POLL_SECONDS = 0.2


@dataclass
class Ground:
    """An outbox on a local stack. `service` begins with `drill-`; every object of it has that name."""

    stack: Stack
    delivery: str
    """What publishes the events: connector or relay."""
    source: str
    """What a relay reads: log or table."""
    folder: Path
    """The folder of its schema file, in which commands are run."""
    service: str = field(default_factory=lambda: f"drill{secrets.token_hex(3)}")
    variables: dict[str, str] = field(default_factory=dict)
    """The variables that the operator has set for the commands of the chapter."""
    prometheus: Path | None = None
    """The program Prometheus; None if the thresholds are compared without it."""
    hold_seconds: int = 1
    """For which a condition must hold before its alert fires, with Prometheus."""
    jmx_agent: Path | None = None
    """The JAR of the JMX exporter's Java agent; a connector runs in a worker of its own then, whose metrics Prometheus
    scrapes. None if it runs in that of the stack."""
    relays: list[Background] = field(default_factory=list)
    """The relays that were started; the last one is the service."""
    beside: list[Background] = field(default_factory=list)
    """Other processes that a drill has started."""
    verifier: Background | None = None
    """The running `verify follow`, whose metrics Prometheus scrapes."""
    marked: bool = False
    """Whether verifications report an earlier fault."""
    _watch: Watch | None = None
    _worker: MeasuredWorker | None = None
    _forgotten: list[KeptSession] = field(default_factory=list)
    """Sessions whose transactions stay open."""

    def suits(self, delivery: str, source: str, *, needs_jmx: bool = False) -> bool:
        """Whether a drill of this delivery can use it. source: what a relay reads. needs_jmx: see `Drill`."""
        is_alike = (self.delivery, self.source) == (delivery, source)
        return not self.marked and is_alike and (self.measured or not needs_jmx)

    @property
    def outbox(self) -> Outbox:
        """The outbox of the schema file, as it is now."""
        return read(self.folder / FILE).outboxes[0]

    @property
    def dsn(self) -> str:
        """The address of its database, as the superuser."""
        return self.stack.environment(self.service)["OUTBOX_KIT_DSN"]

    @property
    def topic(self) -> str:
        """The topic of its events."""
        return f"{self.service}.{AGGREGATE}"

    @property
    def connect_url(self) -> str:
        """The address of Kafka Connect."""
        return self._worker.url if self._worker else self.stack.connect_url

    @property
    def workers(self) -> Connect:
        """Kafka Connect, of the stack or its own."""
        return Connect(self.connect_url)

    @property
    def cluster(self) -> Cluster:
        """Kafka of the stack."""
        return Cluster(self.stack.bootstrap)

    @property
    def connector(self) -> str:
        """The name of its connector."""
        return self.outbox.names.connector

    @property
    def shell(self) -> Shell:
        """The shell for commands."""
        variables = self.stack.environment(self.service) | {"OUTBOX_KIT_CONNECT": self.connect_url}
        return Shell(self.folder, variables, self.stack.database_programs)

    def watch(self) -> Watch:
        """What judges its alerts; begun anew after the outbox was changed. Raises EnvironmentProblem."""
        outbox = self.outbox
        if self._watch is None or self._watch.outbox != outbox:
            self._end_watch()
            self._watch = self._begun_watch(outbox)
        return self._watch

    def scraping(self) -> PrometheusWatch | None:
        """Prometheus; None if the thresholds are compared without it."""
        watch = self.watch()
        return watch if isinstance(watch, PrometheusWatch) else None

    def _begun_watch(self, outbox: Outbox) -> Watch:
        if self.prometheus is None:
            return ThresholdWatch.begun(outbox, self.dsn, self.workers)
        more = [self._worker.metrics_port] if self._worker else []
        return PrometheusWatch.begun(self.prometheus, outbox, self.shell, self.hold_seconds, more)

    def _end_watch(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def runbook(self) -> str:
        """The runbook that is generated for it now, as Markdown."""
        return runbook.runbook(Routes(self.outbox))

    def kit(self, line: str) -> str:
        """Run a command of outbox-kit, without its first word; its output. Raises EnvironmentProblem if it fails."""
        return self.command(f"outbox-kit {line}")

    def command(self, line: str) -> str:
        """Run a line in its shell; its output. Raises EnvironmentProblem if it fails."""
        typed = self.shell.typed(line)
        if typed.code:
            details = [f"  | {text}" for text in typed.output.splitlines()[-12:]]
            raise EnvironmentProblem(f"exit code {typed.code}", where=line, details=details)
        return typed.output

    @contextmanager
    def rows(self) -> Iterator[Session]:
        """A session with its database, in which each statement is committed."""
        with session(self.dsn, autocommit=True) as connection:
            yield connection

    @contextmanager
    def server(self) -> Iterator[Session]:
        """A session with the server's own database, in which each statement is committed."""
        with session(self.stack.postgres_dsn, autocommit=True) as connection:
            yield connection

    def write(self, count: int = 20, key: str = "") -> Sequence[uuid.UUID]:
        """Write events, each in a transaction; their ids. key: of all events; empty for five keys by turns."""
        ids = [uuid.uuid4() for _ in range(count)]
        with self.rows() as connection:
            for number, event in enumerate(ids):
                connection.execute(INSERT, (event, AGGREGATE, key or str(number % KEYS), EVENT))
        return ids

    def forget_transaction(self, statement: LiteralString = "select now()") -> None:
        """Open a transaction that nobody ends, as an application does, and execute a statement in it."""
        forgotten = KeptSession(self.dsn)
        self._forgotten.append(forgotten)
        with forgotten.use() as connection:
            connection.execute("begin isolation level repeatable read")
            connection.execute(statement)

    def end_transactions(self) -> None:
        """End the transactions that are open."""
        while self._forgotten:
            self._forgotten.pop().close()

    def published(self) -> int:
        """How many messages its topic has; 0 if it does not exist."""
        partitions = self.cluster.topics().get(self.topic, 0)
        ranges = self.cluster.pin([(self.topic, number) for number in range(partitions)])
        return sum(part.end - part.start for part in ranges)

    def status(self) -> ConnectorStatus:
        """The state of its connector."""
        return connector_status(self.workers.status(self.connector))

    def change(self, path: str, value: object) -> None:
        """Set a key of its schema file, as an operator edits it. path: such as `connect.connector`."""
        document = json.loads((self.folder / FILE).read_text(encoding="utf-8"))
        *parents, key = path.split(".")
        place: dict[str, Any] = document
        for parent in parents:
            place = place.setdefault(parent, {})
        place[key] = value
        self.save(document)

    def save(self, document: Mapping[str, object]) -> None:
        """Write its schema file: JSON, which is YAML."""
        (self.folder / FILE).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")

    def start_relay(self, log: Path | None = None) -> None:
        """Start its relay in the background. log: the file or the pipe of its output."""
        listen = ""
        if watch := self.scraping():  # the relay before this one may hang, and have its port
            listen = f" --listen 127.0.0.1:{watch.ports.relays[len(self.relays) % 2]}"
        self.relays.append(self.shell.started(f"outbox-kit relay{listen}", log or self.folder / "relay.log"))

    def stop_relay(self) -> None:
        """End all relays."""
        while self.relays:
            self.relays.pop().end()

    def end_beside(self) -> None:
        """Kill the other processes, which may be frozen."""
        while self.beside:
            self.beside.pop().kill()

    def start_verifier(self) -> None:
        """With Prometheus: verify continuously, and wait until it knows the first window."""
        if watch := self.scraping():
            window = f"{series('last_window_timestamp_seconds', self.service)} > {time.time()}"
            line = f"{VERIFY} --metrics 127.0.0.1:{watch.ports.verifier}"
            self.verifier = self.shell.started(line, self.folder / "verifier.log")
            self.until(lambda: watch.knows(window), "a scrape of the first window of verify follow")

    def stop_verifier(self) -> None:
        """End `verify follow`."""
        if self.verifier is not None:
            self.verifier.end()
            self.verifier = None

    def kill_exporter(self) -> None:
        """Kill what Prometheus scrapes; nothing without Prometheus."""
        if watch := self.scraping():
            watch.exporter.kill()

    def start_exporter(self) -> None:
        """Start it again."""
        if watch := self.scraping():
            watch.start_exporter(self.shell)

    def restart_worker(self) -> None:
        """Kill the worker of its connector, and start it again."""
        if self._worker:
            self._worker.restart()
        else:
            self.stack.kill(WORKER)
            self.stack.start(WORKER)

    def until(self, condition: Callable[[], object], subject: str, seconds: float = SECONDS) -> None:
        """Wait until a condition holds. subject: what is waited for. Raises OutOfTime."""
        deadline = time.monotonic() + seconds
        with waiting_for(subject):
            while not condition():
                if time.monotonic() > deadline:
                    raise OutOfTime(f"{subject}: not within {seconds:.0f} s", fix="see outbox-kit stack logs")
                time.sleep(POLL_SECONDS)

    def set_up(self) -> None:
        """Create the database, the tables and the delivery, and publish the first events."""
        if self.jmx_agent is not None and self.delivery == "connector":
            self._start_worker(self.jmx_agent)
        events = [{"type": EVENT, "aggregate": AGGREGATE}]
        document = {
            "service": self.service,
            "database": {
                "dialect": self.stack.dialect,
                "host": self.stack.postgres_host,
                "port": self.stack.postgres_port,
            },
            "routing": {"topic": "{service}.{aggregate}"},
            "connect": CONNECT,
            "monitoring": self._thresholds(),
            "delivery": {**RELAY, "source": self.source} if self.delivery == "relay" else {"by": self.delivery},
            "events": events,
        }
        self.save(document)
        with self.server() as connection:
            connection.execute(f"create database {identifier(self.service).as_string()}".encode())
        self.kit("gen-ddl --apply --password-env OUTBOX_DB_PASSWORD")
        if self.prometheus is not None:
            self.watch()  # begins while the delivery does
        self.write()
        if self.delivery == "connector":
            self.kit("deploy-connector --yes --stable-for 0")
        else:
            self.start_relay()
        self.until(lambda: self.published() >= KEYS, f"the first events in topic '{self.topic}'")

    @property
    def measured(self) -> bool:
        """Whether Prometheus scrapes the worker of its connector."""
        return self._worker is not None

    def _start_worker(self, agent: Path) -> None:
        folder = self.folder / "worker"
        folder.mkdir()
        self._worker = MeasuredWorker.begun(self.stack, self.service, agent, folder)

    def _thresholds(self) -> Mapping[str, object]:
        if self.delivery == "connector":
            return MONITORING | OF_SLOT | OF_CONNECTOR | {"jmx": self.measured}
        return MONITORING | (OF_SLOT if self.source == "log" else {})

    def tear_down(self) -> None:
        """Remove everything that it has made, and start the services that a drill has left down."""
        for service in SERVICES:
            if not self.stack.alive(service):
                self.stack.start(service)
        self.stop_verifier()
        self._end_watch()
        self.stop_relay()
        self.end_beside()
        self.end_transactions()
        for name in self.workers.connectors():
            if name.startswith(self.service):
                self.workers.delete(name)
        if self._worker:
            self._worker.end()
        self.until(lambda: not self._is_read(), f"the end of the readers of '{self.service}'")
        with self.server() as connection:
            connection.execute(DROP_SLOTS, [self.service])
            connection.execute(f"drop database if exists {identifier(self.service).as_string()} with (force)".encode())
            roles = connection.execute("select rolname from pg_roles where starts_with(rolname, %s)", [self.service])
            for (role,) in roles.fetchall():
                connection.execute(f"drop role {identifier(role).as_string()}".encode())
        for prefix in (f"{self.service}.", topic_prefix(self.service)):
            trial_topics.delete(self.cluster, prefix)

    def _is_read(self) -> bool:
        with self.server() as connection:
            return connection.execute(ACTIVE, [self.service]).fetchone() is not None


DROP_SLOTS = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where starts_with(slot_name, %s)"
ACTIVE = "select 1 from pg_replication_slots where starts_with(slot_name, %s) and active"
