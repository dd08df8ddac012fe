"""Makes the relay of an outbox."""

from collections.abc import Callable

from outbox_kit.databases import servers
from outbox_kit.databases.failures import FailureTable
from outbox_kit.errors import UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import sinks
from outbox_kit.relay.engine import Relay
from outbox_kit.relay.exactly_once.log import ExactlyOnceLog
from outbox_kit.relay.exactly_once.sink import TransactionalKafka
from outbox_kit.relay.exactly_once.table import ExactlyOnceFailures
from outbox_kit.relay.failing import Failing
from outbox_kit.relay.lanes import Lanes
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.relay.sources.log import LogSource
from outbox_kit.relay.sources.table import TableSource
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from outbox_kit.wire.shape import Config


def of(
    outbox: Outbox,
    dsn: str,
    cluster: Cluster,
    progress: RelayProgress,
    report: Callable[[str], None],
    stopped: Callable[[], bool],
) -> Relay:
    """The relay of an outbox, from its database to its sink. Raises UsageProblem.

    report: takes a line about each change of its state. stopped: whether it is to end.
    """
    config, lanes = connector.config(outbox), Lanes(outbox)
    if outbox.delivery_guarantee == "exactly-once":
        return _exactly_once(outbox, dsn, config, cluster, progress, report, stopped)
    source, table = _source(outbox, dsn, config, report)
    failing = Failing(table, lanes, outbox.delivery.attempts, progress)
    if isinstance(source, TableSource):
        source.on_claim, source.at_rest = failing.refresh, failing.at_rest
    return Relay(
        source,
        sinks.of(outbox, config, cluster),
        table,
        lanes,
        failing,
        progress,
        report,
        stopped,
    )


def _exactly_once(
    outbox: Outbox,
    dsn: str,
    config: Config,
    cluster: Cluster,
    progress: RelayProgress,
    report: Callable[[str], None],
    stopped: Callable[[], bool],
) -> Relay:
    """The relay of an outbox whose position is in Kafka. Raises UsageProblem."""
    server, lanes = servers.get(outbox.database.dialect), Lanes(outbox)
    if server.identified_log is None or server.fenced_failures is None:
        raise UsageProblem(
            f"the relay cannot publish the events of {outbox.dialect.title} exactly once",
            fix="set delivery_guarantee: at-least-once",
        )
    sink = TransactionalKafka(outbox, config, cluster, report)
    log = ExactlyOnceLog(server.identified_log(dsn, outbox), sink, report)
    table = ExactlyOnceFailures(server.fenced_failures(dsn, outbox), log)
    failing = Failing(table, lanes, outbox.delivery.attempts, progress)
    relay = Relay(LogSource(outbox, log, config), sink, table, lanes, failing, progress, report, stopped)
    sink.event = relay.sent
    return relay


def _source(
    outbox: Outbox, dsn: str, config: Config, report: Callable[[str], None]
) -> tuple[LogSource | TableSource, FailureTable]:
    """The source of an outbox's relay, and the table of its failed events. Raises UsageProblem."""
    server = servers.get(outbox.database.dialect)
    if server.failures is not None and outbox.delivery.source == "table" and server.polled is not None:
        polled = TableSource(outbox, server.polled(dsn, outbox), config, report)
        return polled, server.failures(dsn, outbox, polled.owned)
    if server.failures is not None and outbox.delivery.source == "log" and server.log is not None:
        return LogSource(outbox, server.log(dsn, outbox), config), server.failures(dsn, outbox)
    raise UsageProblem(f"the relay cannot read {outbox.dialect.title}", fix="set delivery: {by: connector}")
