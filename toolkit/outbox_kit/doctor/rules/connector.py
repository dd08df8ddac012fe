"""Rules about the connector: its state, its config, its position, and other connectors."""

from collections.abc import Iterator, Mapping

from outbox_kit.connect.causes import explain, root_lines
from outbox_kit.connect.status import RESUME
from outbox_kit.doctor.needs import CONNECTOR, WORKER
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity

DEPLOY = "outbox-kit deploy-connector"
DRY_RUN = "see the changes: outbox-kit plan; apply them: outbox-kit deploy-connector"
SHARED = {
    "slot.name": "one connector takes the events of the other",
    "database.server.id": "the server ends the connection of one of them",
    "topic.prefix": "both store their positions and heartbeats under one name",
    "schema.history.internal.kafka.topic": "each reads the schema history of the other",
}
"""Options whose values two connectors of a Connect cluster cannot share, and why."""
OF_A_DATABASE = ("slot.name", "database.server.id")
"""Those of them that may be the same for different servers."""
PLACE = ("database.hostname", "database.port", "database.dbname")


@rule("DOC-CONNECTOR-01", Severity.info, fix=DEPLOY, needs=(*WORKER, Need.status))
def registered(system: SystemObservation) -> Iterator[SystemViolation]:
    """The connector is registered.

    Nothing is published before that. The slot of a connector that was deleted retains log without an end.
    """
    if not system.registered:
        name = system.outbox.names.connector
        left = bool(system.log and system.log.slot)
        text = f"connector '{name}' is not registered" + (", but its replication slot exists" if left else "")
        yield SystemViolation(text, name, severity=Severity.warning if left else None)


@rule("DOC-CONNECTOR-02", Severity.error, fix="outbox-kit status", needs=CONNECTOR)
def runs(system: SystemObservation) -> Iterator[SystemViolation]:
    """The connector and its task run.

    No event is published until they do.
    """
    status, name = system.connect.status if system.connect else None, system.outbox.names.connector
    if status is None or status.running:
        return
    if status.halted:
        yield SystemViolation(f"connector '{name}' is {status.connector}", name, RESUME)
    elif status.failed:
        cause = explain(status.trace)
        text = f"{status}: {cause.means}" if cause else str(status)
        fix = cause.fix if cause else "see the whole trace: outbox-kit status --trace"
        yield SystemViolation(text, name, fix, [f"| {line}" for line in root_lines(status.trace)])
    else:
        fix = "wait for a moment, then see the worker's log; a lost slot has this state too"
        yield SystemViolation(str(status), name, fix)


@rule("DOC-CONNECTOR-03", Severity.warning, fix=DRY_RUN, needs=(*CONNECTOR, Need.drift))
def configuration(system: SystemObservation) -> Iterator[SystemViolation]:
    """The running connector has the configuration of the schema file.

    The configuration was changed in Kafka Connect, or the schema file was changed and not deployed.
    """
    changes, name = system.connect.drift or () if system.connect else (), system.outbox.names.connector
    if changes:
        text = f"the configuration differs in {', '.join(change.key for change in changes)}"
        yield SystemViolation(text, name, details=[change.line() for change in changes])


@rule(
    "DOC-CONNECTOR-04",
    Severity.error,
    fix="correct the schema file, then outbox-kit deploy-connector",
    needs=(*WORKER, Need.complaints),
)
def accepted(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker accepts the configuration, and reaches the database with it.

    The worker connects to the database for this. A connector that has lost its connection stays RUNNING.
    """
    for option, complaints in (system.connect.complaints or {}).items() if system.connect else ():
        for complaint in complaints:
            text = " ".join(complaint.split())
            cause = explain(text)
            meaning = f"{cause.means} " if cause else ""
            created = system.database is None or system.database.created  # its user is created together with the tables
            severity = None if created else Severity.info
            yield SystemViolation(f"{meaning}{option}: {text}", option, cause.fix if cause else "", severity=severity)


@rule(
    "DOC-CONNECTOR-05",
    Severity.error,
    fix="give each connector its own value, then outbox-kit deploy-connector",
    needs=(*WORKER, Need.peers),
)
def alone(system: SystemObservation) -> Iterator[SystemViolation]:
    """No other connector of the cluster uses the slot, server id, prefix or history of this one.

    Two connectors that share one of them take each other's events or positions.
    """
    for name, config in (system.connect.peers or {}).items() if system.connect else ():
        for option in _shared(system.config, config):
            text = f"connector '{name}' has the same {option} '{system.config[option]}': {SHARED[option]}"
            yield SystemViolation(text, f"{name}: {option}")


def _shared(config: Mapping[str, str], other: Mapping[str, str]) -> Iterator[str]:
    of_one_database = all(config.get(option) == other.get(option) for option in PLACE)
    for option in SHARED:
        same = config.get(option) and config.get(option) == other.get(option)
        if same and (of_one_database or option not in OF_A_DATABASE):
            yield option


@rule(
    "DOC-CONNECTOR-06",
    Severity.error,
    fix="outbox-kit remove --reset-offsets --allow-destructive, then outbox-kit deploy-connector",
    needs=(*CONNECTOR, Need.offsets),
)
def own_position(system: SystemObservation) -> Iterator[SystemViolation]:
    """The stored position is one of this outbox.

    A connector finds its position by topic.prefix. With another prefix it begins again, or at the position of another
    server.
    """
    prefix, name = system.config["topic.prefix"], system.outbox.names.connector
    entries = [entry for entry in system.connect.offsets or () if entry["offset"]] if system.connect else []
    servers = {str((entry.get("partition") or {}).get("server", "")) for entry in entries} - {""}
    if servers and prefix not in servers:
        text = f"the stored offset is of topic.prefix '{', '.join(sorted(servers))}', the schema file has '{prefix}'"
        yield SystemViolation(text, name)
