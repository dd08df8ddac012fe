"""The options of `verify`, `verify merge` and `verify follow`, made into a request."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from outbox_kit.cli.destination import checked_folder
from outbox_kit.cli.options import cluster, given_dsn, pair, piped, size
from outbox_kit.cli.reporting import Judgement, json_of
from outbox_kit.cli.verify_options import CatchUpMethod, EngineChoice
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.connect.client import Connect
    from outbox_kit.databases.ledger import Ledger
    from outbox_kit.schema.model import Outbox
    from outbox_kit.verify.reading.queue import QueueLog
    from outbox_kit.verify.reading.window import Bound
    from outbox_kit.verify.request import Log, Request, Resources


@dataclass(frozen=True)
class TopicOptions:
    """Where the messages are."""

    bootstrap: str
    kafka_config: Path | None
    registry: str | None
    start: str = "beginning"
    end: str = "now"
    messages: Path | None = None
    """Captured messages, in place of topics."""
    queue: str | None = None
    """A queue of RabbitMQ, in place of topics."""

    @property
    def captured(self) -> bool:
        """Whether no topics are read."""
        return bool(self.messages or self.queue)

    def refuse(self, outbox: "Outbox") -> None:
        """Raise UsageProblem where the messages cannot be read so."""
        sink = outbox.delivery.sink if outbox.delivery.by == "relay" else ""
        if self.queue and (self.messages or self.registry or (self.start, self.end) != ("beginning", "now")):
            fix = "leave out --messages, --registry, --from and --to"
            raise UsageProblem("--queue reads a whole queue, and nothing else", fix=fix)
        if self.queue and sink not in ("", "rabbitmq"):
            raise UsageProblem(f"--queue reads a queue of RabbitMQ, and delivery.sink is '{sink}'")
        if not self.queue and sink not in ("", "kafka"):
            of_queue = "name a queue of its exchange: --queue NAME" if sink == "rabbitmq" else "outbox-kit status"
            raise UsageProblem(f"verify reads topics of Kafka, and delivery.sink is '{sink}'", fix=of_queue)

    def log(self, ctx: typer.Context, outbox: "Outbox") -> "Log":
        """The messages; what is opened for them is closed with the command."""
        from outbox_kit.verify.reading.captured import messages

        if self.queue:
            queue_log = queue(outbox, self.queue)
            ctx.call_on_close(queue_log.close)
            return queue_log
        if self.messages:
            return messages(piped(self.messages, "a JSON file with messages"), outbox)
        return cluster(self.bootstrap, self.kafka_config)

    def worker(self, connect: str | None) -> "Connect | None":
        """Kafka Connect, where it is to be asked."""
        from outbox_kit.connect.client import Connect

        return Connect.from_environment(connect) if connect and not self.captured else None


@dataclass(frozen=True)
class RowOptions:
    """What the messages are compared with."""

    dsn: str | None
    no_table: bool = False
    published_log: Path | None = None
    """What the application says it published, in place of the table."""
    method: CatchUpMethod | None = None
    catch_up: float = 90.0
    """Seconds; a worker stores offsets every minute unless configured otherwise."""

    def database(self, ctx: typer.Context, topics: TopicOptions) -> str | None:
        """The DSN of the outbox table; None to leave it out."""
        unasked = self.no_table or topics.messages or (self.published_log and self.method is not CatchUpMethod.canary)
        return None if unasked else given_dsn(ctx, self.dsn)

    def record(self, outbox: "Outbox") -> "Ledger | None":
        """What the application says it published. Raises BadLedger."""
        from outbox_kit.verify.published_log import PublishedLog

        if self.published_log is None:
            return None
        record = PublishedLog(self.published_log, outbox)
        record.require_events()
        return record

    def catch_up_by(self, database: str | None, outbox: "Outbox") -> CatchUpMethod:
        """How it is known that the connector has passed the last row. Raises UsageProblem."""
        from outbox_kit.databases import canary

        slots = outbox.dialect.capture.uses_slot
        if self.method is CatchUpMethod.slot and not slots:
            raise UsageProblem(
                "the database has no replication slots", fix="leave out --catch-up-method: a canary row is inserted"
            )
        if self.method is CatchUpMethod.canary and database is None:
            fix = "set OUTBOX_KIT_DSN"
            raise UsageProblem("--catch-up-method canary inserts a row and needs the database", fix=fix)
        if self.method is CatchUpMethod.canary:
            canary.allow(outbox)
        by_slot = slots or database is None or outbox.table.existing
        return self.method or (CatchUpMethod.slot if by_slot else CatchUpMethod.canary)


@dataclass(frozen=True)
class LimitOptions:
    """What a run may take."""

    timeout: float = 600.0
    """Seconds for everything; of each window of a follower."""
    open_transactions: float = 75.0
    """Seconds for open transactions."""
    memory: str = "512MiB"
    workers: int = 1
    temp_dir: Path | None = None
    most: int = 32
    """Samples kept of each finding."""
    engine: EngineChoice = EngineChoice.auto
    spark: Sequence[str] = ()

    def refuse(self, *, captured: bool, shards: bool) -> None:
        """Raise UsageProblem where options do not go together."""
        if self.workers > 1 and (self.engine in (EngineChoice.memory, EngineChoice.spark) or captured):
            raise UsageProblem("several workers need topics and events on disk", fix="leave out --workers, or --engine")
        if self.engine is EngineChoice.spark and (captured or shards):
            raise UsageProblem("--engine spark reads topics only", fix="leave out --engine spark")
        if self.temp_dir is not None and not self.temp_dir.is_dir():
            fix = "create it, or leave out --temp-dir"
            raise UsageProblem("folder not found", where=str(self.temp_dir), fix=fix)
        if self.temp_dir is not None:
            checked_folder("--temp-dir", self.temp_dir)

    def resources(self) -> "Resources":
        """What a verification may use. Raises UsageProblem."""
        from outbox_kit.verify.request import Resources

        return Resources(
            self.engine.value,
            size(self.memory, least=256),
            self.workers,
            self.temp_dir,
            dict(pair("--spark", setting) for setting in self.spark),
            self.most,
        )


def requested(
    ctx: typer.Context,
    outbox: "Outbox",
    topics: TopicOptions,
    rows: RowOptions,
    limits: LimitOptions,
    judged: Judgement,
    connect: str | None,
    latency: int | None,
    shards: Sequence[Path] = (),
) -> "Request":
    """What is asked for. Raises UsageProblem where options do not go together."""
    from outbox_kit.connect.redact import remember
    from outbox_kit.verify.reading.shard import load
    from outbox_kit.verify.reading.window import Window
    from outbox_kit.verify.request import Criteria, Request, Waits

    remember(outbox.connect.config)
    topics.refuse(outbox)
    limits.refuse(captured=topics.captured, shards=bool(shards))
    database = rows.database(ctx, topics)
    return Request(
        outbox=outbox,
        log=topics.log(ctx, outbox),
        dsn=database,
        dsn_missing=database is None and not (rows.no_table or topics.messages or rows.published_log),
        connect=topics.worker(connect) if outbox.delivery.by == "connector" else None,
        registry=topics.registry,
        waits=Waits(limits.timeout, limits.open_transactions, rows.catch_up, rows.catch_up_by(database, outbox).value),
        resources=limits.resources(),
        criteria=Criteria(judged.policy, judged.fail_on, latency),
        window=Window(bound(topics.start), bound(topics.end)),
        shards=load(shards, outbox),
        record=rows.record(outbox),
    )


def queue(outbox: "Outbox", name: str) -> "QueueLog":
    """A queue of RabbitMQ at the address in the environment. Raises UsageProblem."""
    from outbox_kit.relay import sinks

    try:
        from outbox_kit.relay.sinks import rabbitmq
        from outbox_kit.verify.reading.queue import QueueLog
    except ModuleNotFoundError as cause:
        fix = "pip install 'outbox-kit[rabbitmq]'"
        raise UsageProblem("the library for RabbitMQ is not installed", why=str(cause), fix=fix) from cause
    parameters = rabbitmq.parameters(sinks.address(rabbitmq.FORM), f"outbox-kit verify {outbox.service}")
    return QueueLog(outbox, parameters, name)


def bound(text: str) -> "Bound":
    """A place in the topics: beginning, end-N, ts:TIME or offsets:FILE. Raises UsageProblem."""
    from outbox_kit.verify.reading import window

    kind, _, path = text.partition(":")
    if kind != "offsets":
        return window.bound(text)
    return window.bound(text, json_of(Path(path), "a file that --offsets-out wrote"))
