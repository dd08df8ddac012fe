"""Makes the relay of an outbox."""

from collections.abc import Callable

from outbox_kit.databases import servers
from outbox_kit.errors import UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import sinks
from outbox_kit.relay.engine import Relay
from outbox_kit.relay.failing import Failing
from outbox_kit.relay.lanes import Lanes
from outbox_kit.relay.progress import Progress
from outbox_kit.relay.sources.log import LogSource
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector


def of(
    outbox: Outbox,
    dsn: str,
    cluster: Cluster,
    progress: Progress,
    report: Callable[[str], None],
    stopped: Callable[[], bool],
) -> Relay:
    """The relay of an outbox, from its database to its sink. Raises UsageProblem.

    report: takes a line about each change of its state. stopped: whether it is to end.
    """
    server = servers.get(outbox.database.dialect)
    if server.log is None or server.failures is None:
        raise UsageProblem(f"the relay cannot read {outbox.dialect.title}", fix="set delivery: {by: connector}")
    config, lanes = connector.config(outbox), Lanes(outbox)
    table = server.failures(dsn, outbox)
    return Relay(
        LogSource(outbox, server.log(dsn, outbox), config),
        sinks.of(outbox, config, cluster),
        table,
        lanes,
        Failing(table, lanes, outbox.delivery.attempts, progress),
        progress,
        report,
        stopped,
    )
