"""The report of a run of `doctor`. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from outbox_kit.delivery.canary import SentCanary
from outbox_kit.delivery.slots import size
from outbox_kit.doctor.needs import INAPPLICABLE
from outbox_kit.doctor.observation import SystemObservation, SystemPart
from outbox_kit.doctor.rule import RULES
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.report import Report, Suite
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import verdict
from outbox_kit.printable import counted

WAYS = {
    SystemPart.database: "set OUTBOX_KIT_DSN, or --dsn DSN",
    SystemPart.connect: "set OUTBOX_KIT_CONNECT, or --connect URL",
    SystemPart.kafka: "set OUTBOX_KIT_BOOTSTRAP, or --bootstrap HOST:PORT",
}
SETTINGS = (
    "the worker's own settings (internal topics, policies, exactly-once support), which Kafka Connect's REST API does "
    "not show: name their file with --worker-config FILE"
)


def report(
    system: SystemObservation,
    findings: Sequence[Finding],
    unchecked: Mapping[str, str],
    fail_on: Severity,
    seconds: float,
) -> Report:
    """The report. findings: as they count. unchecked: why a rule was not checked, by its id. seconds: of the run."""
    rules = list(RULES)
    return Report(
        command=RULES.command,
        subject=system.outbox.service,
        verdict=verdict(findings, fail_on),
        summary=_summary(findings, len(rules) - len(unchecked)),
        rules=rules,
        findings=findings,
        suites=[Suite(system.outbox.service, rules, findings, unchecked)],
        unchecked=unchecked,
        inapplicable=frozenset(need.value for need in INAPPLICABLE),
        document={"delivery": system.outbox.delivery.by, "observed": observed(system)},
        lines=[*_lines(system)],
        notes=[*_notes(system)],
        seconds=seconds,
    )


def _summary(findings: Sequence[Finding], checked: int) -> str:
    counts = [
        f"{number} {severity}{'s' if number > 1 and severity in (Severity.error, Severity.warning) else ''}"
        for severity in Severity
        if (number := sum(finding.severity is severity and not finding.accepted for finding in findings))
    ]
    return f"{', '.join(counts) or 'no findings'}; {counted(checked, 'rule')} checked"


def _lines(system: SystemObservation) -> Iterator[str]:
    """What was seen, a line for each part."""
    outbox, database, log = system.outbox, system.database, system.log
    if database is not None:
        yield f"database   {outbox.dialect.title} {database.version}, database '{outbox.names.database}'"
    if log is not None and log.slot is not None:
        slot = log.slot
        rate = "" if log.bytes_per_second is None else f", the log grows by {size(round(log.bytes_per_second))}/s"
        safe = "no limit" if slot.safe_bytes is None else f"{size(max(slot.safe_bytes, 0))} until it is lost{rate}"
        state = "active" if slot.active else "inactive"
        yield f"slot       {slot.name}: {state}, wal_status {slot.wal_status}, lag {size(slot.lag or 0)}, {safe}"
    if system.connect is not None:
        state = str(system.connect.status) if system.registered else "not registered"
        yield f"connector  {outbox.names.connector}: {state} (Kafka Connect {system.connect.worker['version']})"
    if system.relay is not None:
        yield f"relay      {'running' if system.relay.running else 'not running'}"
    if system.canary is not None and (location := system.canary.location):
        yield (
            f"canary     arrived at {location.topic}-{location.partition}@{location.offset} "
            f"after {system.canary.milliseconds:,} ms"
        )
    if system.kafka is not None:
        yield f"kafka      {counted(system.kafka.brokers, 'broker')}, cluster {system.kafka.cluster}"


def _notes(system: SystemObservation) -> Iterator[str]:
    expected = [SystemPart.database]
    expected += [] if system.by_relay else [SystemPart.connect]
    expected += [SystemPart.kafka] if system.outbox.delivery.sink == "kafka" else []
    yield from (f"{part} was not examined: {WAYS[part]}" for part in expected if part not in system.addressed)
    if (
        SystemPart.database in system.addressed
        and system.database is None
        and SystemPart.database not in system.unanswered
    ):
        part = "roles, tables and rows were not examined" if system.capture else "the database was not examined"
        yield f"{part}: outbox-kit has no queries for {system.outbox.dialect.title}"
    if not system.by_relay and system.outbox.dialect.capture.uses_slot is False and system.database is not None:
        yield "not examined: sequence cache, dead rows and expired rows of this database"
    if not system.by_relay and system.worker_settings is None:
        yield f"not examined: {SETTINGS}"
    if system.principal is None:
        owner = "relay" if system.by_relay else "worker"
        option = "" if system.outbox.delivery.sink != "kafka" else ": name it with --principal User:NAME"
        yield f"not examined: the rights of the {owner}'s user{option}"
    if system.routes.assumed:
        yield f"topics: {system.routes.caveat}"


def _canary(sent: SentCanary) -> dict[str, Any]:
    location = None if sent.location is None else asdict(sent.location)
    return {"id": str(sent.event_id), "topic": sent.topic, "message": location, "milliseconds": sent.milliseconds}


def observed(system: SystemObservation) -> dict[str, Any]:
    """The parts for programs; None for one that was not observed."""
    database, log, connect = system.database, system.log, system.connect
    return {
        "database": None if database is None else {"version": database.version, "read_only": bool(database.read_only)},
        "slot": asdict(log.slot) if log and log.slot else None,
        "log_bytes_per_second": log.bytes_per_second if log else None,
        "connector": asdict(connect.status) if connect and connect.status else None,
        "worker": connect.worker["version"] if connect else None,
        "kafka": system.kafka.cluster if system.kafka else None,
        "topics": {name: topic.partitions for name, topic in system.kafka.topics.items()} if system.kafka else None,
        "relay": None if system.relay is None else {"running": system.relay.running, "dead": system.relay.dead},
        "canary": None if system.canary is None else _canary(system.canary),
    }
